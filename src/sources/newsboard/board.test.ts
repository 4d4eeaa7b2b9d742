import { expect, test } from 'vitest'
import { addressUnder } from './board.ts'

test.each([
  { base: 'https://items.test', address: 'https://items.test/v0/item/1.json' },
  { base: 'https://items.test/', address: 'https://items.test/v0/item/1.json' },
  { base: 'http://127.0.0.1:81/hn', address: 'http://127.0.0.1:81/hn/v0/item/1.json' },
  { base: 'http://127.0.0.1:81/hn/api//', address: 'http://127.0.0.1:81/hn/api/v0/item/1.json' },
])('an address under $base keeps its path', ({ base, address }) => {
  expect(addressUnder(base, '/v0/item/1.json').href).toBe(address)
})
