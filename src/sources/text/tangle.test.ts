import { expect, test } from 'vitest'
import { isTangled } from './tangle.ts'

test.each([
  { what: 'prose', markdown: 'a *b* c\n\n- d\n- e', expected: false },
  {
    what: 'a long list with bold words',
    markdown: '* **a** __b__\n'.repeat(2_000),
    expected: false,
  },
  { what: 'a long table', markdown: `|a|b|\n|-|-|\n${'|c|d|\n'.repeat(3_000)}`, expected: false },
  { what: 'a rule of stars', markdown: '* * * * *', expected: false },
  { what: 'a quote in a quote in a quote', markdown: '>>> a', expected: false },
  { what: 'quotes without end', markdown: '> '.repeat(21), expected: true },
  { what: 'lists without end', markdown: '- 1. '.repeat(11), expected: true },
  { what: 'emphasis without end', markdown: '**a '.repeat(300), expected: true },
  { what: 'emphasis without end over lines', markdown: '> **a\n'.repeat(300), expected: true },
  {
    what: 'a table far too wide',
    markdown: `${'|a'.repeat(300)}\n${'|b\n'.repeat(100)}`,
    expected: true,
  },
])('$what: $expected', ({ markdown, expected }) => {
  expect(isTangled(markdown)).toBe(expected)
})
