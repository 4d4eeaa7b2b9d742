import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Db } from '#src/db/database.ts'
import { tidyTexts } from '#src/jobs/tidy-texts.ts'
import { openDatasets, titlesOf } from '#test/support/dataset.ts'
import { ENGINES } from '#test/support/place.ts'

const ROUNDS = 13

async function partsOf(db: Db): Promise<number> {
  const { rows } = await sql<{ parts: number }>`
    select count(distinct segid) as parts from record_text_idx`.execute(db)
  return rows[0]?.parts ?? 0
}

describe.each(ENGINES)('tidying the text index on %s', (engine) => {
  test('everything is found as before, and the next time there is nothing to do', async () => {
    await using datasets = await openDatasets(engine)
    const dataset = await datasets.holding()
    const { app } = datasets.home
    const titles = Array.from({ length: ROUNDS }, (_, round) => `zebra number ${round}`)
    for (const title of titles) await dataset.keep([{ title }])
    const partsBefore = engine === 'sqlite' ? await partsOf(app.db) : 0

    const { steps } = await tidyTexts.run(app, AbortSignal.timeout(10_000))

    if (engine === 'sqlite') {
      expect(steps).toBeGreaterThan(0)
      expect(partsBefore).toBeGreaterThan(2)
      expect(await partsOf(app.db)).toBeLessThanOrEqual(2)
    }
    expect(titlesOf(await dataset.searched({ q: 'zebra' }))).toEqual(titles)
    expect(titlesOf(await dataset.searched({ q: 'ber 12' }))).toEqual(['zebra number 12'])
    expect(await tidyTexts.run(app, AbortSignal.timeout(10_000))).toEqual({ steps: 0 })
  })
})
