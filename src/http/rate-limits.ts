import type { FastifyReply } from 'fastify'
import { AppError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { minutes } from '../lib/duration.ts'
import { RateLimiter } from '../lib/rate-limiter.ts'

/** Counts a request against `name`, says so in the headers, and refuses it beyond the limit. */
export type LimitRequests = (reply: FastifyReply, name: string) => void

export function limitRequests(ratePerMinute: number, clock: Clock): LimitRequests {
  if (ratePerMinute === 0) return () => {}

  const limiter = new RateLimiter({ limit: ratePerMinute, windowMs: minutes(1) })
  return (reply, name) => {
    const { allowed, limit, remaining, resetSeconds } = limiter.take(name, clock())
    reply.header('ratelimit-limit', limit)
    reply.header('ratelimit-remaining', remaining)
    reply.header('ratelimit-reset', resetSeconds)
    if (!allowed) throw tooMany(resetSeconds)
  }
}

export function tooMany(resetSeconds: number): AppError {
  return new AppError('RATE_LIMITED', `Too many requests. Try again in ${resetSeconds} s.`, {
    headers: { 'retry-after': String(resetSeconds) },
  })
}
