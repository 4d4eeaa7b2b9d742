// How long it takes to find records, beside one plain query for each request on the same tables; and
// how many requests a second the server answers, beside a bare one that sends the same bytes.

import { openApp, type App } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import type { EngineName } from '../src/db/database.ts'
import { casesOf, type Case, type Request } from './find-cases.ts'
import { loadDataset, type FindDataset } from './find-dataset.ts'
import { find, walkToDeepPage } from './find-earshot.ts'
import { throughputs } from './find-http.ts'
import { measure, type Measured } from './find-latency.ts'
import { placeFor, settled, type Place } from './find-place.ts'
import { plainItem, plainOfList, plainOfSearch, plainPage } from './find-plain.ts'
import { loopLine, HEAD, rowOf, type Result } from './find-report.ts'
import { postsAreReal } from './ingest-posts.ts'
import { randomFrom } from './random.ts'
import { printTable } from './table.ts'

const SIZES = [100_000, 1_000_000]
const ENGINES: readonly EngineName[] = ['sqlite', 'postgres']

const OWN_RUNS = { most: 1_000, least: 20, enoughMs: 5_000 }
/** It may take seconds each time. */
const PLAIN_RUNS = { most: 1_000, least: 3, enoughMs: 2_000 }

export interface FindOptions {
  records?: number | undefined
  engine?: string | undefined
}

export async function benchFind({ records, engine }: FindOptions): Promise<void> {
  const results: Result[] = []
  for (const one of ENGINES.filter((name) => engine === undefined || name === engine)) {
    for (const size of records === undefined ? SIZES : [records]) {
      await using place = await placeFor(one, size)
      results.push(...(await benchPlace(place, one, size)))
    }
  }
  process.stdout.write(`\n${postsAreReal ? 'Real' : 'Made-up'} posts. Times in ms.\n\n`)
  printTable(HEAD, results.map(rowOf))
  process.stdout.write(`\n${loopLine(results)}\n`)
}

async function benchPlace(place: Place, engine: EngineName, records: number): Promise<Result[]> {
  const { cases, dataset, results } = await benchLatencies(place, engine, records)
  const overHttp = await throughputs(cases, { ...place, key: dataset.key })
  return results.map((result) => ({ ...result, http: overHttp.get(result.case.name) }))
}

async function benchLatencies(place: Place, engine: EngineName, records: number) {
  await using app = await openApp(readConfig(place.variables))
  const dataset = await loadDataset(app, records)
  await settled(app.database)
  const cases = casesOf(dataset, await walkToDeepPage(app, dataset.organizationId))
  const results: Result[] = []
  for (const one of cases) {
    const result = { engine, records, case: one, ...(await compare(app, dataset, one)) }
    process.stderr.write(`${rowOf(result).join(' | ')}\n`)
    results.push(result)
  }
  return { cases, dataset, results }
}

async function compare(
  app: App,
  { organizationId }: FindDataset,
  { requests }: Case,
): Promise<{ own: Measured; plain: Measured }> {
  for (const request of requests) await expectSame(app, organizationId, request)
  const below = randomFrom(1)
  const own = (request: Request) => find(app, organizationId, request)
  const plain = (request: Request) => plainly(app, organizationId, request)
  const runners = [
    { run: own, terms: OWN_RUNS },
    { run: plain, terms: PLAIN_RUNS },
  ]
  const [ours, plains] = await measure(requests, runners, below)
  if (ours === undefined || plains === undefined) throw new Error('Nothing was measured.')
  return { own: ours, plain: plains }
}

async function expectSame(app: App, organizationId: string, request: Request): Promise<void> {
  const { items } = await find(app, organizationId, request)
  const rows = await plainly(app, organizationId, request)
  const ids = rows.slice(0, limitOf(request)).map(({ id }) => id)
  if (items.map(({ id }) => id).join() === ids.join()) return
  throw new Error(`The plain query finds something else: ${JSON.stringify(request.given)}`)
}

function limitOf(request: Request): number {
  return request.kind === 'list' ? request.query.limit : request.body.limit
}

/** What is found must be told too, plainly. */
async function plainly(
  { database }: App,
  organizationId: string,
  request: Request,
): Promise<{ id: string }[]> {
  const plain =
    request.kind === 'list'
      ? plainOfList(request.query, request.offset)
      : plainOfSearch(request.body)
  const rows = await plainPage(database, organizationId, plain)
  return rows.map(plainItem)
}
