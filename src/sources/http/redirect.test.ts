import { expect, test } from 'vitest'
import { redirectTarget } from './redirect.ts'

const FROM = new URL('https://a.example/b/c?d')

test.each([
  { status: 301, location: '/e', target: 'https://a.example/e' },
  { status: 308, location: 'f', target: 'https://a.example/b/f' },
  { status: 302, location: '//other.example', target: 'https://other.example/' },
  { status: 302, location: 'http://[', target: undefined },
  { status: 304, location: '/e', target: undefined },
  { status: 200, location: '/e', target: undefined },
])('HTTP $status with $location leads to $target', ({ status, location, target }) => {
  expect(redirectTarget({ status, headers: { location } }, FROM)?.href).toBe(target)
})

test('a redirect to nowhere leads nowhere', () => {
  expect(redirectTarget({ status: 302, headers: {} }, FROM)).toBeNull()
})
