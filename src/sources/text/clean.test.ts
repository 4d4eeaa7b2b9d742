import { expect, test } from 'vitest'
import { cleanText, cut, tidyLines } from './clean.ts'

test.each([
  { text: '  a \n\t b  ', expected: 'a b' },
  { text: 'a\u0000b\u001fc\u007fd\u0085e', expected: 'abcd e' },
  { text: '\ufeffa\u200bb', expected: 'ab' },
  { text: 'a\ud800b', expected: 'a\ufffdb' },
  { text: '👩‍👩‍👧 é', expected: '👩‍👩‍👧 é' },
  { text: '123456789012', expected: '1234567890' },
  { text: '123456789 12', expected: '123456789' },
  { text: '123456789😀', expected: '123456789' },
])('one line of $text is $expected', ({ text, expected }) => {
  expect(cleanText(text, 10)).toBe(expected)
})

test.each([
  { text: 'a\r\nb\rc\u2028d', expected: 'a\nb\nc\nd' },
  { text: 'a  \n \n\t\n\n\nb', expected: 'a\n\nb' },
  { text: '\n\n a\tb\n\n', expected: 'a\tb' },
])('the lines of $text are tidied', ({ text, expected }) => {
  expect(tidyLines(text)).toBe(expected)
})

test('a cut never leaves half a character', () => {
  expect(cut('ab😀', 3)).toBe('ab')
  expect(cut('ab😀', 4)).toBe('ab😀')
})

test('a long run of blanks is no burden', () => {
  expect(tidyLines(`a${' '.repeat(1_000_000)}b`)).toHaveLength(1_000_002)
})
