/** A whole number from 0 up to, but not, the limit. */
export type Below = (limit: number) => number

/** Mulberry32: small, and the same everywhere. */
export function randomFrom(seed: number): Below {
  let state = seed
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
}

export function oneOf<Item>(items: readonly Item[], below: Below): Item {
  const item = items[below(items.length)]
  if (item === undefined) throw new Error('There is nothing to choose from.')
  return item
}
