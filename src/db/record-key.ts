// A record's key grows with the time of its post, so that newest first is the order of the key, and
// the id is the same order in letters. 4,096 records fit into a millisecond; platforms tell seconds,
// so that what does not fit goes into the milliseconds behind, which are empty.

import { randomPart, timeOfPart, timePart } from '../lib/id.ts'

const PER_MILLISECOND = 4_096
/** In the middle of what 53 bits can tell, so that keys are exact numbers from 1970 to 2089. */
const EPOCH_AT = Date.UTC(2020, 0, 1)
const COUNTER_CHARACTERS = 3
const RANDOM_CHARACTERS = 13

/** Above every key; less than its negative there is none. */
export const BEYOND_KEYS = 2 ** 53

/** The first key of the millisecond of a post. */
export function firstKeyAt(createdAt: number): number {
  return (Math.floor(createdAt) - EPOCH_AT) * PER_MILLISECOND
}

/** The first key of the millisecond behind the one of this key. */
export function nextSlot(slot: number): number {
  return slot + PER_MILLISECOND
}

export function recordIdOf(key: number): string {
  const slot = Math.floor(key / PER_MILLISECOND)
  const counter = timePart(key - slot * PER_MILLISECOND, COUNTER_CHARACTERS)
  return `rec_${timePart(slot + EPOCH_AT)}${counter}${randomPart(RANDOM_CHARACTERS)}`
}

/** Time, counter and what is random, in the characters that an id is written in. */
const ID =
  /^rec_(?<time>[0-9a-hjkmnp-tv-z]{10})(?<counter>[0-9a-hjkmnp-tv-z]{3})[0-9a-hjkmnp-tv-z]{13}$/

/**
 * The key that an id was made of, so that a record is found by its key and ids need no index; null for
 * what is no id of a record. What is random is not in the key: whoever looks up compares the id too.
 */
export function keyOfRecordId(id: string): number | null {
  const parts = ID.exec(id)?.groups
  const counter = timeOfPart(parts?.['counter'] ?? '')
  if (parts === undefined || counter >= PER_MILLISECOND) return null
  const key = firstKeyAt(timeOfPart(parts['time'] ?? '')) + counter
  return Number.isSafeInteger(key) ? key : null
}

/**
 * Keys that are most likely free, one for each post: the counter is scattered by the post's name. Each
 * is given once; whether it was free shows when it is stored.
 */
export function likelyKeys(posts: readonly { createdAt: number; name: string }[]): number[] {
  const given = new Set<number>()
  return posts.map(({ createdAt, name }) => {
    let key = firstKeyAt(createdAt) + (scatter(name) % PER_MILLISECOND)
    while (given.has(key)) key += 1
    given.add(key)
    return key
  })
}

/** FNV-1a. */
function scatter(name: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < name.length; index += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193)
  }
  return (hash ^ (hash >>> 15)) >>> 0
}

/** Hands out the keys of one slot, from the one after `taken` on; null when the slot is full. */
export function nextKey(slot: number, taken: number | null): number | null {
  const key = taken === null ? slot : taken + 1
  return key < nextSlot(slot) ? key : null
}
