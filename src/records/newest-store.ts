// The newest page of everything, which is asked for the most: its statement is put together once, and
// only filled in afterwards.

import type { CompiledQuery } from 'kysely'
import type { Db, EngineName } from '../db/database.ts'
import type { Position } from './cursor.ts'
import { alongStatement } from './find-store.ts'
import type { Finding } from './finding.ts'
import type { FoundRecord } from './found-record.ts'
import { inOrder } from './position.ts'

type Blank = 'organization' | 'key' | 'limit'

const BLANKS: Record<Blank, object> = { organization: {}, key: {}, limit: {} }

const statements = new Map<string, CompiledQuery<FoundRecord>>()

/** Everything behind a place, whatever else is wanted: for a finding without conditions. */
export async function newestPage(
  db: Db,
  finding: Finding,
  { behind, limit }: { behind: Position | null; limit: number },
): Promise<FoundRecord[]> {
  const { organizationId, wanted } = finding
  const isFirst = behind === null
  const statement = statementFor(db, finding, isFirst)
  const filling = new Map<unknown, unknown>([
    [BLANKS.organization, organizationId],
    [BLANKS.key, behind?.[0]],
    [BLANKS.limit, limit],
  ])
  const parameters = statement.parameters.map((blank) => filling.get(blank) ?? blank)
  const { rows } = await db.executeQuery<FoundRecord>({ ...statement, parameters })
  return inOrder(rows, wanted.order)
}

function statementFor(db: Db, finding: Finding, isFirst: boolean): CompiledQuery<FoundRecord> {
  const { engine, wanted } = finding
  const name: `${EngineName} ${boolean} ${boolean}` = `${engine} ${wanted.includeSuppressed} ${isFirst}`
  const known = statements.get(name)
  if (known !== undefined) return known

  const blank = <Value>(which: Blank) => BLANKS[which] as Value
  const made = alongStatement(
    { ...finding, organizationId: blank('organization') },
    {
      stretch: { behind: isFirst ? null : [blank<number>('key')], downTo: null },
      limit: blank('limit'),
    },
  ).compile(db)
  statements.set(name, made)
  return made
}
