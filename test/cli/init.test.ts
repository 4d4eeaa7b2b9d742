import { describe, expect, test } from 'vitest'
import { isPassword } from '#src/accounts/password.ts'
import type { Db } from '#src/db/database.ts'
import { expectRefusal } from '#test/support/expect-refusal.ts'
import { foundedPlace, storedIn } from '#test/support/founded-place.ts'
import { ENGINES, testPlace } from '#test/support/place.ts'
import { earshot, earshotJson } from '#test/support/program.ts'

const INIT = ['init', '--email', 'Owner@Example.com', '--org', 'Acme']
const WITH_PASSWORD = [...INIT, '--password', 'correct horse']

describe.concurrent.each(ENGINES)('earshot init on %s', (engine) => {
  test('makes the first owner and organization and prints their ids', async () => {
    await using place = await testPlace(engine)

    const report = await earshotJson<Record<string, string>>(place, WITH_PASSWORD)

    const { userId, organizationId } = report
    expect(report).toEqual({
      userId: expect.stringMatching(/^usr_\w{26}$/),
      organizationId: expect.stringMatching(/^org_\w{26}$/),
    })
    expect(await storedIn(place, accounts)).toMatchObject({
      people: [{ id: userId, email: 'owner@example.com' }],
      organizations: [{ id: organizationId, name: 'Acme', plan_type: 'pro' }],
      memberships: [{ organization_id: organizationId, person_id: userId, role: 'owner' }],
    })
  })

  test('reads the password from the first line of stdin', async () => {
    await using place = await testPlace(engine)

    const { code, stdout } = await earshot(place, INIT, { input: 'correct horse\nsecond line\n' })

    const { people } = await storedIn(place, accounts)
    expect(code).toBe(0)
    expect(await isPassword('correct horse', people[0]?.password_hash ?? '')).toBe(true)
    expect(stdout).toMatch(/owns the organization org_/)
    expect(stdout).not.toContain('correct horse')
  })

  test('refuses a second time and changes nothing', async () => {
    await using place = await foundedPlace(engine)
    const before = await storedIn(place, accounts)

    const outcome = await earshot(place, [...WITH_PASSWORD, '--json'])

    expectRefusal(outcome, /has its first owner already.*earshot org create/)
    expect(await storedIn(place, accounts)).toEqual(before)
  })

  test('of two at once exactly one succeeds, and nothing is half made', async () => {
    await using place = await testPlace(engine)

    const outcomes = await Promise.all(
      ['one', 'two'].map((name) =>
        earshot(place, ['init', '--email', `${name}@example.com`, '--org', name, '--json'], {
          input: 'correct horse',
        }),
      ),
    )

    const winner = outcomes.find(({ code }) => code === 0)
    const loser = outcomes.find(({ code }) => code !== 0)
    if (winner === undefined || loser === undefined) expect.fail(JSON.stringify(outcomes))
    const { userId, organizationId } = JSON.parse(winner.stdout)
    expectRefusal(loser, /has its first owner already/)
    expect(await storedIn(place, accounts)).toMatchObject({
      people: [{ id: userId }],
      organizations: [{ id: organizationId }],
      memberships: [{ organization_id: organizationId, person_id: userId }],
    })
  })
})

describe.concurrent('earshot init refuses', () => {
  test.each([
    {
      what: 'a bad e-mail',
      args: ['--email', 'nobody', '--org', 'A'],
      names: /^earshot: --email /,
    },
    { what: 'a blank name', args: ['--email', 'a@b.co', '--org', ' '], names: /^earshot: --org / },
    {
      what: 'a short password',
      args: ['--email', 'a@b.co', '--org', 'A', '--password', 'short'],
      names: /^earshot: --password .*at least 8 characters/,
    },
    {
      what: 'no password at all',
      args: ['--email', 'a@b.co', '--org', 'A'],
      names: /^earshot: --password .*at least 8 characters/,
    },
    { what: 'a missing --email', args: ['--org', 'A'], names: /'--email <address>' not specified/ },
    {
      what: 'an option it does not know',
      args: ['--email', 'a@b.co', '--org', 'A', '--passwort', 'correct horse'],
      names: /unknown option '--passwort'/,
    },
  ])('$what, and names the option', async ({ args, names }) => {
    await using place = await testPlace('sqlite')

    const outcome = await earshot(place, ['init', ...args, '--json'])

    expectRefusal(outcome, names)
    expect(outcome.stderr).not.toContain('correct horse')
  })
})

async function accounts(db: Db) {
  return {
    people: await db.selectFrom('person').selectAll().execute(),
    organizations: await db.selectFrom('organization').selectAll().execute(),
    memberships: await db.selectFrom('membership').selectAll().execute(),
  }
}
