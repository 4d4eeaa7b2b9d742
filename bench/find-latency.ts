import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Below } from './random.ts'
import { median } from './table.ts'

const NS_PER_MS = 1e6
const US_PER_MS = 1_000
const WARM_UP_MS = 500

export interface Measured {
  medianMs: number
  p95Ms: number
  p99Ms: number
  /** Of the medians of its examples: they differ, and a median of all would be one of them. */
  meanMs: number
  runs: number
  loop: LoopFigures
}

/** The longest time in which nothing else in this process got its turn. */
interface LoopFigures {
  /** By the clock: on a machine that does other things too, these are in it. */
  blockedMs: number
  /** Processor time that this thread used in between. */
  workedMs: number
}

export interface RunTerms {
  /** Of all examples together. */
  most: number
  /** Of each example, however long it takes. */
  least: number
  /** After this long only the least number of runs is made. */
  enoughMs: number
}

/** All examples over and over in shuffled order, one at a time, after a while of the same. */
export async function measure<Example>(
  examples: readonly Example[],
  run: (example: Example) => Promise<unknown>,
  { terms, below }: { terms: RunTerms; below: Below },
): Promise<Measured> {
  await warmUp(examples, run)
  const latencies: number[] = []
  const byExample = new Map<Example, number[]>(examples.map((example) => [example, []]))
  const endWatch = watchLoop()
  const begun = performance.now()
  for (let lap = 0; latencies.length < terms.most; lap += 1) {
    if (lap >= terms.least && performance.now() - begun > terms.enoughMs) break
    for (const example of shuffled(examples, below)) {
      const before = performance.now()
      await run(example)
      const latency = performance.now() - before
      latencies.push(latency)
      byExample.get(example)?.push(latency)
    }
  }
  const loop = endWatch()
  const sorted = latencies.sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
  return {
    medianMs: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
    meanMs: mean([...byExample.values()].map(median)),
    runs: sorted.length,
    loop,
  }
}

/** Each once and then until the program is compiled for it, as it is in a server that has been running. */
async function warmUp<Example>(
  examples: readonly Example[],
  run: (example: Example) => Promise<unknown>,
): Promise<void> {
  const begun = performance.now()
  do {
    for (const example of examples) await run(example)
  } while (performance.now() - begun < WARM_UP_MS)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function watchLoop(): () => LoopFigures {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  let workedMs = 0
  let before = process.threadCpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before)
    workedMs = Math.max(workedMs, (user + system) / US_PER_MS)
    before = process.threadCpuUsage()
  }, 1)
  return () => {
    clearInterval(timer)
    delay.disable()
    return { blockedMs: delay.max / NS_PER_MS, workedMs }
  }
}

function shuffled<Item>(items: readonly Item[], below: Below): Item[] {
  return items
    .map((item) => ({ item, place: below(2 ** 30) }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}
