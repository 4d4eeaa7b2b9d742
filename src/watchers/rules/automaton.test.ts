import { expect, test } from 'vitest'
import { buildAutomaton, scan } from './automaton.ts'

function hits(patterns: readonly string[], text: string): string[] {
  const sorted = patterns.toSorted()
  const found: string[] = []
  scan(buildAutomaton(sorted), text, (pattern, last) => found.push(`${sorted[pattern]}@${last}`))
  return found
}

test('finds every occurrence, overlapping and nested, the longest first', () => {
  expect(hits(['he', 'she', 'his', 'hers'], 'ushers his')).toEqual([
    'she@3',
    'he@3',
    'hers@5',
    'his@9',
  ])
  expect(hits(['a', 'aa', 'aaa'], 'aaa')).toEqual(['a@0', 'aa@1', 'a@1', 'aaa@2', 'aa@2', 'a@2'])
})

test('a run of white space is one blank', () => {
  expect(hits(['a b'], 'a \n\t\u3000b a  b ab')).toEqual(['a b@5', 'a b@10'])
})

test('what no pattern has in it parts what is around it', () => {
  expect(hits(['ab'], 'a-b a漢b ab')).toEqual(['ab@9'])
})

test('no pattern finds nothing', () => {
  expect(hits([], 'abc')).toEqual([])
})

test('units of many pages, halves of pairs included', () => {
  expect(hits(['漢字', '😀', 'é', '𐐀'], 'x漢字😀é')).toEqual(['漢字@2', '😀@4', 'é@5'])
})

test('finds each of thousands of patterns', () => {
  const patterns = Array.from({ length: 5_000 }, (_, index) => `<${(index * 7_919).toString(36)}>`)

  expect(hits(patterns, patterns.join(' '))).toHaveLength(5_000)
})
