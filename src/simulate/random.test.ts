import { expect, test } from 'vitest'
import { between, pick, seededRandom } from './random.ts'

test('one seed gives one sequence, another seed another', () => {
  const draw = (seed: number) => Array.from({ length: 5 }, seededRandom(seed))

  expect(draw(7)).toEqual(draw(7))
  expect(draw(7)).not.toEqual(draw(8))
})

test('stays from 0 to below 1 and spreads evenly', () => {
  const draws = Array.from({ length: 10_000 }, seededRandom(1))

  expect(draws.every((draw) => draw >= 0 && draw < 1)).toBe(true)
  expect(draws.filter((draw) => draw < 0.25).length).toBeGreaterThan(2_300)
  expect(draws.filter((draw) => draw < 0.25).length).toBeLessThan(2_700)
})

test('between reaches both ends, pick every value', () => {
  const random = seededRandom(3)

  const numbers = new Set(Array.from({ length: 200 }, () => between(random, 4, 6)))
  const values = new Set(Array.from({ length: 200 }, () => pick(random, ['a', 'b'])))

  expect([...numbers].sort()).toEqual([4, 5, 6])
  expect([...values].sort()).toEqual(['a', 'b'])
})
