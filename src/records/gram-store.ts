import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { FIND } from './find-engine.ts'
import type { Finding } from './finding.ts'

/** Enough to tell what is in every tenth text from what is in every hundredth. */
const SAMPLE = 150

/** How many of the organization's newest records have each of these. */
export async function countsOf(
  db: Db,
  { engine, organizationId }: Finding,
  grams: readonly string[],
): Promise<number[]> {
  const { along, position } = FIND[engine]
  const counts = grams.map(
    (gram) => sql`sum(case when ${position(sql`text`, gram)} > 0 then 1 else 0 end)`,
  )
  const columns = counts.map((count, index) => sql`${count} as ${sql.ref(`c${index}`)}`)
  const { rows } = await sql<Record<string, number | null>>`
    select ${sql.join(columns)} from (
      select record.text from ${along('record_newest')}
      where record.organization_id = ${organizationId} and record.removed_at is null
      order by record.key desc limit ${SAMPLE}
    ) as sample`.execute(db)
  return grams.map((_, index) => rows[0]?.[`c${index}`] ?? 0)
}
