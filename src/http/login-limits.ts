import type { Clock } from '../lib/clock.ts'
import { minutes } from '../lib/duration.ts'
import { RateLimiter } from '../lib/rate-limiter.ts'
import { tooMany } from './rate-limits.ts'

/** Many people may share an address, so it gets more than one e-mail does. */
const ADDRESS_FACTOR = 10
const WINDOW_MS = minutes(15)

export interface LoginLimits {
  /** Counts an attempt before any password is looked at, so that many at once are counted too. */
  begin(address: string, account: string): void
  /** Takes the attempt back: whoever knows their password is never locked out by their own use. */
  succeed(address: string, account: string): void
}

export function loginLimits(attempts: number, clock: Clock): LoginLimits {
  if (attempts === 0) return { begin: () => {}, succeed: () => {} }

  const accounts = new RateLimiter({ limit: attempts, windowMs: WINDOW_MS })
  const addresses = new RateLimiter({ limit: attempts * ADDRESS_FACTOR, windowMs: WINDOW_MS })
  return {
    begin(address, account) {
      // The address first: what it may no longer try costs nobody's account an attempt.
      const byAddress = addresses.take(address, clock())
      if (!byAddress.allowed) throw tooMany(byAddress.resetSeconds)
      const byAccount = accounts.take(account, clock())
      if (!byAccount.allowed) throw tooMany(byAccount.resetSeconds)
    },
    succeed(address, account) {
      accounts.giveBack(account, clock())
      addresses.giveBack(address, clock())
    },
  }
}
