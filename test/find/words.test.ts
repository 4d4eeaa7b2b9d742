// Texts that the newest records do not answer for: the index of texts must tell, whatever words are
// made of and wherever a term begins and ends in them.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatasets, titlesOf, type Dataset, type Datasets } from '#test/support/dataset.ts'
import { ENGINES } from '#test/support/place.ts'
import { TIMEOUT_MS } from './seeds.ts'

/** More than are looked at before the index is asked, on either engine. */
const NEWER = 2_400
const LONG_WORD = `xq${'w'.repeat(39_000)}qx`
const MANY_WORDS = Array.from({ length: 400 }, (_, index) => `vjk${index}`).join(' ')

const TEXTS = {
  code: 'if (x) { return `qz`; }}',
  signs: 'C++ and node.js, "quoted" – it’s 100%_done!',
  address: 'see https://example.com/very/long/path/that-goes-on-and-on?and=on#zzyzx now',
  sentence: '今日は東京タワーに行きました。とても高かったです。',
  emoji: 'launch 🚀🧑‍🚀 day',
  folded: 'STRASSE ΣΊΣΥΦΟΣ İSTANBUL',
  lines: 'first line\nsecond\tline\r\nthird',
  long: `before ${LONG_WORD} behind`,
  many: MANY_WORDS,
}

const SOUGHT: [term: string, where: (keyof typeof TEXTS)[]][] = [
  ['}}', ['code']],
  ['`q', ['code']],
  ['; }', ['code']],
  ['c++', ['signs']],
  ['+ and n', ['signs']],
  ['de.js, "quo', ['signs']],
  ['%_d', ['signs']],
  ['’', ['signs']],
  ['zzyzx', ['address']],
  ['very/long/path/that-goes-on-and-on?and=on#zzyz', ['address']],
  ['x now', ['address']],
  ['京タ', ['sentence']],
  ['東', ['sentence']],
  ['。とても高', ['sentence']],
  ['🚀', ['emoji']],
  ['🚀🧑', ['emoji']],
  ['ch 🚀', ['emoji']],
  ['strasse', ['folded']],
  ['σίσυφοσ', []],
  ['istanbul', []],
  ['i̇stanb', ['folded']],
  ['line\nsec', ['lines']],
  ['ine second', []],
  ['d\tl', ['lines']],
  ['xqww', ['long']],
  ['wqx b', ['long']],
  [LONG_WORD.slice(0, 150), ['long']],
  ['vjk', ['many']],
  ['vjk7 vjk8', ['many']],
  [' vjk399', ['many']],
  ['jk39 ', ['many']],
  ['zqxj', []],
  ['zq', []],
  ['ꙮ', []],
]

describe.each(ENGINES)('words on %s', (engine) => {
  let datasets: Datasets
  let dataset: Dataset
  const newer = Array.from({ length: NEWER }, (_, index) => ({ title: `a ${index}`, body: '' }))

  beforeAll(async () => {
    datasets = await openDatasets(engine)
    const posts = Object.entries(TEXTS).map(([title, body]) => ({ title: `${title}:`, body }))
    dataset = await datasets.holding([...newer, ...posts])
  }, TIMEOUT_MS)
  afterAll(() => datasets[Symbol.asyncDispose]())

  test.each(SOUGHT)('%j is found in %j and nowhere else', async (term, where) => {
    const found = await dataset.searched({ q: term })
    expect(titlesOf(found)).toEqual(where.map((name) => `${name}:`))
  })

  test(
    'a text that changes is found by its new words, and by the old ones no more',
    async () => {
      const post = { title: 'changing:', body: 'hjkqz', forumId: 'changing' }
      const own = await datasets.holding([...newer, post])
      await own.keep([{ ...post, body: 'qzwhj' }])

      expect(titlesOf(await own.searched({ q: 'jkq' }))).toEqual([])
      expect(titlesOf(await own.searched({ q: 'zwh' }))).toEqual([post.title])
    },
    TIMEOUT_MS,
  )
})
