// Posts without end: the real ones over and over, each time with other ids and times. Made-up ones
// where the real ones are not at hand.

import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { readPostLine } from '../src/ingest/read-post-line.ts'
import { linesOf } from '../src/lib/lines.ts'
import type { Post } from '../src/sources/post.ts'
import { randomFrom } from './random.ts'

const FOLDER = join(import.meta.dirname, '../../shared/data/posts')
const FILES = ['forum-400k.ndjson.gz', 'newsboard-70k.ndjson.gz'].map((name) => join(FOLDER, name))
const LONGEST_LINE_BYTES = 1_048_576
const GENERATED = 50_000
const DAY_MS = 86_400_000

export const postsAreReal = FILES.every((file) => existsSync(file))

export async function* endlessPosts(): AsyncGenerator<Post> {
  for (let lap = 0; ; lap += 1) {
    for await (const post of postsOnce()) yield ofLap(post, lap)
  }
}

/** Every post there is, once. */
export function postsOnce(): AsyncGenerator<Post> {
  return postsAreReal ? realPosts() : generatedPosts()
}

export function ofLap(post: Post, lap: number): Post {
  return {
    ...post,
    forumId: `${post.forumId}_${lap}`,
    createdAt: post.createdAt + lap * DAY_MS,
  }
}

export async function take(posts: AsyncGenerator<Post>, count: number): Promise<Post[]> {
  const taken: Post[] = []
  while (taken.length < count) {
    const { value, done } = await posts.next()
    if (done) break
    taken.push(value)
  }
  return taken
}

async function* realPosts(): AsyncGenerator<Post> {
  for (const file of FILES) {
    const bytes = createReadStream(file).pipe(createGunzip())
    for await (const lines of linesOf(bytes, LONGEST_LINE_BYTES)) {
      for (const line of lines) {
        const read = readPostLine(line)
        if (read.kind === 'post') yield read.post
      }
    }
  }
}

async function* generatedPosts(): AsyncGenerator<Post> {
  const below = randomFrom(1)
  const text = (words: number) =>
    Array.from({ length: words }, () => below(2 ** 30).toString(36)).join(' ')
  for (let number = 0; number < GENERATED; number += 1) {
    yield {
      platform: 'forum',
      forumId: number.toString(36),
      subforum: `channel${below(100)}`,
      title: text(10),
      body: below(2) === 0 ? text(80) : '',
      permalink: `https://forum.example/${number}`,
      url: null,
      score: below(1_000),
      numComments: below(100),
      createdAt: Date.UTC(2024, 0, 1) + number * 1_000,
      author: 'somebody',
    }
  }
}
