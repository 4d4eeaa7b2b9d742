import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExportedRecord } from '#src/records/export-records.ts'
import { expectRefusal } from '#test/support/expect-refusal.ts'
import { foundedPlace, type FoundedPlace } from '#test/support/founded-place.ts'
import { ENGINES } from '#test/support/place.ts'
import { aPostLine, manyPosts, ndjson, type WrittenPost } from '#test/support/post-lines.ts'
import { earshot, earshotJson } from '#test/support/program.ts'
import { storeOrganization, storeWatcher } from '#test/support/written-watcher.ts'

const ODD = 'Éclair, "quoted",\nand on a second line'

const POSTS = [
  aPostLine({
    forumId: 'alpha',
    title: 'nginx or not',
    subforum: 'SelfHosted',
    score: 10,
    numComments: 1,
    forumCreatedAt: '2026-01-01T10:00:00.000Z',
  }),
  aPostLine({
    forumId: 'beta',
    body: ODD,
    score: -2,
    numComments: 20,
    forumCreatedAt: '2026-01-02T23:59:59.000Z',
  }),
  aPostLine({
    forumId: 'gamma',
    title: 'nginx elsewhere',
    subforum: 'homelab',
    score: 5,
    forumCreatedAt: '2026-01-03T00:00:00.000Z',
  }),
  aPostLine({
    platform: 'newsboard',
    forumId: '4000',
    subforum: 'ask',
    title: '=1+1',
    permalink: 'https://newsboard.test/item?id=4000',
    url: 'https://example.test/?a=1,2',
    score: 50,
    numComments: 5,
    forumCreatedAt: '2026-01-04T10:00:00.000Z',
  }),
]

/** Like one of ours in everything a filter asks for. */
const THEIRS = aPostLine({ ...POSTS[0], forumId: 'theirs', title: 'nginx is theirs' })

const RULE = { any: ['nginx'], tags: ['proxy', 'web'] }

interface Shelf {
  place: FoundedPlace
  theirs: string
  watcherId: string
}

describe.concurrent.each(ENGINES)('earshot export on %s', (engine) => {
  let shelf: Shelf // one for all: none of them changes what the others look at

  beforeAll(async () => {
    shelf = await filledShelf(engine)
  })
  afterAll(() => shelf.place[Symbol.asyncDispose]())

  test.each([
    { options: ['--matched'], ids: ['alpha'] },
    { options: ['--platforms', 'newsboard'], ids: ['4000'] },
    { options: ['--subforums', 'r/SELFHOSTED, ask'], ids: ['4000', 'beta', 'alpha'] },
    { options: ['--tags', 'nothing,web'], ids: ['alpha'] },
    { options: ['--watcher', 'WATCHER'], ids: ['alpha'] },
    { options: ['--min-score', '10'], ids: ['4000', 'alpha'] },
    { options: ['--min-comments', '5'], ids: ['4000', 'beta'] },
    { options: ['--from', '2026-01-03'], ids: ['4000', 'gamma'] },
    { options: ['--to', '2026-01-02'], ids: ['beta', 'alpha'] },
    { options: ['--keyword', 'éCLAIR, "Q'], ids: ['beta'] },
    {
      options: ['--platforms', 'forum', '--min-score', '5', '--from', '2026-01-02'],
      ids: ['gamma'],
    },
  ])('with $options tells $ids', async ({ options, ids }) => {
    const { place, watcherId } = shelf
    const named = options.map((option) => (option === 'WATCHER' ? watcherId : option))

    const records = await exported(place, place.organizationId, ...named)

    expect(records.map(({ forumId }) => forumId)).toEqual(ids)
  })

  test('writes what an import into another organization makes the same records of', async () => {
    const { place } = shelf
    const copies = await storeOrganization(place, 'Copies')
    const ours = ['export', '--org', place.organizationId]

    const { stdout: input } = await earshot(place, ours)
    const imported = await earshot(place, ['import', '-', '--org', copies, '--json'], { input })
    const records = await exported(place, copies)

    expect(JSON.parse(imported.stdout)).toEqual({ imported: 4, updated: 0, rejected: 0 })
    expect(records.map(postOf)).toEqual(recordsIn(input).map(postOf))
    expect(records.map(postOf)).toEqual(POSTS.toReversed())
    expect(new Set(records.map(({ matched }) => matched))).toEqual(new Set([false]))
  })
})

describe.concurrent('earshot export', () => {
  let shelf: Shelf // one for all: none of them changes what the others look at

  beforeAll(async () => {
    shelf = await filledShelf('sqlite')
  })
  afterAll(() => shelf.place[Symbol.asyncDispose]())

  test('writes the fields of a record, and which watcher found it by what', async () => {
    const { place, theirs, watcherId } = shelf

    const unmatched = await exported(place, theirs)
    const [matched] = await exported(place, place.organizationId, '--matched')

    const match = { watcherId, rule: 0, term: 'nginx', field: 'title', position: 0 }
    expect(matched).toMatchObject({ tags: RULE.tags, verification: 'pending', matches: [match] })
    expect(unmatched).toEqual([
      {
        id: expect.stringMatching(/^rec_\w{26}$/),
        ...THEIRS,
        matched: false,
        tags: [],
        verification: 'clear',
        firstSeenAt: expect.stringMatching(/^\d{4}-.*Z$/),
        matches: [],
      },
    ])
  })

  test('writes CSV with a head, quotes where they are needed, and no formula', async () => {
    const { place } = shelf
    const args = ['export', '--org', place.organizationId, '--format', 'csv']

    const { code, stdout } = await earshot(place, args)

    expect(code).toBe(0)
    const [head, first, ...others] = stdout.split('\r\n')
    expect(head).toBe(
      'id,platform,forumId,subforum,title,body,permalink,url,score,numComments,' +
        'forumCreatedAt,author,matched,tags,verification,firstSeenAt',
    )
    expect(first).toMatch(
      /^rec_\w{26},newsboard,4000,ask,'=1\+1,,https:\S+id=4000,"https:\/\/example\.test\/\?a=1,2",50,5,2026-01-04T10:00:00\.000Z,somebody,false,,clear,\S+Z$/,
    )
    expect(others[1]).toContain(`,beta,selfhosted,Post beta,"${ODD.replaceAll('"', '""')}",`)
    expect(others[1]).toContain(',,-2,20,')
    expect(others[2]).toContain(',true,proxy web,pending,')
    expect(others.slice(3)).toEqual([''])
  })

  test('writes to the file of --output, and with --json tells how many', async () => {
    const { place } = shelf
    const args = ['export', '--org', place.organizationId, '--output']
    const file = join(place.dataDirectory, 'records.ndjson')

    const report = await earshotJson(place, [...args, file])
    const said = await earshot(place, [...args, `${file}.csv`, '--format', 'csv', '--matched'])

    expect(report).toEqual({ exported: 4 })
    expect(recordsIn(await readFile(file, 'utf8')).map(postOf)).toEqual(POSTS.toReversed())
    expect(said).toEqual({ code: 0, stdout: `1 records are in ${file}.csv.\n`, stderr: '' })
    expect((await readFile(`${file}.csv`, 'utf8')).split('\r\n')).toHaveLength(3)
  })

  test('ends quietly when its reader has enough', async () => {
    await using place = await foundedPlace('sqlite')
    await earshot(place, ['import', '-'], { input: ndjson(manyPosts(3_000)) })
    const through = ['bash', '--norc', '-c', 'set -o pipefail; "$@" | head -1', 'bash']

    const { code, stdout, stderr } = await earshot(place, ['export'], { through })

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(recordsIn(stdout)).toMatchObject([{ forumId: 'p3000' }])
  })

  test.each([
    { what: '--json without a file', options: ['--json'], reason: /--json.*--output/ },
    { what: 'an unknown format', options: ['--format', 'xml'], reason: /ndjson, csv/ },
    {
      what: 'an unknown platform',
      options: ['--platforms', 'x'],
      reason: /--platforms .*newsboard/,
    },
    { what: 'a score that is no number', options: ['--min-score', 'x'], reason: /--min-score / },
    {
      what: 'a day that is none',
      options: ['--from', '2026-02-30'],
      reason: /--from .*2030-12-31/,
    },
    {
      what: 'a folder that is missing',
      options: ['--output', 'no/x'],
      reason: /cannot be written/,
    },
  ])('refuses $what', async ({ options, reason }) => {
    const { place } = shelf

    const outcome = await earshot(place, ['export', '--org', place.organizationId, ...options])

    expectRefusal(outcome, reason)
  })

  test('refuses to guess whose records are meant', async () => {
    expectRefusal(await earshot(shelf.place, ['export']), /--org/)
  })
})

/** Two organizations, the first with a watcher, and what each has imported. */
async function filledShelf(engine: (typeof ENGINES)[number]): Promise<Shelf> {
  const place = await foundedPlace(engine)
  const theirs = await storeOrganization(place, 'Globex')
  const watcherId = await storeWatcher(place, { rules: [RULE] })
  const into = (org: string) => ['import', '-', '--org', org]
  await earshot(place, into(place.organizationId), { input: ndjson(POSTS) })
  await earshot(place, into(theirs), { input: ndjson([THEIRS]) })
  return { place, theirs, watcherId }
}

async function exported(
  place: FoundedPlace,
  org: string,
  ...options: string[]
): Promise<ExportedRecord[]> {
  const { code, stdout, stderr } = await earshot(place, ['export', '--org', org, ...options])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return recordsIn(stdout)
}

function recordsIn(text: string): ExportedRecord[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line))
}

/** What came from the platform, without what an organization adds. */
function postOf(record: ExportedRecord): Partial<ExportedRecord> {
  const fields = Object.keys(aPostLine()) as (keyof WrittenPost)[]
  return Object.fromEntries(fields.map((field) => [field, record[field]]))
}
