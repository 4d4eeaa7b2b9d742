import { describe, expect, test } from 'vitest'
import { days, hours, minutes, seconds } from '../lib/duration.ts'
import { pacer, worldClock } from './pace.ts'

describe('the pacer', () => {
  test('hands out the rate, however often it is asked', () => {
    const due = pacer(30, 1_000)

    const counts = [0, 1, 2, 3, 4, 10, 60].map((elapsed) => due(1_000 + seconds(elapsed)))

    expect(counts).toEqual([0, 0, 1, 0, 1, 3, 25])
  })

  test('does not make up for a long pause', () => {
    const due = pacer(600, 0)

    expect(due(hours(8))).toBe(1_000)
    expect(due(hours(8) + minutes(1))).toBe(600)
  })

  test('hands out nothing at the rate of 0', () => {
    expect(pacer(0, 0)(days(1))).toBe(0)
  })
})

describe('the world’s clock', () => {
  test('is the real one without a speed', () => {
    expect(worldClock(() => 5, undefined)()).toBe(5)
  })

  test('starts a day back, runs faster, and then keeps real time', () => {
    let now = days(10)
    const clock = worldClock(() => now, 721)

    const start = clock()
    now += minutes(1)
    const later = clock()
    now += minutes(2)

    expect(start).toBe(days(9))
    expect(later - start).toBe(minutes(721))
    expect(clock()).toBe(now)
  })
})
