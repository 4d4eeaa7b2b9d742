// A record as the contract describes it, field by field, the same by both operations.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Record as FoundRecord } from '#src/contract/record.ts'
import {
  COMMON,
  openDatasets,
  WAYS,
  type Datasets,
  type GivenPost,
  type Way,
} from '#test/support/dataset.ts'
import { ENGINES } from '#test/support/place.ts'
import { rowsIn } from '#test/support/watching.ts'

const LONGEST_SNIPPET = 240
const ELLIPSIS = '…'

describe.each(ENGINES)('a record on %s', (engine) => {
  let datasets: Datasets
  beforeAll(async () => {
    datasets = await openDatasets(engine)
  })
  afterAll(() => datasets[Symbol.asyncDispose]())

  /** The record of one post, which has no watcher. */
  async function recordOf(way: Way, post: GivenPost): Promise<FoundRecord> {
    const dataset = await datasets.holding([post])
    const { items } = await dataset.found(way)
    expect(items).toHaveLength(1)
    return FoundRecord.parse(items[0])
  }

  describe.each(WAYS)('by %s', (way) => {
    test('has exactly the fields of the contract', async () => {
      const dataset = await datasets.holding()
      await dataset.watch({ rules: [{ any: ['title'], tags: ['b', 'A', 'a'] }] })
      await dataset.keep([
        {
          platform: 'forum',
          forumId: '1oq3k9x',
          subforum: 'SelfHosted',
          title: 'A title',
          body: `${COMMON}.`,
          permalink: 'https://forum.test/r/SelfHosted/comments/1oq3k9x/',
          url: 'https://example.com/page',
          score: 42,
          numComments: 17,
          createdAt: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
          author: 'somebody',
        },
      ])

      const { body } = await dataset.find(way)

      expect(body.data['items']).toEqual([
        {
          id: expect.stringMatching(/^rec_[0-9a-z]{26}$/),
          platform: 'forum',
          forumId: '1oq3k9x',
          subforum: 'SelfHosted',
          title: 'A title',
          permalink: 'https://forum.test/r/SelfHosted/comments/1oq3k9x/',
          url: 'https://example.com/page',
          score: 42,
          numComments: 17,
          forumCreatedAt: '2026-01-02T03:04:05.678Z',
          author: 'somebody',
          hasLink: true,
          tags: ['A', 'a', 'b'],
          matched: true,
          intent: 'DISCUSSING',
          snippet: `${COMMON}.`,
          verification: 'pending',
        },
      ])
    })

    test('id: the one that is stored, whichever way it is found', async () => {
      const dataset = await datasets.holding([{ title: 'one' }])
      const rows = await rowsIn(datasets.home.app.db, 'record')
      const stored = rows.find(({ organization_id }) => organization_id === dataset.organizationId)

      const { items } = await dataset.found(way)

      expect(items.map(({ id }) => id)).toEqual([stored?.id])
    })

    test('platform: forum or newsboard', async () => {
      for (const platform of ['forum', 'newsboard'] as const) {
        expect((await recordOf(way, { title: 'one', platform })).platform).toBe(platform)
      }
    })

    test('url: null, never missing, and hasLink is false then', async () => {
      const dataset = await datasets.holding([{ title: 'one', url: null }])

      const { body } = await dataset.find(way)

      expect(body.data['items']).toEqual([expect.objectContaining({ url: null, hasLink: false })])
    })

    test('score and numComments: 0 until refreshed, and the score may be negative', async () => {
      const unknown = { title: 'one', score: null, numComments: null }

      expect(await recordOf(way, unknown)).toMatchObject({ score: 0, numComments: 0 })
      expect(await recordOf(way, { title: 'one', score: -7 })).toMatchObject({ score: -7 })
    })

    test('tags: none when there are none, and none of an unmatched record', async () => {
      const dataset = await datasets.holding([{ title: 'one' }, { title: 'two' }])
      await dataset.tag('two', 'of a person')

      const { items } = await dataset.found(way)

      expect(items.map(({ tags, matched }) => ({ tags, matched }))).toEqual([
        { tags: [], matched: false },
        { tags: [], matched: false },
      ])
    })

    test('tags: from rules and from people, each once, sorted', async () => {
      const dataset = await datasets.holding()
      await dataset.watch({ rules: [{ any: ['one'], tags: ['m', 'Z'] }] })
      await dataset.watch({ rules: [{ any: ['one'], tags: ['m', 'é'] }] })
      await dataset.keep([{ title: 'one' }])
      await dataset.tag('one', 'b "quoted"')

      const { items } = await dataset.found(way)

      expect(items[0]?.tags).toEqual(['Z', 'b "quoted"', 'm', 'é'])
    })

    test('verification: clear when no keyword was matched, pending until it is judged', async () => {
      const dataset = await datasets.holding()
      await dataset.watch({ rules: [{ any: ['keyword'] }, { minScore: 100 }] })
      await dataset.keep([
        { title: 'a keyword' },
        { title: 'unmatched' },
        { title: 'by its score', score: 100 },
      ])

      const { items } = await dataset.found(way)

      expect(items.map(({ matched, verification }) => ({ matched, verification }))).toEqual([
        { matched: true, verification: 'pending' },
        { matched: false, verification: 'clear' },
        { matched: true, verification: 'clear' },
      ])
    })

    test.each(['confirmed', 'coincidental', 'pending', 'clear'])(
      'verification: %s is told as it is',
      async (verification) => {
        const dataset = await datasets.holding([{ title: 'one' }])
        await dataset.mark(['one'], { verification })

        const { items } = await dataset.found(way, { include_suppressed: true })

        expect(items[0]?.verification).toBe(verification)
      },
    )

    test('relevance: not in keyword mode', async () => {
      const dataset = await datasets.holding([{ title: 'one' }])

      const { body } = await dataset.find(way)

      const [item] = body.data['items'] as object[]
      expect(item).not.toHaveProperty('relevance')
    })

    test('text of any kind comes back as it was', async () => {
      const title = 'é 日本 🚀 "quoted" \\ \' <b> &amp; \u2028 \u202e'
      const record = await recordOf(way, {
        title,
        author: 'Ünï🚀',
        forumId: 'ä/ö?',
        subforum: 'Zwölf',
      })

      expect(record).toMatchObject({ title, author: 'Ünï🚀', forumId: 'ä/ö?', subforum: 'Zwölf' })
    })

    test('forumCreatedAt: any instant a post can have', async () => {
      for (const at of ['1970-01-01T00:00:01.000Z', '2088-12-31T23:59:59.999Z']) {
        const { forumCreatedAt } = await recordOf(way, { title: 'one', createdAt: Date.parse(at) })

        expect(forumCreatedAt).toBe(at)
      }
    })

    describe('snippet', () => {
      const snippetOf = async (post: GivenPost) => (await recordOf(way, post)).snippet

      test('is the whole body when it fits into 240 characters', async () => {
        const body = COMMON.padEnd(LONGEST_SNIPPET, ' and')

        expect(await snippetOf({ title: 'one', body })).toBe(body)
      })

      test('has at most 240 characters, is cut at a word and ends with …', async () => {
        const body = `${COMMON} ${'word '.repeat(100)}`.trim()

        const snippet = await snippetOf({ title: 'one', body })

        expectCut(snippet, body)
        expect(snippet.endsWith('word…')).toBe(true)
      })

      test('of 241 characters is cut', async () => {
        const body = `${COMMON} ${'x'.repeat(LONGEST_SNIPPET)}`.slice(0, LONGEST_SNIPPET + 1)

        expectCut(await snippetOf({ title: 'one', body }), body)
      })

      test('of a word that is longer than it is cut inside the word', async () => {
        const body = `${COMMON}${'x'.repeat(1_000)}`

        const snippet = await snippetOf({ title: 'one', body })

        expectCut(snippet, body)
        expect(snippet.length).toBeGreaterThan(LONGEST_SNIPPET / 2)
      })

      test('is never cut inside a character', async () => {
        for (const before of ['', 'x']) {
          const body = `${before}${COMMON}${'🚀'.repeat(500)}`

          const snippet = await snippetOf({ title: 'one', body })

          expectCut(snippet, body)
          expect(snippet.isWellFormed()).toBe(true)
        }
      })

      test('is of the title when there is no body', async () => {
        const title = `${COMMON} in the title`

        expect(await snippetOf({ title, body: '' })).toBe(title)
      })

      test('of a long title is cut like a body', async () => {
        const title = `${COMMON} ${'word '.repeat(100)}`.trim()

        expectCut(await snippetOf({ title, body: '' }), title)
      })

      test('has its white space collapsed', async () => {
        const body = `a\n\n\tb \u00a0 c\r\n${COMMON}`

        expect(await snippetOf({ title: 'one', body })).toBe(`a b c ${COMMON}`)
      })

      test('is whole when it fits once its white space is collapsed', async () => {
        const body = `${COMMON}${' '.repeat(2_000)}end`

        expect(await snippetOf({ title: 'one', body })).toBe(`${COMMON} end`)
      })

      test.each([
        { markup: '**bold** and *slanted*', plain: 'bold and slanted' },
        { markup: '[a link](https://example.com/a_b_c)', plain: 'a link' },
        { markup: '# A heading\n\n> a quote\n\n- an item', plain: 'A heading a quote an item' },
        { markup: '`code` and ~~gone~~', plain: 'code and gone' },
        { markup: '<p>a <b>tag</b></p> &amp; more', plain: 'a tag & more' },
      ])('has no markup: only $plain', async ({ markup, plain }) => {
        expect(await snippetOf({ title: 'one', body: `${markup} ${COMMON}` })).toBe(
          `${plain} ${COMMON}`,
        )
      })

      test.each(['snake_case_name and 2 * 3 * 4', 'a < b and c > d', 'C:\\temp - 5 - 3', 'x_1 _y'])(
        'keeps what is no markup: %s',
        async (text) => {
          expect(await snippetOf({ title: 'one', body: `${text} ${COMMON}` })).toBe(
            `${text} ${COMMON}`,
          )
        },
      )
    })
  })

  describe('the snippet of a search', () => {
    const filler = 'some other text '
    const searched = async (q: string, post: GivenPost) => {
      const dataset = await datasets.holding([post])
      const { items } = await dataset.searched({ q })
      expect(items).toHaveLength(1)
      return items[0]?.snippet ?? ''
    }

    test.each([
      { rule: 'far behind', body: `${filler.repeat(500)}the Needle is here ${filler.repeat(500)}` },
      { rule: 'at the very end', body: `${filler.repeat(500)}the Needle` },
      { rule: 'just beyond the first 240', body: `${filler.repeat(15)}Needle ${filler.repeat(9)}` },
      { rule: 'inside a very long word', body: `${'x'.repeat(5_000)}Needle${'x'.repeat(5_000)}` },
      { rule: 'behind markup', body: `${'**bold** [a](https://b.test) '.repeat(99)}Needle` },
      { rule: 'behind emoji', body: `${'🚀'.repeat(2_000)}Needle${'🚀'.repeat(2_000)}` },
      { rule: 'behind letters that lower case makes longer', body: `${'İ '.repeat(900)}Needle ok` },
    ])('starts near the first match, so that it is inside: $rule', async ({ body }) => {
      const snippet = await searched('nEEDLE', { title: 'one', body })

      expect(snippet).toContain('Needle')
      expect(snippet.length).toBeLessThanOrEqual(LONGEST_SNIPPET)
      expect(snippet.endsWith(ELLIPSIS)).toBe(true)
      expect(snippet.isWellFormed()).toBe(true)
    })

    test('is whole when it fits without its blanks, wherever the match is', async () => {
      const body = `start${' \n'.repeat(2_000)}Needle${' \n'.repeat(2_000)}end`

      expect(await searched('nEEDLE', { title: 'one', body })).toBe('start Needle end')
    })

    test('shows the first match of several', async () => {
      const body = `${filler.repeat(50)}needle one ${filler.repeat(50)}needle two`

      expect(await searched('needle', { title: 'one', body })).toContain('needle one')
    })

    test('is whole when the body fits, wherever the match is', async () => {
      const body = `${'word '.repeat(40)}needle`

      expect(await searched('needle', { title: 'one', body })).toBe(body)
    })

    test('begins at the beginning when only the title has what was searched for', async () => {
      const body = `The beginning. ${filler.repeat(50)}`

      const snippet = await searched('needle', { title: 'a needle', body })

      expectCut(snippet, body)
      expect(snippet.startsWith('The beginning.')).toBe(true)
    })

    test('shows the title when there is no body', async () => {
      expect(await searched('needle', { title: 'a needle', body: '' })).toBe('a needle')
    })

    test('begins and ends with a whole word', async () => {
      const words = Array.from({ length: 2_000 }, (_, index) => `w${index}w`)
      const body = words.toSpliced(1_000, 0, 'needle').join(' ')

      const snippet = await searched('needle', { title: 'one', body })

      const shown = snippet.slice(0, -1).trim().split(' ')
      expect(shown.filter((word) => !/^(?:w\d+w|needle)$/.test(word))).toEqual([])
      expect(shown).toContain('needle')
    })

    test('has as much of a match as fits when the match is longer than it', async () => {
      const q = 'needle '.repeat(50).trim()

      const snippet = await searched(q, { title: 'one', body: `${filler.repeat(50)}${q} behind` })

      expect(snippet).toContain('needle needle')
      expect(snippet.length).toBeLessThanOrEqual(LONGEST_SNIPPET)
      expect(snippet.endsWith(ELLIPSIS)).toBe(true)
    })

    test('in a list is of the beginning, whatever the keyword is', async () => {
      const body = `The beginning. ${filler.repeat(50)}needle`
      const dataset = await datasets.holding([{ title: 'one', body }])

      const { items } = await dataset.listed({ keyword: 'needle' })

      expectCut(items[0]?.snippet ?? '', body)
    })
  })
})

/** A part from the beginning, and the sign that it is one. */
function expectCut(snippet: string, whole: string): void {
  expect(snippet.length).toBeLessThanOrEqual(LONGEST_SNIPPET)
  expect(snippet.endsWith(ELLIPSIS)).toBe(true)
  expect(whole.startsWith(snippet.slice(0, -ELLIPSIS.length))).toBe(true)
}
