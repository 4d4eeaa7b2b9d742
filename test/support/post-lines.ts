// Lines of an import, as other programs write them.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Place } from './place.ts'

export interface WrittenPost {
  platform: string
  forumId: string
  subforum: string
  title: string
  body: string
  permalink: string
  url: string | null
  score: number
  numComments: number
  forumCreatedAt: string
  author: string
}

const FIRST_AT = Date.UTC(2026, 0, 1)

/** A valid post; a test names only what it is about. */
export function aPostLine(given: Partial<WrittenPost> = {}): WrittenPost {
  const { forumId = 'p1' } = given
  return {
    platform: 'forum',
    forumId,
    subforum: 'selfhosted',
    title: `Post ${forumId}`,
    body: '',
    permalink: `https://forum.test/r/selfhosted/comments/${forumId}/`,
    url: null,
    score: 1,
    numComments: 0,
    forumCreatedAt: new Date(FIRST_AT).toISOString(),
    author: 'somebody',
    ...given,
  }
}

/** So many posts, a second apart, the oldest first. */
export function manyPosts(count: number): WrittenPost[] {
  return Array.from({ length: count }, (_, index) =>
    aPostLine({
      forumId: `p${index + 1}`,
      forumCreatedAt: new Date(FIRST_AT + index * 1_000).toISOString(),
    }),
  )
}

/** Text stands for itself, so that a line may be anything. */
export function ndjson(lines: readonly (WrittenPost | string)[]): string {
  return lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')
}

/** Writes a file into the place, and returns its path. */
export async function fileIn(
  { dataDirectory }: Pick<Place, 'dataDirectory'>,
  name: string,
  content: string | Uint8Array,
): Promise<string> {
  const path = join(dataDirectory, name)
  await writeFile(path, content)
  return path
}
