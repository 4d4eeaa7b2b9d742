// Ids are a prefix and 26 characters: 48 bits of time and 80 random bits in Crockford's base 32, in
// lower case. They sort by time, and 80 bits keep any number of processes from colliding.

import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_CHARACTERS = 10
const RANDOM_CHARACTERS = 16

export function newId(prefix: string, now: number): string {
  return `${prefix}_${timePart(now)}${randomPart()}`
}

/** Below every id of this time and later ones, and above every earlier one. */
export function firstIdAt(prefix: string, time: number): string {
  return `${prefix}_${timePart(time)}`
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

/** What `timePart` wrote, and only that: other characters have no meaning here. */
export function timeOfPart(text: string): number {
  let time = 0
  for (const character of text) time = time * 32 + ALPHABET.indexOf(character)
  return time
}

/** Asked for in one go: a call for a few bytes costs as much as one for thousands. */
const POOL_BYTES = 4_096
let pool = new Uint8Array(0)
let used = 0

/** A byte holds 256 values, a multiple of 32: its low five bits are as random as the byte. */
export function randomPart(characters = RANDOM_CHARACTERS): string {
  if (used + characters > pool.length) {
    pool = randomBytes(POOL_BYTES)
    used = 0
  }
  let text = ''
  for (const end = used + characters; used < end; used += 1) {
    text += ALPHABET.charAt((pool[used] ?? 0) & 31)
  }
  return text
}
