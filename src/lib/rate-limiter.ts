// A fixed window per name. It answers synchronously, because it runs in the hook that every API
// request passes; counts are per process and are gone with it, which only ever errs on the side of
// letting a caller through.

import { BoundedMap } from './bounded-map.ts'

export interface RateLimit {
  limit: number
  windowMs: number
}

export interface RateDecision {
  allowed: boolean
  limit: number
  remaining: number
  /** Whole seconds until the window ends; at least 1, so that it can stand in `Retry-After`. */
  resetSeconds: number
}

interface Window {
  endsAt: number
  used: number
}

/** Enough for every key in use at once; beyond it the oldest window is forgotten. */
const WINDOWS_KEPT = 100_000

export class RateLimiter {
  readonly #windows = new BoundedMap<string, Window>(WINDOWS_KEPT)
  readonly #rate: RateLimit

  constructor(rate: RateLimit) {
    this.#rate = rate
  }

  /** Counts one use of `name`. */
  take(name: string, now: number): RateDecision {
    const window = this.#windowOf(name, now)
    window.used += 1
    const { limit } = this.#rate
    return {
      allowed: window.used <= limit,
      limit,
      remaining: Math.max(0, limit - window.used),
      resetSeconds: Math.ceil((window.endsAt - now) / 1_000),
    }
  }

  /** Takes back one use that turned out not to count. */
  giveBack(name: string, now: number): void {
    const window = this.#windowOf(name, now)
    window.used = Math.max(0, window.used - 1)
  }

  #windowOf(name: string, now: number): Window {
    const current = this.#windows.get(name)
    if (current !== undefined && current.endsAt > now) return current

    const fresh = { endsAt: now + this.#rate.windowMs, used: 0 }
    this.#windows.set(name, fresh)
    return fresh
  }
}
