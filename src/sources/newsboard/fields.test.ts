import { expect, test } from 'vitest'
import { authorOf, plainLine } from './fields.ts'

test.each([
  { html: 'AT&amp;T isn&#x27;t &quot;down&quot;', line: 'AT&T isn\'t "down"' },
  { html: 'Why <blink> was better than <b>', line: 'Why <blink> was better than <b>' },
  { html: 'a &lt;b&gt; c', line: 'a <b> c' },
  { html: 'R&D', line: 'R&D' },
  { html: '  two\n\tlines\u0000 ', line: 'two lines' },
])('the title $html reads $line', ({ html, line }) => {
  expect(plainLine(html)).toBe(line)
})

test('a post without an author is of a deleted one', () => {
  expect([authorOf('pg'), authorOf(undefined), authorOf('')]).toEqual([
    'pg',
    '[deleted]',
    '[deleted]',
  ])
})
