import { expect, test } from 'vitest'
import { afterStep, nextEffort, NO_EFFORT, stepSize } from './effort.ts'

const tried = (distance: number, elapsedMs: number) => afterStep(NO_EFFORT, distance, elapsedMs)

test.each([
  { efforts: [NO_EFFORT, NO_EFFORT], next: 0 },
  { efforts: [tried(1, 1), NO_EFFORT], next: 1 },
  { efforts: [tried(100, 1), tried(50, 1)], next: 0 },
  { efforts: [tried(100, 4), tried(50, 1)], next: 1 },
  { efforts: [tried(0, 1), tried(1, 0)], next: 1 },
])('of $efforts it is number $next that goes on', ({ efforts, next }) => {
  const ways = efforts.map((effort) => ({ effort, isShortList: false }))

  expect(nextEffort(ways)).toBe(ways[next])
})

test('only the last step counts', () => {
  const slowAtFirst = { effort: afterStep(tried(1, 100), 100, 1), isShortList: false }
  const fastAtFirst = { effort: afterStep(tried(100, 1), 1, 100), isShortList: false }

  expect(nextEffort([fastAtFirst, slowAtFirst])).toBe(slowAtFirst)
})

test('a short list is never left behind for long', () => {
  const list = { effort: tried(1, 10), isShortList: true }
  const walkFor = (elapsedMs: number) => ({
    effort: tried(1_000 * elapsedMs, elapsedMs),
    isShortList: false,
  })
  const [short, long] = [walkFor(40), walkFor(41)]

  expect(nextEffort([short, list])).toBe(short)
  expect(nextEffort([long, list])).toBe(list)
})

test('steps grow, up to a limit', () => {
  const sizes = [0, 1, 2, 3].map((steps) =>
    stepSize({ ...NO_EFFORT, steps }, { first: 100, most: 2_000 }),
  )

  expect(sizes).toEqual([100, 400, 1_600, 2_000])
})
