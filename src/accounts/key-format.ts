// An API key is `ear_`, 32 random base62 characters and 6 more that check them: a typo, or a key in
// a leak scan, is recognised without a look-up. Only the SHA-256 of a key is ever stored.

import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const PREFIX = 'ear_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_CHARACTERS = 32
const CHECKSUM_CHARACTERS = 6
const SHAPE = /^ear_[0-9A-Za-z]{38}$/
const HINT_CHARACTERS = PREFIX.length + 4

export function newKey(): string {
  let body = PREFIX
  for (let count = 0; count < RANDOM_CHARACTERS; count += 1) {
    body += ALPHABET.charAt(randomInt(ALPHABET.length))
  }
  return body + checksumOf(body)
}

export function isWellFormedKey(text: string): boolean {
  if (!SHAPE.test(text)) return false
  const end = text.length - CHECKSUM_CHARACTERS
  return checksumOf(text.slice(0, end)) === text.slice(end)
}

export function hashOfKey(key: string): string {
  return hash('sha256', key, 'hex')
}

/** Enough to tell one's keys apart, far too little to guess the rest. */
export function hintOfKey(key: string): string {
  return `${key.slice(0, HINT_CHARACTERS)}…`
}

/** CRC-32 in base62; 6 characters hold any 32 bits. */
function checksumOf(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let count = 0; count < CHECKSUM_CHARACTERS; count += 1) {
    text = ALPHABET.charAt(rest % 62) + text
    rest = Math.floor(rest / 62)
  }
  return text
}
