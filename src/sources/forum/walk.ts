// Through a listing, newest first. Servers differ in what `before` answers when there is more than a
// page above a post: the nearest ones, or the newest. So a full page is followed in both directions.

import type { From } from './api.ts'
import type { Known } from './memory.ts'
import { PAGE_SIZE, type Page } from './page.ts'
import type { Seen } from './submission.ts'

export type ReadPage = (from: From) => Promise<Page>

export interface Walked {
  /** Each once. */
  seen: Seen[]
  /** When the last post was made that the way led to; null when there was none. */
  endAt: number | null
  isEmpty: boolean
}

/** No listing goes deeper than 1,000 posts. */
const MOST_PAGES = 10

/** Page after page from the top, or from below a post, as far as the listing goes. */
export async function* pagesDown(read: ReadPage, after?: string): AsyncGenerator<Page> {
  let from: From = after === undefined ? {} : { after }
  for (let count = 0; count < MOST_PAGES; count += 1) {
    const page = await read(from)
    yield page
    if (page.after === null || page.after === from.after) return
    from = { after: page.after }
  }
}

/** Down to the first post as old as `untilAt`, or to the end. */
export async function walkDown(
  read: ReadPage,
  { after, untilAt }: { after?: string; untilAt: number | null },
): Promise<Walked> {
  const pages: Page[] = []
  for await (const page of pagesDown(read, after)) {
    pages.push(page)
    if (untilAt !== null && hasReached(page, untilAt)) break
  }
  return walked(pages)
}

/** All that is above a post. */
export async function walkSince(read: ReadPage, newest: Known): Promise<Walked> {
  const page = await read({ before: `t3_${newest.id}` })
  if (page.size < PAGE_SIZE) return { ...walked([page]), endAt: newest.at }
  const above = await walkUp(read, page)
  if (page.last === null || hasReached(page, newest.at)) return walked([...above, page])
  const below = await walkDown(read, { after: page.last, untilAt: newest.at })
  const { seen } = walked([...above, page])
  return { seen: unique([...seen, ...below.seen]), endAt: below.endAt, isEmpty: false }
}

async function walkUp(read: ReadPage, { first }: Page): Promise<Page[]> {
  const pages: Page[] = []
  let before = first
  while (before !== null && pages.length < MOST_PAGES) {
    const page = await read({ before })
    if (page.size === 0 || page.first === before) break
    pages.unshift(page)
    before = page.size < PAGE_SIZE ? null : page.first
  }
  return pages
}

/** By the last post alone: an old one that is pinned to the top says nothing. */
export function hasReached({ seen }: Page, untilAt: number): boolean {
  const last = seen.at(-1)
  return last !== undefined && last.createdAt <= untilAt
}

function walked(pages: readonly Page[]): Walked {
  const seen = unique(pages.flatMap((page) => page.seen))
  const endAt = pages.flatMap((page) => page.seen).at(-1)?.createdAt ?? null
  return { seen, endAt, isEmpty: pages.every((page) => page.size === 0) }
}

function unique(seen: readonly Seen[]): Seen[] {
  return [...new Map(seen.map((one) => [one.id, one])).values()]
}
