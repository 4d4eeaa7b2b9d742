import { seededRandom } from '../src/simulate/random.ts'

/** A whole number from 0 up to, but not, the limit. */
export type Below = (limit: number) => number

export function randomFrom(seed: number): Below {
  const random = seededRandom(seed)
  return (limit) => Math.floor(random() * limit)
}

export function oneOf<Item>(items: readonly Item[], below: Below): Item {
  const item = items[below(items.length)]
  if (item === undefined) throw new Error('There is nothing to choose from.')
  return item
}
