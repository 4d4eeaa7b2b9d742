import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { FIND } from './find-engine.ts'
import type { Finding } from './finding.ts'

/** Names of the channels that the organization watches or has records of, some twice; as JSON. */
export async function channelNames(
  db: Db,
  { engine, organizationId, wanted }: Pick<Finding, 'engine' | 'organizationId' | 'wanted'>,
): Promise<string> {
  const { platforms, channels } = wanted
  const conditions = [
    sql`organization_id = ${organizationId}`,
    ...(platforms.length === 0 ? [] : [sql`platform in (${sql.join(platforms)})`]),
    ...(channels.length === 0 ? [] : [sql`channel in (${sql.join(channels)})`]),
  ]
  const where = sql.join(conditions, sql` and `)
  const { rows } = await sql<{ names: string | null }>`
    select ${FIND[engine].asJson(sql`subforum`)} as names from (
      select subforum from watcher_channel where ${where}
      union all
      select subforum from dataset_channel where ${where}
    ) as named`.execute(db)
  return rows[0]?.names ?? '[]'
}
