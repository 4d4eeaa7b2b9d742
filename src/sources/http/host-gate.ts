import type { Clock } from '../../lib/clock.ts'
import { seconds } from '../../lib/duration.ts'
import { SourceError } from '../source.ts'
import { closedMs } from './host-wishes.ts'
import { closedFor, freshPace, spend, waitMs, type Pace, type PaceState } from '../../lib/pace.ts'
import { pause } from './pause.ts'
import { Slots } from './slots.ts'

/** Whoever would have to wait longer is told so instead of being held. */
const LONGEST_HOLD_MS = seconds(30)

export interface GateTerms extends Pace {
  /** How the platform is called in messages. */
  name: string
  concurrency: number
  clock: Clock
}

/** What every request to one host passes: so many at once, so many a minute, none when it is closed. */
export class HostGate {
  readonly #terms: GateTerms
  readonly #slots: Slots
  #state: PaceState

  constructor(terms: GateTerms) {
    this.#terms = terms
    this.#slots = new Slots(terms.concurrency)
    this.#state = freshPace(terms, terms.clock())
  }

  async pass<Result>(signal: AbortSignal, request: () => Promise<Result>): Promise<Result> {
    await this.#slots.take(signal)
    try {
      await this.#waitForTurn(signal)
      return await request()
    } finally {
      this.#slots.giveBack()
    }
  }

  /** Every answer may close the gate for a while. */
  heed(status: number, headers: Record<string, string>): void {
    const now = this.#terms.clock()
    const ms = closedMs(status, headers, now)
    if (ms > 0) this.#state = closedFor(this.#state, ms, now)
  }

  async #waitForTurn(signal: AbortSignal): Promise<void> {
    const { clock, name } = this.#terms
    for (;;) {
      const ms = waitMs(this.#state, this.#terms, clock())
      if (ms <= 0) break
      if (ms > LONGEST_HOLD_MS) throw busy(name, ms)
      await pause(ms, signal)
    }
    this.#state = spend(this.#state, this.#terms, clock())
  }
}

function busy(name: string, ms: number): SourceError {
  const message = `The ${name} takes no more requests for ${Math.ceil(ms / 1_000)} s.`
  return new SourceError('throttled', message, { retryAfterMs: ms })
}
