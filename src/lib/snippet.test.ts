import { expect, test } from 'vitest'
import { snippetAround, snippetOf } from './snippet.ts'

const words = (count: number, word = 'word') => Array.from({ length: count }, () => word).join(' ')

test.each([
  { text: 'A short text.', snippet: 'A short text.' },
  { text: '  two\n\nlines\tand  blanks ', snippet: 'two lines and blanks' },
  { text: '**Bold**, [a link](https://x.test/a) and `code`', snippet: 'Bold, a link and code' },
  { text: 'x'.repeat(240), snippet: 'x'.repeat(240) },
  { text: 'x'.repeat(241), snippet: `${'x'.repeat(239)}…` },
  { text: words(60), snippet: `${words(48)}…` },
  { text: `${'x'.repeat(238)}😀😀`, snippet: `${'x'.repeat(238)}…` },
])('the beginning of $text', ({ text, snippet }) => {
  expect(snippetOf(text)).toBe(snippet)
})

test('a text of any length has at most 240 characters, the last of them the mark that it is cut', () => {
  for (const length of [239, 240, 241, 999, 1_000, 1_001, 5_000]) {
    const snippet = snippetOf(words(length).slice(0, length))

    expect(snippet.length).toBeLessThanOrEqual(240)
    expect(snippet.endsWith('…')).toBe(length > 240)
  }
})

const whole = (text: string) => ({ text, begins: true, ends: true })

test('a match at the beginning leaves the beginning where it is', () => {
  expect(snippetAround(whole(`a Zebra ${words(80)}`), 'zebra')).toBe(
    snippetOf(`a Zebra ${words(80)}`),
  )
})

test('a match far behind is shown with the words before it', () => {
  const snippet = snippetAround(whole(`${words(100)} a ZEBRA runs ${words(100)}`), 'zebra runs')

  expect(snippet).toMatch(/^(word ){11}a ZEBRA runs (word ){30,}word…$/)
})

test('a match at the very end is shown, and that there is more before it', () => {
  expect(snippetAround(whole(`${words(100)} the end`), 'the end')).toMatch(/^(word )+the end…$/)
})

test('what fits is shown whole, wherever the match is', () => {
  expect(snippetAround(whole(`${words(40)} zebra`), 'zebra')).toBe(`${words(40)} zebra`)
})

test('of a part of a text it is known that it was cut', () => {
  expect(snippetAround({ text: 'a zebra', begins: false, ends: true }, 'zebra')).toBe('a zebra…')
  expect(snippetAround({ text: 'a zebra', begins: true, ends: false }, 'zebra')).toBe('a zebra…')
})

test.each([
  { text: `${words(100)} 2 ** 3 ${words(100)}`, term: '** 3' },
  { text: `${words(100)} <b> ${words(100)}`, term: '<b>' },
  { text: `${words(100)} über ${words(100)}`, term: 'ü' },
  { text: `${'x'.repeat(300)}zebra${'x'.repeat(300)}`, term: 'zebra' },
  { text: `${words(100)} ${'y'.repeat(300)}`, term: 'y'.repeat(200) },
])('the match of $term is in the snippet', ({ text, term }) => {
  const snippet = snippetAround(whole(text), term) ?? ''

  expect(snippet).toContain(term)
  expect(snippet.length).toBeLessThanOrEqual(240)
})

test('without a match there is none', () => {
  expect(snippetAround(whole('a text'), 'zebra')).toBeNull()
})
