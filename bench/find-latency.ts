import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Below } from './random.ts'
import { median } from './table.ts'

const NS_PER_MS = 1e6
const US_PER_MS = 1_000
const WARM_UP_MS = 500
const TURN_MS = 100

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

interface RunTerms {
  /** Of all examples together. */
  most: number
  /** Of each example, however long it takes. */
  least: number
  /** After this long only the least number of runs is made. */
  enoughMs: number
}

export interface Runner<Example> {
  run(example: Example): Promise<unknown>
  terms: RunTerms
}

/**
 * All examples over and over in shuffled order, one at a time, after a while of the same. The runners
 * take short turns, so that a machine that is slower for a while is so for all of them.
 */
export async function measure<Example>(
  examples: readonly Example[],
  runners: readonly Runner<Example>[],
  below: Below,
): Promise<Measured[]> {
  for (const { run } of runners) await warmUp(examples, run)
  const tallies = runners.map((runner) => new Tally(runner, examples))
  while (tallies.some((tally) => tally.wantsMore)) {
    for (const tally of tallies) await tally.takeTurn(below)
  }
  return tallies.map((tally) => tally.measured())
}

class Tally<Example> {
  readonly #runner: Runner<Example>
  readonly #examples: readonly Example[]
  readonly #latencies: number[] = []
  readonly #byExample: Map<Example, number[]>
  readonly #loop: LoopFigures = { blockedMs: 0, workedMs: 0 }
  #laps = 0
  #spentMs = 0

  constructor(runner: Runner<Example>, examples: readonly Example[]) {
    this.#runner = runner
    this.#examples = examples
    this.#byExample = new Map(examples.map((example) => [example, []]))
  }

  get wantsMore(): boolean {
    const { most, least, enoughMs } = this.#runner.terms
    if (this.#latencies.length >= most) return false
    return this.#laps < least || this.#spentMs <= enoughMs
  }

  async takeTurn(below: Below): Promise<void> {
    const endWatch = watchLoop()
    const endAt = performance.now() + TURN_MS
    while (this.wantsMore && performance.now() < endAt) {
      for (const example of shuffled(this.#examples, below)) await this.#run(example)
      this.#laps += 1
    }
    const { blockedMs, workedMs } = endWatch()
    this.#loop.blockedMs = Math.max(this.#loop.blockedMs, blockedMs)
    this.#loop.workedMs = Math.max(this.#loop.workedMs, workedMs)
  }

  async #run(example: Example): Promise<void> {
    const before = performance.now()
    await this.#runner.run(example)
    const latency = performance.now() - before
    this.#spentMs += latency
    this.#latencies.push(latency)
    this.#byExample.get(example)?.push(latency)
  }

  measured(): Measured {
    const sorted = this.#latencies.toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
    return {
      medianMs: at(0.5),
      p95Ms: at(0.95),
      p99Ms: at(0.99),
      meanMs: mean([...this.#byExample.values()].map(median)),
      runs: sorted.length,
      loop: this.#loop,
    }
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
