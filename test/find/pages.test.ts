// Random datasets, random requests, real HTTP: whatever is asked, page by page exactly what the
// plainest possible filter and sort would give. Two organizations share each database.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client } from '#test/support/client.ts'
import { ENGINES } from '#test/support/place.ts'
import { testApp, type TestApp } from '#test/support/test-app.ts'
import { buildWorld, type World } from './built-world.ts'
import { recipeWith, requestOf, type Recipe } from './requests.ts'
import { SEEDS, terms, TIMEOUT_MS } from './seeds.ts'
import { expectAllPages } from './walk.ts'
import { plan } from './worlds.ts'

const WORLDS = 8
const REQUESTS = 120
/** More pages than any of these worlds has. */
const PAGES_MAX = 1_000

interface Question {
  recipe: Recipe
  /** Which of the two organizations asks. */
  asker: number
}

/** Not made fewer when one of them fails: see `narrowing`. */
const questions: fc.Arbitrary<Question[]> = fc.noShrink(
  fc.array(fc.record({ recipe: recipeWith(), asker: fc.nat(1) }), {
    minLength: REQUESTS,
    maxLength: REQUESTS,
  }),
)

describe.concurrent.each(ENGINES)('finding on %s', (engine) => {
  let home: TestApp
  let client: Client
  beforeAll(async () => {
    home = await testApp(engine)
    client = new Client(home.url)
  })
  afterAll(() => home[Symbol.asyncDispose]())

  test.each(SEEDS)(
    'every request is answered page by page with exactly what it asks for, in order (seed %d)',
    { timeout: TIMEOUT_MS },
    async (seed) => {
      const found: number[] = []
      const chosen = narrowing()

      await fc.assert(
        fc.asyncProperty(plan, plan, questions, async (first, second, all) => {
          const worlds = [await buildWorld(home, first), await buildWorld(home, second)]
          for (const question of chosen.of(all)) {
            found.push(await countFound(client, worlds, question))
          }
          chosen.passed()
        }),
        terms(seed, WORLDS, ([first, second]) => ({ question: chosen.failing(), first, second })),
      )

      // Neither nothing nor everything is found, or the comparison would say little.
      const some = found.filter((count) => count > 0)
      expect(some.length).toBeGreaterThan(found.length / 4)
      expect(some.length).toBeLessThan(found.length)
    },
  )
})

function countFound(
  client: Client,
  worlds: readonly World[],
  { recipe, asker }: Question,
): Promise<number> {
  const world = worlds[asker]
  if (world === undefined) throw new Error('There is no such world.')
  const others = worlds.filter((one) => one !== world)
  const request = requestOf(recipe, world, others)
  const walk = { request, limits: recipe.limits, pagesMax: PAGES_MAX }
  return expectAllPages({ client, apiKey: world.apiKey }, world, walk)
}

/**
 * Once a question has failed, the datasets are made smaller with that one alone: with all of them
 * each attempt would take seconds.
 */
function narrowing() {
  let tried: Question | undefined
  let isFailing = false
  return {
    *of(all: readonly Question[]): Generator<Question> {
      isFailing ||= tried !== undefined
      if (isFailing && tried !== undefined) return yield tried
      for (tried of all) yield tried
    },
    passed(): void {
      if (!isFailing) tried = undefined
    },
    failing: () => tried,
  }
}
