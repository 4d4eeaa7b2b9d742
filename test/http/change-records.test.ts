import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '#src/contract/access.ts'
import { ChangeRecords } from '#src/contract/change-records.ts'
import { applyRematch, rematchPages } from '#src/ingest/rematch.ts'
import { newId } from '#src/lib/id.ts'
import { dataOf, invalidPaths, withoutRequestId } from '#test/support/answers.ts'
import { Client, expectFailure, type Answer } from '#test/support/client.ts'
import {
  manyPosts,
  openDatasets,
  titlesOf,
  type Dataset,
  type Datasets,
  type Filter,
  type GivenPost,
} from '#test/support/dataset.ts'
import { aMember } from '#test/support/people.ts'
import { ENGINES } from '#test/support/place.ts'
import { recordsIn } from '#test/support/watching.ts'

const NAS: GivenPost = { title: 'a NAS', forumId: 'nas' }
const CAT: GivenPost = { title: 'a cat', forumId: 'cat' }
const RACK: GivenPost = { title: 'a rack', forumId: 'rack' }

describe.each(ENGINES)('changing records on %s', (engine) => {
  let datasets: Datasets
  beforeAll(async () => void (datasets = await openDatasets(engine)))
  afterAll(() => datasets[Symbol.asyncDispose]())

  describe('read and archived', () => {
    test('are set and taken back, each without the other', async () => {
      const { change, standing } = await aDesk(datasets, [NAS, CAT])

      expect(await change(['a NAS'], { read: true })).toBe(1)
      expect(await standing()).toMatchObject({ 'a NAS': [1, 0], 'a cat': [0, 0] })
      expect(await change(['a NAS', 'a cat'], { archived: true })).toBe(2)
      expect(await standing()).toMatchObject({ 'a NAS': [1, 1], 'a cat': [0, 1] })
      expect(await change(['a NAS'], { read: false, archived: false })).toBe(1)
      expect(await standing()).toMatchObject({ 'a NAS': [0, 0], 'a cat': [0, 1] })
    })

    test('are what the matched view of the list filters by', async () => {
      const { change, listed } = await aDesk(datasets, [NAS, CAT, RACK])

      await change(['a NAS'], { read: true })
      await change(['a cat'], { archived: true })

      expect(await listed({ read: true })).toEqual(['a NAS'])
      expect(await listed({ read: false })).toEqual(['a rack'])
      expect(await listed({ archived: true })).toEqual(['a cat'])
    })

    test('a record that no rule matched can be read and archived too', async () => {
      const { change, standing } = await aDesk(datasets, [NAS], { unmatched: true })

      await change(['a NAS'], { read: true, archived: true })

      expect(await standing()).toEqual({ 'a NAS': [1, 1] })
    })
  })

  describe('tags', () => {
    test('are given to every record that is named, and to no other', async () => {
      const { change, tags, listed } = await aDesk(datasets, [NAS, CAT, RACK])

      await change(['a NAS', 'a cat'], { addTags: ['later', ' É "%_\\ 漢字 🎈 '] })

      const given = { 'É "%_\\ 漢字 🎈': 'person', all: 'rule', later: 'person' }
      expect(await tags()).toEqual({ 'a NAS': given, 'a cat': given, 'a rack': { all: 'rule' } })
      expect(await listed({ tags: 'later' })).toEqual(['a NAS', 'a cat'])
    })

    test('one that a rule gave becomes the person’s, and no rule takes it away', async () => {
      const { change, tags, unmatch } = await aDesk(datasets, [NAS, CAT])

      await change(['a NAS'], { addTags: ['all'] })
      expect(await tags()).toEqual({ 'a NAS': { all: 'person' }, 'a cat': { all: 'rule' } })
      await unmatch()

      expect(await tags()).toEqual({ 'a NAS': { all: 'person' } })
    })

    test('are taken away, whoever gave them', async () => {
      const { change, tags } = await aDesk(datasets, [NAS, CAT])
      await change(['a NAS', 'a cat'], { addTags: ['later', 'mine'] })

      await change(['a NAS'], { removeTags: ['later', 'all', 'nobody gave this'] })

      expect(await tags()).toEqual({
        'a NAS': { mine: 'person' },
        'a cat': { all: 'rule', later: 'person', mine: 'person' },
      })
    })

    test('some may come while others go', async () => {
      const { change, tags } = await aDesk(datasets, [NAS])

      await change(['a NAS'], { addTags: ['mine'], removeTags: ['all'] })

      expect(await tags()).toEqual({ 'a NAS': { mine: 'person' } })
    })

    test('one that a person took from a rule does not come back when the rule matches again', async () => {
      const { change, tags, dataset } = await aDesk(datasets, [NAS])
      await change(['a NAS'], { removeTags: ['all'] })
      expect(await tags()).toEqual({})

      await dataset.keep([NAS])

      expect(await tags()).toEqual({})
    })

    test('one that was taken away can be given again', async () => {
      const { change, tags } = await aDesk(datasets, [NAS])
      await change(['a NAS'], { removeTags: ['all'] })

      await change(['a NAS'], { addTags: ['all'] })

      expect(await tags()).toEqual({ 'a NAS': { all: 'person' } })
    })

    test('go to matched records alone: one that is not refuses all', async () => {
      const { send, ids, dataset, everything } = await aDesk(datasets, [NAS])
      await dataset.keep([{ ...CAT, author: 'nobody' }])
      const before = await everything()

      const answer = await send({
        ids: await ids('a NAS', 'a cat'),
        addTags: ['later'],
        removeTags: ['all'],
        read: true,
      })

      expectFailure(answer, 409, 'CONFLICT')
      expect(invalidPaths(answer)).toEqual(['ids.1'])
      expect(await everything()).toEqual(before)
    })

    test('can be taken from a record that is matched no more', async () => {
      const { change, tags, unmatch } = await aDesk(datasets, [NAS])
      await change(['a NAS'], { addTags: ['mine'] })
      await unmatch()

      await change(['a NAS'], { removeTags: ['mine'] })

      expect(await tags()).toEqual({})
    })
  })

  describe('all or none', () => {
    test('an id that is unknown, no id, removed or another organization’s refuses all alike', async () => {
      const desk = await aDesk(datasets, [NAS, CAT])
      const other = await aDesk(datasets, [NAS])
      const [nas = '', cat = ''] = await desk.ids('a NAS', 'a cat')
      const [foreign = ''] = await other.ids('a NAS')
      const { db } = datasets.home.app
      await db.updateTable('record').set({ removed_at: 1 }).where('id', '=', cat).execute()
      const before = [await desk.everything(), await other.everything()]

      const wrong = [newId('rec', Date.now()), twinOf(nas), 'é\ud800', '', cat, foreign]
      const decided = { read: true, archived: true, addTags: ['later'], removeTags: ['all'] }
      const answers = []
      for (const id of wrong) answers.push(await desk.send({ ids: [nas, id], ...decided }))

      for (const answer of answers) {
        expectFailure(answer, 404, 'NOT_FOUND')
        expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0] ?? answer))
        expect(invalidPaths(answer)).toEqual(['ids.1'])
      }
      expect([await desk.everything(), await other.everything()]).toEqual(before)
    })

    test('every id that is missing is named', async () => {
      const { send, ids } = await aDesk(datasets, [NAS])
      const [nas] = await ids('a NAS')

      const answer = await send({ ids: ['x', nas, 'y'], read: true })

      expect(answer.body.error?.details).toEqual([
        { path: 'ids.0', message: 'There is no such record in this organization.' },
        { path: 'ids.2', message: 'There is no such record in this organization.' },
      ])
    })

    test('asking again changes nothing more and is answered alike', async () => {
      const { change, everything } = await aDesk(datasets, [NAS, CAT])
      const decided = { read: true, archived: true, addTags: ['later'], removeTags: ['all'] }
      const first = await change(['a NAS', 'a cat'], decided)
      const before = await everything()

      const second = await change(['a NAS', 'a cat'], decided)

      expect([first, second]).toEqual([2, 2])
      expect(await everything()).toEqual(before)
    })

    test('an id that is given twice counts once', async () => {
      const { send, ids } = await aDesk(datasets, [NAS])
      const [nas] = await ids('a NAS')

      const answer = await send({ ids: [nas, nas], addTags: ['a', ' a', 'b'] })

      expect(dataOf(answer, ChangeRecords)).toEqual({ changed: 1 })
    })

    test('500 records and 20 tags fit into one request, 501 do not', async () => {
      const { send, everything, dataset } = await aDesk(datasets, manyPosts(501))
      const records = await recordsIn(datasets.home.app.db, dataset.organizationId)
      const [extra = '', ...ids] = records.map(({ id }) => id)
      const addTags = Array.from({ length: 20 }, (_, index) => `tag ${index}`)
      const decided = { read: true, archived: true, addTags }

      const tooMany = await send({ ids: [extra, ...ids], ...decided })
      const answer = await send({ ids, ...decided })

      expectFailure(tooMany, 400, 'INVALID_REQUEST')
      expect(invalidPaths(tooMany)).toEqual(['ids'])
      expect(dataOf(answer, ChangeRecords)).toEqual({ changed: 500 })
      const after = await everything()
      expect(after.records.filter(({ read, archived }) => read + archived === 2)).toHaveLength(500)
      expect(after.tags.filter(({ origin }) => origin === 'person')).toHaveLength(10_000)
    })

    test('people who tag the same records at once do not hinder each other', async () => {
      const { change, tags } = await aDesk(datasets, [NAS, CAT])
      const names = Array.from({ length: 10 }, (_, index) => `tag ${index}`)

      await Promise.all(
        names.map((tag, index) =>
          change(index % 2 ? ['a NAS', 'a cat'] : ['a cat', 'a NAS'], {
            addTags: [tag],
            read: index % 3 === 0,
          }),
        ),
      )

      const given = { all: 'rule', ...Object.fromEntries(names.map((tag) => [tag, 'person'])) }
      expect(await tags()).toEqual({ 'a NAS': given, 'a cat': given })
    })
  })

  test('what people decided survives that the post is crawled again', async () => {
    const { change, standing, tags, dataset } = await aDesk(datasets, [NAS])
    await change(['a NAS'], { read: true, archived: true, addTags: ['all', 'later'] })

    await dataset.keep([{ ...NAS, title: 'another NAS', score: 99 }])

    expect(await standing()).toEqual({ 'another NAS': [1, 1] })
    expect(await tags()).toEqual({ 'another NAS': { all: 'person', later: 'person' } })
  })

  describe('who may', () => {
    test.each<{ role: Role; status: number }>([
      { role: 'owner', status: 200 },
      { role: 'admin', status: 200 },
      { role: 'member', status: 200 },
      { role: 'viewer', status: 403 },
    ])('a change by a $role is answered with $status', async ({ role, status }) => {
      const { ids, client: owner, standing } = await aDesk(datasets, [NAS])
      const { home } = datasets
      const email = `${role}.${engine}@example.com`
      const { client } = await aMember(home, role, { email, by: owner })

      const answer = await patch(client, { ids: await ids('a NAS'), read: true })

      expect(answer.status).toBe(status)
      expect(await standing()).toEqual({ 'a NAS': [status === 200 ? 1 : 0, 0] })
    })

    test('a key is no session', async () => {
      const { ids, dataset, everything } = await aDesk(datasets, [NAS])
      const before = await everything()

      const body = { ids: await ids('a NAS'), read: true }
      const byKey = new Client(datasets.home.url)
      const answer = await byKey.send('PATCH', '/api/records', { key: dataset.key, body })

      expectFailure(answer, 401, 'UNAUTHORIZED')
      expect(await everything()).toEqual(before)
    })

    test('a request from another origin, or from none, is refused', async () => {
      const { ids, client, everything } = await aDesk(datasets, [NAS])
      const body = { ids: await ids('a NAS'), read: true }
      const before = await everything()

      const foreign = { headers: { origin: 'https://evil.example' }, body }
      const answer = await client.send('PATCH', '/api/records', foreign)
      const withoutOrigin = await fetch(`${datasets.home.url}/api/records`, {
        method: 'PATCH',
        headers: { cookie: client.cookie ?? '', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })

      expectFailure(answer, 403, 'FORBIDDEN')
      expect(withoutOrigin.status).toBe(403)
      expect(await everything()).toEqual(before)
    })
  })

  test.each([
    { body: {}, paths: ['ids'] },
    { body: { ids: [], read: true }, paths: ['ids'] },
    { body: { ids: 'rec_1', read: true }, paths: ['ids'] },
    { body: { ids: [7], read: true }, paths: ['ids.0'] },
    { body: { ids: ['rec_\0'], read: true }, paths: ['ids.0'] },
    { body: { ids: ['x'] }, paths: [''] },
    { body: { ids: ['x'], addTags: [], removeTags: [] }, paths: [''] },
    { body: { ids: ['x'], read: 'true', archived: null }, paths: ['read', 'archived'] },
    { body: { ids: ['x'], read: true, reed: true }, paths: ['reed'] },
    { body: { ids: ['x'], addTags: ['ok', ' ', 'a,b'] }, paths: ['addTags.1', 'addTags.2'] },
    { body: { ids: ['x'], addTags: ['x'.repeat(51)] }, paths: ['addTags.0'] },
    { body: { ids: ['x'], removeTags: Array(21).fill('x') }, paths: ['removeTags'] },
    { body: { ids: ['x'], addTags: ['a'], removeTags: ['b', ' a '] }, paths: ['removeTags'] },
  ])('$body is no change', async ({ body, paths }) => {
    const { send } = await aDesk(datasets)

    const answer = await send(body)

    expectFailure(answer, 400, 'INVALID_REQUEST')
    expect(invalidPaths(answer)).toEqual(paths)
  })
})

/** The same key, another id: as if somebody had guessed the one from the other. */
function twinOf(id: string): string {
  return id.slice(0, -1) + (id.endsWith('0') ? '1' : '0')
}

function patch(client: Client, body: unknown): Promise<Answer> {
  return client.send('PATCH', '/api/records', { body })
}

/** An organization with these posts, matched by a watcher that tags them all; and its owner at work. */
async function aDesk(
  datasets: Datasets,
  posts: readonly GivenPost[] = [],
  { unmatched = false } = {},
) {
  const dataset = await datasets.holding()
  const rules = unmatched ? [] : [{ authors: ['somebody'], tags: ['all'] }]
  const watcherId = await dataset.watch({ rules })
  if (posts.length > 0) await dataset.keep(posts)
  const client = await dataset.signedIn()
  const stored = deskStore(datasets, dataset)
  return {
    dataset,
    client,
    ...stored,
    send: (body: unknown) => patch(client, body),
    async change(titles: readonly string[], decided: object): Promise<number> {
      const body = { ids: await stored.ids(...titles), ...decided }
      return dataOf(await patch(client, body), ChangeRecords).changed
    },
    async listed(filter: Filter) {
      return titlesOf(await dataset.listed({ view: 'matched', ...filter }))
    },
    unmatch: () => unmatchAll(datasets, dataset, watcherId),
  }
}

/** What is stored of an organization's records, read without going through the service. */
function deskStore({ home }: Datasets, { organizationId }: Dataset) {
  const { db } = home.app
  const tagRows = () =>
    db
      .selectFrom('record_tag')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('origin', '<>', 'removed')
      .orderBy('record_key')
      .orderBy('tag')
      .execute()
  const everything = async () => ({
    records: await recordsIn(db, organizationId),
    tags: await tagRows(),
  })
  return {
    everything,
    async ids(...titles: string[]): Promise<string[]> {
      const records = await recordsIn(db, organizationId)
      return titles.map((title) => records.find((record) => record.title === title)?.id ?? '')
    },
    async standing() {
      const { records } = await everything()
      return Object.fromEntries(
        records.map(({ title, read, archived }) => [title, [read, archived]]),
      )
    },
    async tags() {
      const { records, tags } = await everything()
      const titleOf = new Map(records.map(({ key, title }) => [key, title]))
      const byTitle = Map.groupBy(tags, ({ record_key }) => titleOf.get(record_key) ?? '')
      return Object.fromEntries(
        [...byTitle].map(([title, some]) => [
          title,
          Object.fromEntries(some.map(({ tag, origin }) => [tag, origin])),
        ]),
      )
    },
  }
}

/** As if the watcher's rules had been changed to some that match nothing. */
async function unmatchAll({ home }: Datasets, dataset: Dataset, watcherId: string): Promise<void> {
  const { db, database, clock } = home.app
  const { organizationId } = dataset
  const channels = [{ platform: 'forum' as const, channel: 'selfhosted' }]
  const rematch = { organizationId, watcherId, channels, match: () => undefined }
  const place = { engine: database.engine, organizationId, watcherId }
  for await (const { changes } of rematchPages(db, rematch)) {
    await db.transaction().execute((trx) => applyRematch(trx, { ...place, now: clock() }, changes))
  }
}
