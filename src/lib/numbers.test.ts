import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gramsOfPart, gramsOfPiece, numberOf, pieceOf, piecesOf, seedOf } from './numbers.ts'

const seed = seedOf('org_1')
const LONG = Array.from({ length: 1_000 }, (_, index) => String.fromCodePoint(0x4e00 + index))

describe('pieces', () => {
  test('a word is one piece between two spaces', () => {
    expect(piecesOf('word')).toEqual([' word '])
  })

  test('of a long word every part is in a piece, whatever its characters are', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 900 }),
        fc.nat(899),
        fc.integer({ min: 1, max: 400 }),
        (word, from, length) => {
          const padded = Array.from(` ${word} `)
          const part = padded
            .slice(from % padded.length)
            .slice(0, length)
            .join('')
          expect(piecesOf(word).some((piece) => piece.includes(pieceOf(part)))).toBe(true)
        },
      ),
    )
  })

  test('there are as few of them as that takes', () => {
    expect(piecesOf(LONG.join(''))).toHaveLength(10)
    expect(piecesOf(LONG.slice(0, 198).join(''))).toHaveLength(1)
    expect(piecesOf(LONG.slice(0, 199).join(''))).toHaveLength(2)
  })
})

describe('grams', () => {
  test.each(['c', 'ca', 'cat', ' cat', 'cat ', 'ü', '😀a', '日本語'])(
    'a piece that contains %j has all of its grams',
    (part) => {
      const grams = new Set(
        gramsOfPiece(` con${part.trim()} `, seed).concat(gramsOfPiece(` ${part.trim()} `, seed)),
      )

      expect(gramsOfPart(part, seed).length).toBeGreaterThan(0)
      expect(gramsOfPart(part, seed).every((gram) => grams.has(gram))).toBe(true)
    },
  )

  test('other parts have others, in whatever order their characters are', () => {
    const all = ['cat', 'act', 'tac', 'cta', 'ca', 'ac', 'c', 'a'].flatMap((part) =>
      gramsOfPart(part, seed),
    )

    expect(new Set(all).size).toBe(8)
  })
})

test('each organization has its own numbers', () => {
  expect(numberOf(' cat ', seedOf('org_2'))).not.toBe(numberOf(' cat ', seed))
  expect(gramsOfPart('cat', seedOf('org_2'))).not.toEqual(gramsOfPart('cat', seed))
})

test('they are what PostgreSQL calls an integer', () => {
  const numbers = [numberOf('日本語 😀', seed), ...gramsOfPiece('Anything: 日本語 😀', seed)]
  for (const number of numbers) expect(number).toBe(number | 0)
})
