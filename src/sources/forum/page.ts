import { Submission, type Listing } from './schema.ts'
import { seenOf, type Place, type Seen } from './submission.ts'

/** One answer of a listing, newest first. */
export interface Page {
  seen: Seen[]
  /** How many things it held, of whatever kind. */
  size: number
  /** Full names of the first and the last thing: what a listing is asked from. */
  first: string | null
  last: string | null
  /** Where it goes on; null at the end of the listing. */
  after: string | null
}

export const PAGE_SIZE = 100

export function pageOf({ data }: Listing, place: Place): Page {
  const names: string[] = []
  const seen: Seen[] = []
  for (const child of data.children) {
    if (child === null) continue
    const id = child.data['id']
    if (typeof id === 'string') names.push(`${child.kind}_${id}`)
    if (child.kind !== 't3') continue
    const one = seenOf(Submission.parse(child.data), place)
    if (one !== null) seen.push(one)
  }
  const size = data.children.length
  return { seen, size, first: names[0] ?? null, last: names.at(-1) ?? null, after: data.after }
}
