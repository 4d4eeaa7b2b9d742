import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { linesOf } from '../src/lib/lines.ts'
import type { Matchable } from '../src/watchers/rules/matcher.ts'
import { randomFrom, type Below } from './random.ts'

const FILE = join(import.meta.dirname, '../../shared/data/posts/forum-400k.ndjson.gz')
const GENERATED = 40_000
const VOCABULARY = 150_000

export interface Sample {
  posts: Matchable[]
  isReal: boolean
}

/** Every `step`th of the real posts, which lie channel by channel; made-up ones if there are none. */
export async function samplePosts(step: number): Promise<Sample> {
  if (!existsSync(FILE)) return { posts: generatedPosts(), isReal: false }
  const posts: Matchable[] = []
  let count = 0
  const bytes = createReadStream(FILE).pipe(createGunzip())
  for await (const lines of linesOf(bytes, Infinity)) {
    for (const line of lines) {
      count += 1
      if (count % step === 0) posts.push(JSON.parse(line ?? ''))
    }
  }
  return { posts, isReal: true }
}

function generatedPosts(): Matchable[] {
  const below = randomFrom(1)
  const words = Array.from({ length: VOCABULARY }, () => generatedWord(below))
  // A power of an even draw: a few words are everywhere, most are rare.
  const word = () => words[Math.floor(VOCABULARY * (below(1e6) / 1e6) ** 4)] ?? ''
  const text = (most: number) => Array.from({ length: below(most) }, word).join(' ')
  return Array.from({ length: GENERATED }, () => ({
    title: text(20),
    body: below(3) === 0 ? text(200) : '',
    author: 'unknown',
    url: `https://example.com/${word()}`,
    score: below(6_000),
    numComments: below(500),
  }))
}

function generatedWord(below: Below): string {
  const syllable = () => `${'bcdfghklmnprstvw'.charAt(below(16))}${'aeiou'.charAt(below(5))}`
  return Array.from({ length: 2 + below(3) }, syllable).join('')
}
