import { expect, test } from 'vitest'
import { hashOfKey, hintOfKey, isWellFormedKey, newKey } from './key-format.ts'

test('a key is ear_, 32 random base62 characters and 6 checksum characters', () => {
  expect(newKey()).toMatch(/^ear_[0-9A-Za-z]{32}[0-9A-Za-z]{6}$/)
  expect(isWellFormedKey(newKey())).toBe(true)
})

test('the checksum is CRC-32 in base62, so that other tools can check it too', () => {
  const body = `ear_${'0'.repeat(32)}`

  expect(isWellFormedKey(body + base62(crcByBits(body)))).toBe(true)
})

test('every single wrong character is noticed', () => {
  const key = newKey()

  const wrong = [...key].map((character, index) => {
    const other = character === 'a' ? 'b' : 'a'
    return key.slice(0, index) + other + key.slice(index + 1)
  })

  expect(wrong.filter(isWellFormedKey)).toEqual([])
})

test.each([
  '',
  'ear_',
  'ear_short',
  `${newKey()}x`,
  ` ${newKey()}`,
  newKey().replace('ear', 'EAR'),
])('%j is no key', (text) => {
  expect(isWellFormedKey(text)).toBe(false)
})

test('the stored hash is SHA-256 in hexadecimal; the hint shows eight characters', () => {
  expect(hashOfKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect(hintOfKey('ear_abcdefgh')).toBe('ear_abcd…')
})

/** The textbook algorithm, bit by bit. */
function crcByBits(text: string): number {
  let crc = 0xffff_ffff
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1
  }
  return (crc ^ 0xffff_ffff) >>> 0
}

function base62(value: number): string {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const digits = [5, 4, 3, 2, 1, 0].map((power) => Math.floor(value / 62 ** power) % 62)
  return digits.map((digit) => alphabet.charAt(digit)).join('')
}
