import { expect, test } from 'vitest'
import { mistakeInUrl } from './webhook-url.ts'

const HOST = 'https://example.com/'
const LONGEST = HOST + 'a'.repeat(2_048 - HOST.length)

test.each([
  'https://example.com/hooks',
  'https://example.com',
  'https://example.com:8443/hooks?token=a&b=c',
  'https://bücher.example/größe',
  'https://[2606:4700:4700::1111]/hooks',
  LONGEST,
])('%s is fine in production and outside', (url) => {
  expect(mistakeInUrl(url, { production: true })).toBeNull()
  expect(mistakeInUrl(url, { production: false })).toBeNull()
})

test.each([
  { url: '', says: 'whole address' },
  { url: 'example.com/hooks', says: 'whole address' },
  { url: '/hooks', says: 'whole address' },
  { url: '//example.com/hooks', says: 'whole address' },
  { url: 'ftp://example.com/hooks', says: 'whole address' },
  { url: 'javascript:alert(1)', says: 'whole address' },
  { url: 'file:///etc/passwd', says: 'whole address' },
  { url: 'https://', says: 'whole address' },
  { url: 'https://exa mple.com/', says: 'whole address' },
  { url: 'https://example.com:99999/', says: 'whole address' },
  { url: 'https://user@example.com/', says: 'user and password' },
  { url: 'https://user:word@example.com/', says: 'user and password' },
  { url: 'https://:word@example.com/', says: 'user and password' },
  { url: 'https://example.com/#part', says: 'behind the #' },
  { url: 'https://example.com/#', says: 'behind the #' },
  { url: `${LONGEST}a`, says: 'at most 2048 characters' },
])('$url is refused everywhere: $says', ({ url, says }) => {
  expect(mistakeInUrl(url, { production: true })).toContain(says)
  expect(mistakeInUrl(url, { production: false })).toContain(says)
})

test.each(['http://example.com/hooks', 'HTTP://example.com/hooks', 'http://127.0.0.1:3000/'])(
  '%s is refused in production only',
  (url) => {
    expect(mistakeInUrl(url, { production: true })).toContain('Use https')
    expect(mistakeInUrl(url, { production: false })).toBeNull()
  },
)

test('what is wrong is said without the password in it', () => {
  const mistake = mistakeInUrl('https://user:hunter2@example.com/', { production: true })

  expect(mistake).not.toContain('hunter2')
})
