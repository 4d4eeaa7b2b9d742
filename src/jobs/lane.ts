// What one webhook has of a sender: so many attempts under way at a time, at such a pace, and a few
// deliveries at hand, so that the next one leaves when the last one ends, without asking the database.

import type { Claimed } from '../events/delivery.ts'
import type { Material } from '../events/sending-store.ts'
import { available, freshPace, spend, type Pace, type PaceState } from '../lib/pace.ts'

/** A delivery that is claimed and can be sent. */
export interface Ready {
  claimed: Claimed
  material: Material
  since: number
}

export interface LaneLimits {
  concurrency: number
  /** Null when it is not limited. */
  pace: Pace | null
}

/** What is at hand is what was sent within this time: a webhook that is disabled meanwhile gets no more. */
const WINDOW_MS = 250
const AT_HAND_MAX = 500
/** A receiver that was fast may hang all of a sudden: then others may have what waits for it. */
const STALE_MS = 1_000

export class Lane {
  readonly #limits: LaneLimits
  readonly #atHand: Ready[] = []
  #underWay = 0
  #pace: PaceState | null
  #windowAt: number
  #ends = 0
  #endsBefore = 0

  constructor(limits: LaneLimits, now: number) {
    this.#limits = limits
    this.#pace = limits.pace === null ? null : freshPace(limits.pace, now)
    this.#windowAt = now
  }

  get underWay(): number {
    return this.#underWay
  }

  /** How many more are to be claimed: none, or enough to be worth the while. */
  wanted(now: number): number {
    const { concurrency, pace } = this.#limits
    const room = concurrency + this.#ahead(now) - this.#underWay - this.#atHand.length
    if (room < concurrency / 2) return 0
    if (pace === null || this.#pace === null) return room
    return Math.min(room, available(this.#pace, pace, now))
  }

  add(ready: Ready): void {
    this.#atHand.push(ready)
    const { pace } = this.#limits
    if (pace !== null && this.#pace !== null) this.#pace = spend(this.#pace, pace, ready.since)
  }

  /** The next to be sent; undefined when there is none, or as many are under way as may be. */
  begin(): Ready | undefined {
    if (this.#underWay >= this.#limits.concurrency) return undefined
    const next = this.#atHand.shift()
    if (next !== undefined) this.#underWay += 1
    return next
  }

  end(now: number): void {
    this.#roll(now)
    this.#underWay -= 1
    this.#ends += 1
  }

  /** Takes out what has waited for too long. */
  takeStale(now: number): Ready[] {
    const [first] = this.#atHand
    return first !== undefined && now - first.since >= STALE_MS ? this.takeAll() : []
  }

  takeAll(): Ready[] {
    return this.#atHand.splice(0)
  }

  /** Whether it remembers nothing that a new one would not know. */
  isFresh(now: number): boolean {
    const isIdle = this.#underWay === 0 && this.#atHand.length === 0 && this.#ahead(now) === 0
    const { pace } = this.#limits
    return (
      isIdle &&
      (pace === null || this.#pace === null || available(this.#pace, pace, now) === pace.burst)
    )
  }

  #ahead(now: number): number {
    this.#roll(now)
    return Math.min(AT_HAND_MAX, Math.max(this.#ends, this.#endsBefore))
  }

  #roll(now: number): void {
    const passed = now - this.#windowAt
    if (passed < WINDOW_MS) return
    this.#endsBefore = passed < 2 * WINDOW_MS ? this.#ends : 0
    this.#ends = 0
    this.#windowAt = now
  }
}
