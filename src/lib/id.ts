// Ids are a prefix and 26 characters: 48 bits of time and 80 random bits in Crockford's base 32, in
// lower case. They sort by time, and 80 bits keep any number of processes from colliding.

import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_CHARACTERS = 10
const RANDOM_CHARACTERS = 16

export function newId(prefix: string, now: number): string {
  return `${prefix}_${timePart(now)}${randomPart()}`
}

export function timePart(now: number, characters = TIME_CHARACTERS): string {
  let rest = now
  let text = ''
  for (let position = 0; position < characters; position += 1) {
    text = ALPHABET.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  return text
}

/** A byte holds 256 values, a multiple of 32: its low five bits are as random as the byte. */
export function randomPart(characters = RANDOM_CHARACTERS): string {
  let text = ''
  for (const byte of randomBytes(characters)) text += ALPHABET.charAt(byte & 31)
  return text
}
