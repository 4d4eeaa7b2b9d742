import { createReadStream, existsSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { createGunzip, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Db } from '#src/db/database.ts'
import { expectRefusal } from '#test/support/expect-refusal.ts'
import { foundedPlace, storedIn, type FoundedPlace } from '#test/support/founded-place.ts'
import { ENGINES } from '#test/support/place.ts'
import { aPostLine, fileIn, manyPosts, ndjson } from '#test/support/post-lines.ts'
import { earshot, earshotJson, type Outcome } from '#test/support/program.ts'
import { startCommand } from '#test/support/started-command.ts'
import { storeWatcher } from '#test/support/written-watcher.ts'

/** Long enough that an import is met in the middle of it. */
const MANY = 30_000
const REAL_POSTS = join(import.meta.dirname, '../../../shared/data/posts/newsboard-70k.ndjson.gz')
const WITHIN = { timeout: 30_000, interval: 10 }

describe.concurrent.each(ENGINES)('earshot import on %s', (engine) => {
  test('stores each post once, from a file, a gzipped one or standard input', async () => {
    await using place = await foundedPlace(engine)
    const file = await fileIn(place, 'posts.ndjson', ndjson(manyPosts(3)))
    const popular = manyPosts(3).map((post) => ({ ...post, score: 7 }))
    const zipped = await fileIn(place, 'posts.txt', gzipSync(ndjson(popular)))
    const further = ndjson([aPostLine({ forumId: 'p3', score: 8 }), aPostLine({ forumId: 'p4' })])

    const first = await earshotJson(place, ['import', file, '--org', place.organizationId])
    const second = await earshotJson(place, ['import', zipped])
    await using piped = startCommand(place, ['import', '-', '--json'], gzipSync(further))
    const third = await piped.ended

    expect(first).toEqual({ imported: 3, updated: 0, rejected: 0 })
    expect(second).toEqual({ imported: 0, updated: 3, rejected: 0 })
    expect(JSON.parse(third.stdout)).toEqual({ imported: 1, updated: 1, rejected: 0 })
    expect(await scoresIn(place)).toEqual({ p1: 7, p2: 7, p3: 8, p4: 1 })
  })

  test('asks the rules of the watchers of a post’s channel, and of no other', async () => {
    await using place = await foundedPlace(engine)
    await storeWatcher(place, { rules: [{ any: ['nginx'], tags: ['proxy', 'web'] }] })
    const input = ndjson([
      aPostLine({ forumId: 'found', title: 'Nginx or not', subforum: 'r/SelfHosted' }),
      aPostLine({ forumId: 'other', title: 'Something else' }),
      aPostLine({ forumId: 'unwatched', title: 'Nginx or not', subforum: 'homelab' }),
    ])

    await earshot(place, ['import', '-'], { input })
    const { stdout } = await earshot(place, ['export'])

    const records = stdout.split('\n', 3).map((line) => JSON.parse(line))
    const unmatched = { matched: false, tags: [], verification: 'clear' }
    expect(Object.fromEntries(records.map((record) => [record.forumId, record]))).toMatchObject({
      found: { matched: true, tags: ['proxy', 'web'], verification: 'pending' },
      other: unmatched,
      unwatched: unmatched,
    })
  })

  test('goes on where it was interrupted, and tells of the whole file', async () => {
    await using place = await foundedPlace(engine)
    const posts = manyPosts(MANY)
    const lines = ['first bad line', ...posts.slice(0, 10), '{"bad":', ...posts.slice(10), 'last']
    const file = await fileIn(place, 'posts.ndjson', ndjson(lines))

    const stopped = await interrupted(place, file, 'SIGINT')
    const killed = await interrupted(place, file, 'SIGKILL')
    const report = await earshotJson(place, ['import', file])

    expectRefusal(stopped, /^earshot: Stopped\. Run the same command again to go on from here\.$/m)
    expect(killed).toMatchObject({ code: null, stdout: '' })
    expect(report).toEqual({ imported: MANY, updated: 0, rejected: 3 })
    expect(await forumIdsIn(place)).toEqual(posts.map(({ forumId }) => forumId).sort())
    expect(await storedIn(place, linesRead)).toBe(0)
  })
})

describe.concurrent('earshot import', () => {
  test('starts over when the file has changed since it was interrupted', async () => {
    await using place = await foundedPlace('sqlite')
    const file = await fileIn(place, 'posts.ndjson', ndjson(manyPosts(MANY)))

    await interrupted(place, file, 'SIGKILL')
    const before = await forumIdsIn(place)
    await appendFile(file, ndjson([aPostLine({ forumId: 'appended' })]))
    const report = await earshotJson(place, ['import', file])

    expect(report).toEqual({
      imported: MANY + 1 - before.length,
      updated: before.length,
      rejected: 0,
    })
    expect(await forumIdsIn(place)).toHaveLength(MANY + 1)
  })

  test('counts what is no post, shows it with its line number, and takes the rest', async () => {
    await using place = await foundedPlace('sqlite')
    const { title: _title, ...untitled } = aPostLine()
    const input = [
      JSON.stringify(aPostLine({ forumId: 'crlf' })) + '\r',
      'no JSON',
      '',
      JSON.stringify(aPostLine({ forumId: 'separated', body: 'one\u2028two' })),
      JSON.stringify(untitled),
      '   \r',
      JSON.stringify(aPostLine({ forumCreatedAt: 'yesterday' })),
      JSON.stringify(aPostLine({ platform: 'mastodon' })),
      JSON.stringify(aPostLine({ body: 'long '.repeat(250_000) })),
      '[]',
      JSON.stringify(aPostLine({ forumId: 'unended' })),
    ].join('\n')

    const { code, stdout, stderr } = await earshot(place, ['import', '-', '--json'], { input })

    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ imported: 3, updated: 0, rejected: 6 })
    expect(stderr.trim().split('\n')).toEqual([
      'line 2 is not accepted: it is no JSON object',
      expect.stringMatching(/^line 5 is not accepted: title: /),
      'line 7 is not accepted: forumCreatedAt: must be an ISO 8601 timestamp',
      'line 8 is not accepted: platform: must be forum or newsboard',
      'line 9 is not accepted: it is too long',
      'line 10 is not accepted: it is no JSON object',
    ])
    expect(await forumIdsIn(place)).toEqual(['crlf', 'separated', 'unended'])
  })

  test('says in words what it did, and does not repeat itself over many bad lines', async () => {
    await using place = await foundedPlace('sqlite')
    const input = ndjson([...Array.from({ length: 30 }, () => 'bad'), aPostLine()])

    const { code, stdout, stderr } = await earshot(place, ['import', '-'], { input })

    expect({ code, stdout }).toEqual({ code: 0, stdout: '1 imported, 0 updated, 30 rejected.\n' })
    const told = stderr.trim().split('\n')
    expect(told).toHaveLength(21)
    expect(told.at(-1)).toBe('Further lines like that are only counted.')
  })
})

describe.concurrent('earshot import refuses', () => {
  let place: FoundedPlace // one for all: none of them changes anything

  beforeAll(async () => {
    place = await foundedPlace('sqlite')
    await fileIn(place, 'cut.gz', gzipSync(ndjson(manyPosts(100))).subarray(0, 300))
  })
  afterAll(async () => {
    expect(await forumIdsIn(place)).toEqual([])
    await place[Symbol.asyncDispose]()
  })

  test.each([
    { what: 'a file that is missing', args: ['nowhere.gz'], reason: /nowhere\.gz cannot be read/ },
    { what: 'a folder', args: ['.'], reason: /\. is no file/ },
    {
      what: 'an unknown organization',
      args: ['-', '--org', 'org_nowhere'],
      reason: /no organization org_nowhere/,
    },
  ])('$what', async ({ args, reason }) => {
    expectRefusal(await earshot(place, ['import', ...args, '--json']), reason)
  })

  test('a gzipped file that is cut off', async () => {
    const { code, stdout, stderr } = await earshot(place, ['import', 'cut.gz', '--json'])

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^earshot: cut\.gz cannot be unzipped: .*\n$/)
  })
})

describe.skipIf(!existsSync(REAL_POSTS))('real posts (skipped without ../shared/data)', () => {
  test('are imported with a memory that does not grow with the file', async () => {
    await using place = await foundedPlace('sqlite')
    await using other = await foundedPlace('sqlite')
    const some = await fileIn(place, 'some.ndjson', ndjson(await firstLines(REAL_POSTS, 10_000)))

    const partly = await measured(place, some)
    const whole = await measured(other, REAL_POSTS)

    expect(partly.report).toEqual({ imported: 10_000, updated: 0, rejected: 0 })
    expect(whole.report).toEqual({ imported: 71_088, updated: 0, rejected: 0 })
    expect(whole.peakKilobytes).toBeLessThan(1.5 * partly.peakKilobytes)
  })
})

/** Begins an import, or goes on with it, and ends it once it has come further. */
async function interrupted(
  place: FoundedPlace,
  file: string,
  signal: NodeJS.Signals,
): Promise<Outcome> {
  return await storedIn(place, async (db) => {
    const reached = await linesRead(db)
    await using command = startCommand(place, ['import', file, '--json'])
    await vi.waitFor(async () => expect(await linesRead(db)).toBeGreaterThan(reached), WITHIN)
    command.child.kill(signal)
    return await command.ended
  })
}

interface Measured {
  report: unknown
  peakKilobytes: number
}

/** Its threads run this too, but what it tells is of the whole process. */
const TELL_PEAK = `process.on('exit',()=>process.stderr.write('peak='+process.resourceUsage().maxRSS+'\\n'))`

async function measured(place: FoundedPlace, file: string): Promise<Measured> {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(TELL_PEAK)}`
  const variables = { ...place.variables, NODE_OPTIONS }
  await using command = startCommand({ variables }, ['import', file, '--json'])
  const { stdout, stderr } = await command.ended
  const peaks = [...stderr.matchAll(/^peak=(?<kilobytes>\d+)$/gm)]
  const [peakKilobytes] = peaks.map(({ groups }) => Number(groups?.['kilobytes']))
  return { report: JSON.parse(stdout), peakKilobytes: peakKilobytes ?? Number.NaN }
}

async function firstLines(file: string, count: number): Promise<string[]> {
  const lines = createInterface(createReadStream(file).pipe(createGunzip()))
  return await Array.fromAsync(Readable.from(lines).take(count))
}

async function linesRead(db: Db): Promise<number> {
  const row = await db.selectFrom('import_progress').select('lines').executeTakeFirst()
  return row?.lines ?? 0
}

async function forumIdsIn(place: FoundedPlace): Promise<string[]> {
  return Object.keys(await scoresIn(place)).sort()
}

/** Fails where a post is stored twice. */
async function scoresIn(place: FoundedPlace): Promise<Record<string, number>> {
  const rows = await storedIn(place, (db) =>
    db.selectFrom('record').select(['forum_id', 'score']).execute(),
  )
  const scores = Object.fromEntries(rows.map(({ forum_id, score }) => [forum_id, score]))
  expect(Object.keys(scores)).toHaveLength(rows.length)
  return scores
}
