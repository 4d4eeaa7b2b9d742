import { expect, test } from 'vitest'
import { authorOf, plainLine, webAddress } from './fields.ts'

test.each([
  { html: 'AT&amp;T isn&#x27;t &quot;down&quot;', line: 'AT&T isn\'t "down"' },
  { html: 'Why <blink> was better than <b>', line: 'Why <blink> was better than <b>' },
  { html: 'a &lt;b&gt; c', line: 'a <b> c' },
  { html: 'R&D', line: 'R&D' },
  { html: '  two\n\tlines\u0000 ', line: 'two lines' },
])('the title $html reads $line', ({ html, line }) => {
  expect(plainLine(html)).toBe(line)
})

test.each([
  { text: 'http://example.test', url: 'http://example.test' },
  { text: 'https://example.test/#/deep?a=b', url: 'https://example.test/#/deep?a=b' },
  { text: ' https://example.test/a ', url: 'https://example.test/a' },
  { text: 'https://example.test/a b\u0000', url: 'https://example.test/a%20b' },
  { text: 'javascript:alert(1)', url: null },
  { text: 'item?id=1', url: null },
  { text: '', url: null },
  { text: undefined, url: null },
])('of the link $text the address is $url', ({ text, url }) => {
  expect(webAddress(text)).toBe(url)
})

test('a post without an author is of a deleted one', () => {
  expect([authorOf('pg'), authorOf(undefined), authorOf('')]).toEqual([
    'pg',
    '[deleted]',
    '[deleted]',
  ])
})
