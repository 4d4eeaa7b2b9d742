import { describe, expect, test } from 'vitest'
import { readMigrations } from '#src/db/migrations.ts'
import { expectRefusal } from '#test/support/expect-refusal.ts'
import { foundedPlace, makeNewer, storedIn } from '#test/support/founded-place.ts'
import { ENGINES, testPlace } from '#test/support/place.ts'
import { earshot, earshotJson, startService } from '#test/support/program.ts'

describe.concurrent.each(ENGINES)('earshot migrate on %s', (engine) => {
  test('brings an empty database up to date, then finds nothing to do', async () => {
    await using place = await testPlace(engine)
    const known = await readMigrations(engine)

    const first = await earshotJson(place, ['migrate'])
    const second = await earshotJson(place, ['migrate'])

    const applied = await storedIn(place, (db) =>
      db.selectFrom('migration').select(['version', 'name']).orderBy('version').execute(),
    )
    expect([first, second]).toEqual([{ applied: known.length }, { applied: 0 }])
    expect(applied).toEqual(known.map(({ version, name }) => ({ version, name })))
  })

  test('works while the service runs', async () => {
    await using place = await testPlace(engine)
    await using _service = await startService(place)

    expect(await earshotJson(place, ['migrate'])).toEqual({ applied: 0 })
  })

  test('refuses a database that is newer than the program', async () => {
    await using place = await foundedPlace(engine)
    await makeNewer(place)

    const outcome = await earshot(place, ['migrate', '--json'])

    expectRefusal(outcome, /version 9999.*Start the newer Earshot/)
  })
})
