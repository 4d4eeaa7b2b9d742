import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Finding } from './finding.ts'

/** Enough to tell what is in every tenth text from what is in every hundredth. */
const SAMPLE = 150

/** How many of the organization's newest records have each of these. */
export async function countsOf(
  db: Db,
  { organizationId }: Finding,
  grams: readonly string[],
): Promise<number[]> {
  const counts = grams.map(
    (gram) => sql`sum(case when strpos(text, ${gram}) > 0 then 1 else 0 end)`,
  )
  const columns = counts.map((count, index) => sql`${count} as ${sql.ref(`c${index}`)}`)
  const { rows } = await sql<Record<string, number | null>>`
    select ${sql.join(columns)} from (
      select record.text from record
      where record.organization_id = ${organizationId} and record.removed_at is null
      order by record.key desc limit ${SAMPLE}
    ) as sample`.execute(db)
  return grams.map((_, index) => rows[0]?.[`c${index}`] ?? 0)
}
