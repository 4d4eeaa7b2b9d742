import { expect, test } from 'vitest'
import { numericTest } from './search-numbers.ts'

const NUMBERS = { created_at_i: 100, points: 5, num_comments: 0 }

test.each([
  { expression: '', matches: true },
  { expression: 'created_at_i>99', matches: true },
  { expression: 'created_at_i>100', matches: false },
  { expression: 'created_at_i>=100', matches: true },
  { expression: 'created_at_i<100', matches: false },
  { expression: 'created_at_i<=100', matches: true },
  { expression: 'points=5, num_comments!=1', matches: true },
  { expression: 'created_at_i>99,points>5', matches: false },
])('“$expression”: $matches', ({ expression, matches }) => {
  expect(numericTest(expression)?.(NUMBERS)).toBe(matches)
})

test.each(['created_at_i', 'karma>3', 'points>many', 'points><3'])('refuses “%s”', (expression) => {
  expect(numericTest(expression)).toBeNull()
})
