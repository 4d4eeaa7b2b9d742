// Makes a plan real, through the ingest of the program, and writes down beside it what must be true
// then.

import { forgetEmptyChannels, purgeRecords, tombstoneRecords } from '#src/ingest/remove-posts.ts'
import { keepPosts } from '#src/ingest/keep-posts.ts'
import type { PostMatch } from '#src/ingest/kept-post.ts'
import type { Post } from '#src/sources/post.ts'
import { createWatcher } from '#src/watchers/create-watcher.ts'
import { removeWatcher } from '#src/watchers/remove-watcher.ts'
import type { TestApp } from '#test/support/test-app.ts'
import { aWatcher, contextOf } from '#test/support/watching.ts'
import { channelOf, type Fact, type Facts, type WatcherFact } from './oracle.ts'
import { LINKS, type Plan, type PlannedPost, type Telling } from './worlds.ts'

export interface World extends Facts {
  organizationId: string
  /** Lets in to its records. */
  apiKey: string
  /** Its day of reference. */
  day: number
}

/** When the rounds of a plan are. */
const FIRST_ROUND_AT = Date.UTC(2026, 2, 5)
const ROUND_MS = 60_000
const LATER = FIRST_ROUND_AT + 100 * ROUND_MS

/** Bounds the parameters of a statement. */
const ROWS_A_STATEMENT = 1_000

/**
 * Each world has a day of its own: SQLite has 4,096 keys for a millisecond of all organizations, and
 * if hundreds of worlds shared theirs, posts would be moved into the next one.
 */
let worlds = 0

function nextDay(): number {
  worlds += 1
  return Date.UTC(2012, 0, 1 + worlds * 6)
}

export async function buildWorld(home: TestApp, plan: Plan): Promise<World> {
  const organizationId = await home.createOrganization('World')
  const { key: apiKey } = await home.createKey({ organizationId })
  const day = nextDay()
  const builder = new Builder(home, organizationId, day)
  await builder.watch(plan)
  await builder.add(plan.posts)
  await builder.decide(plan.posts)
  await builder.fulfil(plan.posts)
  await builder.finish(plan)
  const records = [...builder.facts.values()]
  return { organizationId, apiKey, day, records, watchers: builder.watchers }
}

class Builder {
  readonly facts = new Map<string, Fact>()
  readonly watchers: WatcherFact[] = []
  readonly #home: TestApp
  readonly #organizationId: string
  readonly #day: number

  constructor(home: TestApp, organizationId: string, day: number) {
    this.#home = home
    this.#organizationId = organizationId
    this.#day = day
  }

  async watch(plan: Plan): Promise<void> {
    for (const { channels, isDeleted } of plan.watchers) {
      const wanted = aWatcher({ channels })
      const context = contextOf(this.#home.app)
      const { id } = await createWatcher(context, this.#organizationId, wanted)
      this.watchers.push({ id, channels: wanted.channels, isDeleted })
    }
  }

  async add(posts: readonly PlannedPost[]): Promise<void> {
    const rounds = Map.groupBy(posts, ({ round }) => round)
    for (const [round, some] of [...rounds].sort(([one], [other]) => one - other)) {
      const now = FIRST_ROUND_AT + round * ROUND_MS
      const tellings = some.map((planned) => ({ planned, told: planned.told }))
      await this.#keep(tellings, now)
      for (const { planned, told } of tellings) {
        this.facts.set(identityOf(planned), this.#newFact(planned, told, now))
      }
    }
  }

  /** What people and the judge say of records. */
  async decide(posts: readonly PlannedPost[]): Promise<void> {
    for (const planned of posts) {
      const fact = this.#factOf(planned)
      fact.read = planned.read
      fact.archived = planned.archived
      fact.verification = planned.verification ?? fact.verification
      fact.tags.push(...planned.personTags)
    }
    const read = posts.filter((one) => one.read)
    await this.#set(read, { read: 1 })
    const archived = posts.filter((one) => one.archived)
    await this.#set(archived, { archived: 1 })
    for (const [verification, some] of Map.groupBy(posts, (one) => one.verification)) {
      if (verification !== null) await this.#set(some, { verification })
    }
    await this.#tag(posts)
  }

  async fulfil(posts: readonly PlannedPost[]): Promise<void> {
    const ofKind = (...kinds: string[]) => posts.filter(({ fate }) => kinds.includes(fate.kind))
    const { engine } = this.#home.app.database
    const place = { engine, organizationId: this.#organizationId }
    const removed = ofKind('removed', 'returns')
    const purged = ofKind('purged')
    const [removedKeys, purgedKeys] = [await this.#keysOf(removed), await this.#keysOf(purged)]
    await this.#home.app.db.transaction().execute(async (trx) => {
      await tombstoneRecords(trx, { ...place, now: LATER }, removedKeys)
      await purgeRecords(trx, place, purgedKeys)
      await forgetEmptyChannels(trx, place)
    })
    for (const planned of [...removed, ...purged]) forget(this.#factOf(planned))
    const tellings = ofKind('edited', 'returns').flatMap((planned) =>
      'told' in planned.fate ? [{ planned, told: planned.fate.told }] : [],
    )
    await this.#keep(tellings, LATER)
    for (const { planned, told } of tellings) this.#change(this.#factOf(planned), told)
  }

  async finish(plan: Plan): Promise<void> {
    for (const [intent, some] of Map.groupBy(plan.posts, (one) => one.intent)) {
      await this.#set(some, { intent })
      for (const planned of some) this.#factOf(planned).intent = intent
    }
    for (const { id, isDeleted } of this.watchers) {
      const watcher = { organizationId: this.#organizationId, id }
      if (isDeleted) await removeWatcher(this.#home.app.db, watcher)
    }
    for (const { name, id } of await this.#stored()) {
      const fact = this.facts.get(name)
      if (fact !== undefined) fact.id = id
    }
  }

  async #keep(tellings: readonly Told[], now: number): Promise<void> {
    const { db, database } = this.#home.app
    for (const [channel, some] of Map.groupBy(tellings, ({ told }) => told.seenIn)) {
      const matches = new Map(some.map(({ planned, told }) => [identityOf(planned), told.matches]))
      const terms = {
        organizationId: this.#organizationId,
        posts: some.map((one) => this.#postOf(one)),
        channel,
        matchesOf: ({ platform, forumId }: Post) =>
          (matches.get(`${platform}/${forumId}`) ?? []).flatMap((one) => this.#matchOf(one)),
        now,
        live: true,
      }
      await db.transaction().execute((trx) => keepPosts(trx, database.engine, terms))
    }
  }

  #postOf({ planned, told }: Told): Post {
    return {
      ...planned.channel,
      forumId: String(planned.number),
      title: told.title,
      body: told.body,
      permalink: permalinkOf(planned),
      url: LINKS[told.link]?.url ?? null,
      score: told.score,
      numComments: told.numComments,
      createdAt: this.#day + planned.at,
      author: told.author,
    }
  }

  #matchOf({ watcher, tags, isByTerm }: Telling['matches'][number]): PostMatch[] {
    const watcherId = this.watchers[watcher]?.id
    if (watcherId === undefined) return []
    const found = isByTerm
      ? { term: 'a', field: 'title', position: 0 }
      : { term: null, field: null, position: null }
    return [{ watcherId, ruleIndex: 0, ...found, tags }]
  }

  #newFact(planned: PlannedPost, told: Telling, now: number): Fact {
    const { channel, number, at, intent } = planned
    const fact: Fact = {
      ...untold,
      ...channel,
      id: '',
      forumId: String(number),
      permalink: permalinkOf(planned),
      createdAt: this.#day + at,
      firstSeenAt: now,
      intent,
      listedIn: [],
      matchedBy: [],
      tags: [],
    }
    this.#change(fact, told)
    return fact
  }

  #change(fact: Fact, told: Telling): void {
    fact.isGone = false
    fact.title = told.title
    fact.body = told.body
    fact.author = told.author
    fact.permalink = `https://forum.example/${fact.platform}/${fact.forumId}`
    Object.assign(fact, LINKS[told.link])
    fact.score = told.score ?? fact.score
    fact.numComments = told.numComments ?? fact.numComments
    if (told.seenIn !== null && told.seenIn !== channelOf(fact.subforum)) {
      fact.listedIn.push(told.seenIn)
    }
    const matches = told.matches.flatMap((one) => this.#matchOf(one))
    fact.matchedBy.push(...matches.map(({ watcherId }) => watcherId))
    fact.tags.push(...matches.flatMap(({ tags }) => tags))
    fact.matched ||= matches.length > 0
    const isToJudge = matches.some(({ term }) => term !== null)
    if (fact.verification === 'clear' && isToJudge) fact.verification = 'pending'
  }

  async #tag(posts: readonly PlannedPost[]): Promise<void> {
    const keys = new Map((await this.#stored()).map(({ name, key }) => [name, key]))
    const rows = posts.flatMap((planned) =>
      planned.personTags.map((tag) => ({
        organization_id: this.#organizationId,
        record_key: keys.get(identityOf(planned)) ?? 0,
        tag,
        origin: 'person',
      })),
    )
    if (rows.length === 0) return
    await this.#home.app.db
      .insertInto('record_tag')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['organization_id', 'record_key', 'tag']).doNothing(),
      )
      .execute()
  }

  async #set(
    posts: readonly PlannedPost[],
    columns: { read?: number; archived?: number; verification?: string; intent?: string },
  ): Promise<void> {
    const keys = await this.#keysOf(posts)
    for (let start = 0; start < keys.length; start += ROWS_A_STATEMENT) {
      await this.#home.app.db
        .updateTable('record')
        .set(columns)
        .where('organization_id', '=', this.#organizationId)
        .where('key', 'in', keys.slice(start, start + ROWS_A_STATEMENT))
        .execute()
    }
  }

  async #keysOf(posts: readonly PlannedPost[]): Promise<number[]> {
    const wanted = new Set(posts.map(identityOf))
    return (await this.#stored()).filter(({ name }) => wanted.has(name)).map(({ key }) => key)
  }

  async #stored(): Promise<{ name: string; key: number; id: string }[]> {
    const rows = await this.#home.app.db
      .selectFrom('record')
      .select(['platform', 'forum_id', 'key', 'id'])
      .where('organization_id', '=', this.#organizationId)
      .execute()
    return rows.map(({ platform, forum_id, key, id }) => ({
      name: `${platform}/${forum_id}`,
      key,
      id,
    }))
  }

  #factOf(planned: PlannedPost): Fact {
    const fact = this.facts.get(identityOf(planned))
    if (fact === undefined) throw new Error('Nothing is known of this post.')
    return fact
  }
}

interface Told {
  planned: PlannedPost
  told: Telling
}

const untold = {
  title: '',
  body: '',
  url: null,
  isImage: false,
  score: 0,
  numComments: 0,
  author: '',
  matched: false,
  read: false,
  archived: false,
  verification: 'clear',
  isGone: false,
} as const

/** What hung on the record goes with its text; what somebody decided about it does not. */
function forget(fact: Fact): void {
  fact.isGone = true
  fact.matched = false
  fact.verification = 'clear'
  fact.matchedBy = []
  fact.tags = []
  fact.listedIn = []
}

function identityOf({ number, channel: { platform } }: PlannedPost): string {
  return `${platform}/${number}`
}

function permalinkOf(planned: PlannedPost): string {
  return `https://forum.example/${identityOf(planned)}`
}
