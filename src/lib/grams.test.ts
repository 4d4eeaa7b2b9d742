import { expect, test } from 'vitest'
import { gramSeed, gramsOf, gramsOfText } from './grams.ts'

const seed = gramSeed('org_1')

test.each(['cat', 'the cat', 'ß ü', '😀 a', '日本語', '%_*'])(
  'a text that contains %s has all of its grams',
  (term) => {
    const grams = new Set(gramsOfText(`before ${term} behind`, seed))

    expect(gramsOf(term, seed).length).toBeGreaterThan(0)
    expect(gramsOf(term, seed).every((gram) => grams.has(gram))).toBe(true)
  },
)

test('other texts have others, in whatever order their characters are', () => {
  const all = ['cat', 'act', 'tac', 'cta', 'caT'].flatMap((text) => gramsOf(text, seed))

  expect(new Set(all).size).toBe(5)
})

test('each organization has its own', () => {
  expect(gramsOf('cat', gramSeed('org_2'))).not.toEqual(gramsOf('cat', seed))
})

test.each(['', 'a', 'ab', '😀', '😀a'])('%j is too short to have any', (text) => {
  expect(gramsOf(text, seed)).toEqual([])
})

test('they are what PostgreSQL calls an integer', () => {
  for (const gram of gramsOfText('Anything: 日本語 😀', seed)) expect(gram).toBe(gram | 0)
})
