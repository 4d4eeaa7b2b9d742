// Posts per second through all rules of a channel, beside a plain loop over the rules. What must
// hold: a hundred times the rules cost a post at most three times as much.

import { isDeepStrictEqual } from 'node:util'
import { compileMatcher, type Matchable, type Matcher } from '../src/watchers/rules/matcher.ts'
import { samplePosts } from './match-posts.ts'
import { watchersOf, wordsOf } from './match-rules.ts'
import { plainMatcher } from './plain-matcher.ts'
import { randomFrom } from './random.ts'
import { median, printTable } from './table.ts'

const SIZES = [100, 1_000, 10_000]
const ROUNDS = 7
const SAMPLE_STEP = 4
const POSTS = 4_000
/** The plain loop is slow enough to be measured on fewer. */
const PLAIN_POSTS = 100

interface Contender {
  rules: number
  compiled: Matcher
  plain: Matcher
  compileMs: number
  heapMb: number
  compiledUs: number[]
  plainUs: number[]
}

export async function benchMatch(): Promise<void> {
  const { posts: sample, isReal } = await samplePosts(SAMPLE_STEP)
  const words = wordsOf(sample.map(({ title, body }) => `${title} ${body}`))
  const step = Math.max(1, Math.floor(sample.length / POSTS))
  const posts = sample.filter((_, index) => index % step === 0)
  sample.length = 0

  const contenders = SIZES.map((rules) => prepare(rules, words))
  const few = posts.filter((_, index) => index % Math.floor(posts.length / PLAIN_POSTS) === 0)
  for (const contender of contenders) expectSameMatches(contender, few)
  // In turns, so that what else the machine does meets all alike.
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { compiled, compiledUs, plain, plainUs } of contenders) {
      compiledUs.push(perPostUs(compiled, posts))
      if (round % 3 === 0) plainUs.push(perPostUs(plain, few))
    }
  }
  report(contenders, posts, isReal)
}

function prepare(rules: number, words: Parameters<typeof watchersOf>[0]): Contender {
  const watchers = watchersOf(words, rules, randomFrom(rules))
  const heapBefore = usedMb()
  const startedAt = performance.now()
  const compiled = compileMatcher(watchers)
  const compileMs = performance.now() - startedAt
  const heapMb = usedMb() - heapBefore
  const plain = plainMatcher(watchers)
  return { rules, compiled, plain, compileMs, heapMb, compiledUs: [], plainUs: [] }
}

function usedMb(): number {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 2 ** 20
}

function expectSameMatches({ compiled, plain, rules }: Contender, posts: readonly Matchable[]) {
  const isSame = posts.every((post) => isDeepStrictEqual(compiled.match(post), plain.match(post)))
  if (!isSame) throw new Error(`With ${rules} rules the two matchers do not agree.`)
}

/** Of processor time, so that what else the machine does counts less. */
function perPostUs(matcher: Matcher, posts: readonly Matchable[]): number {
  const before = process.threadCpuUsage()
  for (const post of posts) matcher.match(post)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / posts.length
}

function report(
  contenders: readonly Contender[],
  posts: readonly Matchable[],
  isReal: boolean,
): void {
  const base = median(contenders[0]?.compiledUs ?? [])
  const rows = contenders.map(({ rules, compiled, compiledUs, plainUs, compileMs, heapMb }) => {
    const [own, loop] = [median(compiledUs), median(plainUs)]
    const matches = posts.reduce((sum, post) => sum + compiled.match(post).length, 0)
    return [
      String(rules),
      (1e6 / own).toFixed(0),
      (1e6 / loop).toFixed(0),
      (loop / own).toFixed(0),
      (own / base).toFixed(2),
      (matches / posts.length).toFixed(2),
      compileMs.toFixed(0),
      heapMb.toFixed(1),
    ]
  })
  const kind = isReal ? 'real posts' : 'made-up posts: the real ones are not here'
  process.stdout.write(`\nMatching, ${posts.length} ${kind}, median of ${ROUNDS} rounds\n\n`)
  printTable(
    [
      'rules',
      'posts/CPU s',
      'posts/CPU s, plain loop',
      '×',
      'cost per post, relative',
      'matches per post',
      'compile ms',
      'memory MB',
    ],
    rows,
  )
}
