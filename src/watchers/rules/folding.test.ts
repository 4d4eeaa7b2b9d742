import { RE2JS } from 're2js'
import { expect, test } from 'vitest'
import { foldedLower, originalOffset } from './folding.ts'

const folded = (text: string) => foldedLower(text.toLowerCase())

const CASED = Array.from({ length: 0x1_e944 }, (_, code) => String.fromCodePoint(code)).filter(
  (letter) => /\p{Changes_When_Casemapped}/u.test(letter),
)

test('letters that are one to a regular expression are one when folded', () => {
  const byFold = Map.groupBy(CASED, folded)
  // A class of all letters that fold otherwise must not match any that folds like these.
  const strays = [...byFold].filter(([fold, letters]) => {
    const regex = RE2JS.compile(`[${letters.join('')}]`, RE2JS.CASE_INSENSITIVE)
    return oddOnes(fold).some((letter) => regex.test(letter))
  })

  expect(strays).toEqual([])
})

/** Letters that have more than one other case, the only ones that could be missed. */
const ODD = CASED.filter((letter) => {
  const cases = new Set([letter, letter.toLowerCase(), letter.toUpperCase()])
  return letter.toLowerCase() === letter && [...cases].some((one) => folded(one) !== letter)
})

function oddOnes(fold: string): string[] {
  return ODD.filter((letter) => folded(letter) !== fold)
}

test('only İ changes the length of a text', () => {
  const changing = CASED.filter((letter) => folded(letter).length !== letter.length)

  expect(changing).toEqual(['İ'])
})

test.each([
  ['abc', 1, 1],
  ['İabc', 0, 0],
  ['İabc', 1, 0],
  ['İabc', 2, 1],
  ['aİ😀İb', 4, 3],
  ['aİ😀İb', 7, 5],
])('in %j offset %i is %i of the original', (original, offset, expected) => {
  expect(originalOffset(original, offset)).toBe(expected)
})
