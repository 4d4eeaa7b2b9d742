import { expect, test } from 'vitest'
import { address } from './address.ts'

test.each([
  { base: 'https://a.example', expected: 'https://a.example/r/x' },
  { base: 'https://a.example/', expected: 'https://a.example/r/x' },
  { base: 'https://a.example/base', expected: 'https://a.example/base/r/x' },
  { base: 'https://a.example/base//', expected: 'https://a.example/base/r/x' },
  { base: 'http://127.0.0.1:81/hn', expected: 'http://127.0.0.1:81/hn/r/x' },
  { base: 'http://127.0.0.1:81/hn/api//', expected: 'http://127.0.0.1:81/hn/api/r/x' },
])('below $base', ({ base, expected }) => {
  expect(address(base, '/r/x').href).toBe(expected)
  expect(address(base, '/r/x', { q: 'a b&c' }).href).toBe(`${expected}?q=a+b%26c`)
})
