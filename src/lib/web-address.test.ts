import { expect, test } from 'vitest'
import { webAddress } from './web-address.ts'

test.each([
  { text: 'https://example.com/a?b=c#d', address: 'https://example.com/a?b=c#d' },
  { text: ' HTTP://Example.com ', address: 'HTTP://Example.com' },
  { text: 'https://example.com/größe', address: 'https://example.com/größe' },
  { text: 'https://example.com/a b', address: 'https://example.com/a%20b' },
  { text: 'https://example.com/\u0000x', address: 'https://example.com/%00x' },
  { text: 'https://example.com/\ud800', address: 'https://example.com/%EF%BF%BD' },
  { text: 'javascript:alert(1)', address: null },
  { text: '/path', address: null },
  { text: 'http://[Imgur](x)', address: null },
  { text: '', address: null },
  { text: null, address: null },
  { text: undefined, address: null },
])('$text: $address', ({ text, address }) => {
  expect(webAddress(text)).toBe(address)
})
