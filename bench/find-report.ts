import type { EngineName } from '../src/db/database.ts'
import type { Case } from './find-cases.ts'
import type { Throughput } from './find-http.ts'
import type { Measured } from './find-latency.ts'

/** Two measurements of the same are not the same. */
const NOISE = 1.1
const BLOCKED_GOAL_MS = 20

export interface Result {
  engine: EngineName
  records: number
  case: Case
  own: Measured
  plain: Measured
  http?: Throughput | undefined
}

export const HEAD = [
  'engine',
  'records',
  'case',
  'median',
  'p95',
  'p99',
  'goal p95',
  'plain median',
  'plain p95',
  '× plain',
  'requests/s',
  '× bare',
  'by CPU time',
  'fails',
]

export function rowOf(result: Result): string[] {
  const { engine, records, case: one, own, plain, http } = result
  return [
    engine,
    String(records),
    one.name,
    ms(own.medianMs),
    ms(own.p95Ms),
    ms(own.p99Ms),
    one.goalMs === null ? '' : `≤ ${one.goalMs}`,
    ms(plain.medianMs),
    ms(plain.p95Ms),
    (plain.medianMs / own.medianMs).toFixed(1),
    http?.perSecond.toFixed(0) ?? '',
    http === undefined ? '' : `${http.share.toFixed(2)}${goalOf(one)}`,
    http?.cpuShare.toFixed(2) ?? '',
    failuresOf(result).join(', '),
  ]
}

function goalOf({ http }: Case): string {
  return http === undefined || http.share === null ? '' : ` (goal ${http.share})`
}

function failuresOf({ case: one, own, plain, http }: Result): string[] {
  const isLate = one.goalMs !== null && own.p95Ms > one.goalMs
  const isSlower = own.medianMs > plain.medianMs * NOISE
  const wanted = one.http?.share ?? null
  const isBusy = wanted !== null && http !== undefined && http.share < wanted
  return [
    ...(isLate ? ['p95'] : []),
    ...(isSlower ? ['slower than plain'] : []),
    ...(isBusy ? ['requests/s'] : []),
  ]
}

function ms(value: number): string {
  return value < 10 ? value.toFixed(2) : value.toFixed(0)
}

/** While plain queries run, the program itself does next to nothing: then it is the machine. */
export function blockedLine(results: readonly Result[]): string {
  const worst = results.toSorted((a, b) => b.own.blockedMs - a.own.blockedMs)[0]
  if (worst === undefined) return ''
  const { engine, records, case: one, own } = worst
  const plainMs = Math.max(...results.map(({ plain }) => plain.blockedMs))
  const verdict = own.blockedMs <= BLOCKED_GOAL_MS ? 'holds' : 'FAILS'
  return (
    `Event loop blocked for at most ${ms(own.blockedMs)} ms (goal ${BLOCKED_GOAL_MS}: ${verdict}), ` +
    `by "${one.name}" of ${records} on ${engine}; beside plain queries ${ms(plainMs)} ms.`
  )
}
