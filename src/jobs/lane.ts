// What one webhook has of a sender: so many attempts under way at a time, at such a pace, and a few
// deliveries at hand, so that the next one leaves when the last one ends, without asking the database.
// `now` is the time of day, `at` that of the clock that never jumps.

import type { Claimed } from '../events/delivery.ts'
import type { Material } from '../events/material-store.ts'
import { available, freshPace, spend, type Pace, type PaceState } from '../lib/pace.ts'

/** A delivery that is claimed and can be sent. */
export interface Ready {
  claimed: Claimed
  material: Material
  /** When it was claimed. */
  since: number
}

export interface LaneLimits {
  concurrency: number
  /** Null when it is not limited. */
  pace: Pace | null
}

/** At hand is half as much as was sent within this time. */
const WINDOW_MS = 250
const AT_HAND_MAX = 1_000
/** What has waited for longer is claimed again first: its webhook may have been disabled meanwhile. */
const STALE_MS = 250

export class Lane {
  readonly #limits: LaneLimits
  readonly #atHand: Ready[] = []
  #underWay = 0
  #pace: PaceState | null
  #windowAt: number
  #ends = 0
  #endsBefore = 0

  constructor(limits: LaneLimits, now: number, at: number) {
    this.#limits = limits
    this.#pace = limits.pace === null ? null : freshPace(limits.pace, now)
    this.#windowAt = at
  }

  get underWay(): number {
    return this.#underWay
  }

  /** How many more are to be claimed: none, or enough to be worth the while. */
  wanted(now: number, at: number): number {
    const { concurrency, pace } = this.#limits
    const room = concurrency + this.#ahead(at) - this.#underWay - this.#atHand.length
    if (room < concurrency / 2) return 0
    if (pace === null || this.#pace === null) return room
    return Math.min(room, available(this.#pace, pace, now))
  }

  /** Whether it can go on only after the database was asked. */
  needsHelp(now: number, at: number): boolean {
    return this.#isStale(at) || this.wanted(now, at) > 0
  }

  add(ready: Ready, now: number): void {
    this.#atHand.push(ready)
    const { pace } = this.#limits
    if (pace !== null && this.#pace !== null) this.#pace = spend(this.#pace, pace, now)
  }

  /** The next to be sent; undefined when there is none, or as many are under way as may be. */
  begin(at: number): Ready | undefined {
    if (this.#underWay >= this.#limits.concurrency || this.#isStale(at)) return undefined
    const next = this.#atHand.shift()
    if (next !== undefined) this.#underWay += 1
    return next
  }

  end(at: number): void {
    this.#roll(at)
    this.#underWay -= 1
    this.#ends += 1
  }

  /** Takes out what has waited for too long. */
  takeStale(at: number): Ready[] {
    return this.#isStale(at) ? this.takeAll() : []
  }

  #isStale(at: number): boolean {
    const [first] = this.#atHand
    return first !== undefined && at - first.since >= STALE_MS
  }

  takeAll(): Ready[] {
    return this.#atHand.splice(0)
  }

  /** Whether it remembers nothing that a new one would not know. */
  isFresh(now: number, at: number): boolean {
    const isIdle = this.#underWay === 0 && this.#atHand.length === 0 && this.#ahead(at) === 0
    const { pace } = this.#limits
    return (
      isIdle &&
      (pace === null || this.#pace === null || available(this.#pace, pace, now) === pace.burst)
    )
  }

  #ahead(at: number): number {
    this.#roll(at)
    return Math.min(AT_HAND_MAX, Math.ceil(Math.max(this.#ends, this.#endsBefore) / 2))
  }

  #roll(at: number): void {
    const passed = at - this.#windowAt
    if (passed < WINDOW_MS) return
    this.#endsBefore = passed < 2 * WINDOW_MS ? this.#ends : 0
    this.#ends = 0
    this.#windowAt = at
  }
}
