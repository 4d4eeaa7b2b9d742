import type { EngineName } from '../src/db/database.ts'
import type { Case } from './find-cases.ts'
import type { Throughput } from './find-http.ts'
import type { Measured } from './find-latency.ts'

/** Two measurements of the same are not the same. */
const NOISE = 1.1
const LOOP_GOAL_MS = 20

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
  'goal of p95',
  'plain median',
  'plain p95',
  '× plain',
  'requests/s',
  '× bare',
  '× bare by CPU time',
]

export function rowOf(result: Result): string[] {
  const { engine, records, case: one, own, plain, http } = result
  const goalMs = goalMsOf(result)
  return [
    engine,
    String(records),
    one.name,
    ms(own.medianMs),
    ms(own.p95Ms),
    ms(own.p99Ms),
    goalMs === null ? '' : `≤ ${goalMs}: ${own.p95Ms <= goalMs ? 'holds' : 'FAILS'}`,
    ms(plain.medianMs),
    ms(plain.p95Ms),
    comparedTo(result),
    http?.perSecond.toFixed(0) ?? '',
    shareOf(result),
    http?.cpuShare.toFixed(2) ?? '',
  ]
}

/** The goals are for SQLite. */
function goalMsOf({ engine, case: one }: Result): number | null {
  return engine === 'sqlite' ? one.goalMs : null
}

function comparedTo({ own, plain }: Result): string {
  const ratio = plain.meanMs / own.meanMs
  return ratio * NOISE < 1 ? `${ratio.toFixed(2)}: SLOWER` : ratio.toFixed(ratio < 10 ? 1 : 0)
}

function shareOf({ case: one, http }: Result): string {
  if (http === undefined) return ''
  const wanted = one.http?.share ?? null
  const share = http.share.toFixed(2)
  if (wanted === null) return share
  return `${share} (goal ${wanted}: ${http.share >= wanted ? 'holds' : 'FAILS'})`
}

function ms(value: number): string {
  return value < 10 ? value.toFixed(2) : value.toFixed(0)
}

/** The goal is by the clock. The other two figures tell how much of it the machine's other work is. */
export function loopLine(results: readonly Result[]): string {
  const worst = results.toSorted((a, b) => b.own.loop.blockedMs - a.own.loop.blockedMs)[0]
  if (worst === undefined) return ''
  const { engine, records, case: one } = worst
  const { blockedMs } = worst.own.loop
  const workedMs = Math.max(...results.map(({ own }) => own.loop.workedMs))
  const plainMs = Math.max(...results.map(({ plain }) => plain.loop.blockedMs))
  const verdict = blockedMs <= LOOP_GOAL_MS ? 'holds' : 'FAILS'
  return (
    `The event loop was blocked for at most ${ms(blockedMs)} ms ` +
    `(goal ${LOOP_GOAL_MS}: ${verdict}; by "${one.name}", ${records} on ${engine}). ` +
    `Its own processor time between two turns was at most ${ms(workedMs)} ms; ` +
    `while plain queries ran it was blocked for at most ${ms(plainMs)} ms.`
  )
}
