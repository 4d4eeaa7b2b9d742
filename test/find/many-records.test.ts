// The same over thousands of records, where a look at the newest does not do: rare, absent and
// common terms, narrow filters, and indexes that had to follow edits, removals and purges.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client } from '#test/support/client.ts'
import { ENGINES } from '#test/support/place.ts'
import { testApp, type TestApp } from '#test/support/test-app.ts'
import { buildWorld } from './built-world.ts'
import { manyRecords, SOUGHT } from './many-records.ts'
import { recipeWith, requestOf } from './requests.ts'
import { SEEDS, terms, TIMEOUT_MS } from './seeds.ts'
import { expectAllPages } from './walk.ts'

/** Enough that a list of one channel is too long to be sorted as a whole. */
const RECORDS = 5_800
const FOREIGN_RECORDS = 1_200
const REQUESTS = 300
/** Most requests are walked this far, and one in so many to the end. */
const PAGES_MAX = 6
const TO_THE_END = 40

describe.concurrent.each(ENGINES)('finding among thousands on %s', (engine) => {
  let home: TestApp
  beforeAll(async () => {
    home = await testApp(engine)
  })
  afterAll(() => home[Symbol.asyncDispose]())

  test.each(SEEDS.slice(0, 1))(
    'every request is answered page by page with exactly what it asks for, in order (seed %d)',
    { timeout: TIMEOUT_MS },
    async (seed) => {
      const world = await buildWorld(home, manyRecords(seed, RECORDS))
      const other = await buildWorld(home, manyRecords(seed + 1_000, FOREIGN_RECORDS))
      const asker = { client: new Client(home.url), apiKey: world.apiKey }
      const found: number[] = []

      await fc.assert(
        fc.asyncProperty(recipeWith(SOUGHT), fc.nat(TO_THE_END - 1), async (recipe, chance) => {
          const request = requestOf(recipe, world, [other])
          const toTheEnd = chance === TO_THE_END - 1
          const walk = toTheEnd
            ? { request, limits: [40, 39], pagesMax: Infinity }
            : { request, limits: recipe.limits, pagesMax: PAGES_MAX }
          found.push(await expectAllPages(asker, world, walk))
        }),
        terms(seed, REQUESTS),
      )

      // Some find nothing, some a few, some nearly all.
      const share = (from: number, to: number) =>
        found.filter((count) => count >= from && count < to).length / found.length
      expect(share(0, 1)).toBeGreaterThan(0.1)
      expect(share(1, 20)).toBeGreaterThan(0.1)
      expect(share(20, Infinity)).toBeGreaterThan(0.1)
    },
  )
})
