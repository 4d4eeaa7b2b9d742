import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertPerson } from '#src/accounts/person-store.ts'
import { newId } from '#src/lib/id.ts'
import { expectRefusal } from '#test/support/expect-refusal.ts'
import { foundedPlace, storedIn, type FoundedPlace } from '#test/support/founded-place.ts'
import { ENGINES, testPlace, type Place } from '#test/support/place.ts'
import { earshot, earshotJson } from '#test/support/program.ts'

describe.concurrent.each(ENGINES)('earshot org create on %s', (engine) => {
  test('makes a further organization of the first owner', async () => {
    await using place = await foundedPlace(engine)

    const report = await create(place, '--name', ' Globex ')

    expect(report).toEqual({ organizationId: expect.stringMatching(/^org_\w{26}$/) })
    expect(report.organizationId).not.toBe(place.organizationId)
    expect(await ownerOf(place, report.organizationId)).toEqual({
      name: 'Globex',
      plan_type: 'pro',
      person_id: place.userId,
      role: 'owner',
    })
  })

  test('makes it for whoever --owner names', async () => {
    await using place = await foundedPlace(engine)
    const id = newId('usr', Date.now())
    const person = { id, email: 'second@example.com', passwordHash: '', createdAt: Date.now() }
    await storedIn(place, (db) => insertPerson(db, person))

    const owner = ['--owner', 'Second@example.com']
    const { organizationId } = await create(place, '--name', 'Globex', ...owner)

    expect(await ownerOf(place, organizationId)).toMatchObject({ person_id: id, role: 'owner' })
  })

  test('refuses while there is nobody to own it, and says to run init', async () => {
    await using place = await testPlace(engine)

    const outcome = await earshot(place, ['org', 'create', '--name', 'Globex', '--json'])

    expectRefusal(outcome, /nobody to own it yet.*earshot init/)
  })
})

describe.concurrent('earshot org create refuses', () => {
  let place: FoundedPlace // one for all: none of them changes anything

  beforeAll(async () => {
    place = await foundedPlace('sqlite')
  })
  afterAll(() => place[Symbol.asyncDispose]())

  test.each([
    { what: 'a blank name', args: ['--name', ' '], reason: /^earshot: --name / },
    { what: 'a missing name', args: [], reason: /'--name <name>' not specified/ },
    {
      what: 'an owner who does not exist',
      args: ['--name', 'Globex', '--owner', 'nobody@example.com'],
      reason: /no account with the e-mail nobody@example\.com/,
    },
    {
      what: 'an owner that is no e-mail',
      args: ['--name', 'Globex', '--owner', 'nobody'],
      reason: /^earshot: --owner /,
    },
  ])('$what', async ({ args, reason }) => {
    expectRefusal(await earshot(place, ['org', 'create', ...args, '--json']), reason)
  })
})

function create(place: Place, ...options: string[]): Promise<{ organizationId: string }> {
  return earshotJson(place, ['org', 'create', ...options])
}

function ownerOf(place: Place, organizationId: string) {
  return storedIn(place, (db) =>
    db
      .selectFrom('organization')
      .innerJoin('membership', 'membership.organization_id', 'organization.id')
      .select(['organization.name', 'plan_type', 'person_id', 'role'])
      .where('organization.id', '=', organizationId)
      .executeTakeFirst(),
  )
}
