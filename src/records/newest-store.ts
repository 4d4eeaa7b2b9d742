// The newest page of everything, which is asked for the most: its statements are put together once
// and only filled in afterwards.

import type { CompiledQuery, RawBuilder } from 'kysely'
import type { Db, KeptQuery } from '../db/database.ts'
import { FIND } from './find-engine.ts'
import { alongStatement } from './find-store.ts'
import type { Finding } from './finding.ts'
import type { FoundRecord } from './found-record.ts'
import { inOrder } from './position.ts'

export interface NewestTerms {
  /** Null begins with the newest. */
  belowKey: number | null
  limit: number
}

export async function newestRecords(
  db: Db,
  finding: Finding,
  terms: NewestTerms,
): Promise<FoundRecord[]> {
  const statement = statementFor(db, finding, { terms, what: 'records', make: recordsStatement })
  const { rows } = await db.executeQuery(filled(statement, finding, terms))
  return inOrder(rows as FoundRecord[], finding.wanted.order)
}

function recordsStatement(finding: Finding, { belowKey, limit }: NewestTerms): RawBuilder<unknown> {
  const behind = belowKey === null ? null : [belowKey]
  return alongStatement(finding, { stretch: { behind, downTo: null }, within: null, limit })
}

export interface NewestJson {
  /** The records as a JSON list; the engine's own bytes. */
  items: Uint8Array
  lastKey: number | null
  hasMore: number
}

/** Null when the engine makes no JSON. */
export async function newestJson(
  db: Db,
  finding: Finding,
  terms: NewestTerms,
): Promise<NewestJson | null> {
  const { jsonPage } = FIND[finding.engine]
  if (jsonPage === null) return null
  const make = ({ organizationId, wanted }: Finding, blanks: NewestTerms) =>
    jsonPage({ organizationId, includeSuppressed: wanted.includeSuppressed, ...blanks })
  const statement = statementFor(db, finding, { terms, what: 'json', make })
  const query: KeptQuery = { ...filled(statement, finding, terms), keep: true }
  const { rows } = await db.executeQuery(query)
  const [page] = rows as NewestJson[]
  return page ?? null
}

const BLANKS = { organization: {}, key: {}, limit: {} } as const

const statements = new Map<string, CompiledQuery>()

interface Wish {
  terms: NewestTerms
  what: 'records' | 'json'
  make(finding: Finding, terms: NewestTerms): RawBuilder<unknown>
}

function statementFor(db: Db, finding: Finding, { terms, what, make }: Wish): CompiledQuery {
  const { engine, wanted } = finding
  const isFirst = terms.belowKey === null
  const name = `${engine} ${what} ${wanted.includeSuppressed} ${isFirst}`
  const known = statements.get(name)
  if (known !== undefined) return known

  const blank = (which: keyof typeof BLANKS) => BLANKS[which] as never
  const made = make(
    { ...finding, organizationId: blank('organization') },
    { belowKey: isFirst ? null : blank('key'), limit: blank('limit') },
  ).compile(db)
  statements.set(name, made)
  return made
}

function filled(
  statement: CompiledQuery,
  { organizationId }: Finding,
  { belowKey, limit }: NewestTerms,
): CompiledQuery {
  const filling = new Map<unknown, unknown>([
    [BLANKS.organization, organizationId],
    [BLANKS.key, belowKey],
    [BLANKS.limit, limit],
  ])
  const parameters = statement.parameters.map((blank) => filling.get(blank) ?? blank)
  return { ...statement, parameters }
}
