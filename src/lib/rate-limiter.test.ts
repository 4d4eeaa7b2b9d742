import { expect, test } from 'vitest'
import { RateLimiter } from './rate-limiter.ts'

const THREE_A_MINUTE = { limit: 3, windowMs: 60_000 }

test('allows the limit, then refuses until the window ends', () => {
  const limiter = new RateLimiter(THREE_A_MINUTE)

  const decisions = [0, 10, 20, 30, 59_999, 60_000].map((now) => limiter.take('a', now))

  expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, true, false, false, true])
  expect(decisions.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0, 0, 2])
})

test('says in whole seconds, at least one, when the window ends', () => {
  const limiter = new RateLimiter(THREE_A_MINUTE)

  const decisions = [0, 500, 59_999].map((now) => limiter.take('a', now))

  expect(decisions.map(({ resetSeconds }) => resetSeconds)).toEqual([60, 60, 1])
})

test('counts each name for itself', () => {
  const limiter = new RateLimiter({ limit: 1, windowMs: 1_000 })

  expect(limiter.take('a', 0).allowed).toBe(true)
  expect(limiter.take('b', 0).allowed).toBe(true)
  expect(limiter.take('a', 0).allowed).toBe(false)
})

test('a use that is given back does not count', () => {
  const limiter = new RateLimiter({ limit: 1, windowMs: 1_000 })

  limiter.take('a', 0)
  limiter.giveBack('a', 0)

  expect(limiter.take('a', 0).allowed).toBe(true)
  expect(limiter.take('a', 0).allowed).toBe(false)
})
