// A dataset as a grown installation has it: one organization with half of the records and nine others
// in the same tables, real text, some of it matched, tagged and judged.

import { sql } from 'kysely'
import { foundInstallation, foundOrganization } from '../src/accounts/found.ts'
import { issueKey } from '../src/accounts/issue-key.ts'
import type { App } from '../src/app.ts'
import { NewWatcher } from '../src/contract/watcher.ts'
import { keepPosts } from '../src/ingest/keep-posts.ts'
import type { PostMatch } from '../src/ingest/kept-post.ts'
import { searchText } from '../src/db/search-text.ts'
import { chunksOf } from '../src/lib/chunks.ts'
import type { Post } from '../src/sources/post.ts'
import { createWatcher } from '../src/watchers/create-watcher.ts'
import { describe, describedIn } from './find-place.ts'
import { holdsText } from './find-plain.ts'
import { busiestChannels, postsInTime } from './find-posts.ts'
import { chooseTerms, TermCounts, type CountTexts, type Terms } from './find-terms.ts'
import { randomFrom } from './random.ts'

const OTHERS = 9
/** One batch in so many is of one of the others, in turns. */
const OTHERS_EVERY = 2
const BATCH = 2_000
const PROGRESS_EVERY = 25

const WATCHERS = 2
const CHANNELS_EACH = 3
const MATCHED_ONE_IN = 20
const COINCIDENTAL_ONE_IN = 10

export interface FindDataset {
  organizationId: string
  /** Of the API. */
  key: string
  watchers: Watcher[]
  terms: Terms
  /** The middle half of the posts. */
  from: string
  to: string
}

interface Watcher {
  id: string
  subforums: string[]
}

/** The one that was loaded before, or a new one. */
export async function loadDataset(app: App, records: number): Promise<FindDataset> {
  const { dataDirectory } = app.config
  const known = await describedIn(dataDirectory)
  if (known !== undefined) return known
  const dataset = await makeDataset(app, records)
  await describe(dataDirectory, dataset)
  return dataset
}

async function makeDataset(app: App, records: number): Promise<FindDataset> {
  const posts = await postsInTime(records)
  const { organizationIds, key } = await foundAll(app)
  const [organizationId = '', ...others] = organizationIds
  const watchers = await watch(app, organizationId, posts)
  const counts = await keepAll(app, posts, { organizationId, others, watchers })
  await judgeSome(app, organizationId)
  const at = (share: number) =>
    new Date(posts[Math.floor(posts.length * share)]?.createdAt ?? 0).toISOString()
  const terms = await chooseTerms(counts, counter(app, organizationId), randomFrom(2))
  return { organizationId, key, watchers, terms, from: at(0.25), to: at(0.75) }
}

async function foundAll({ db }: App): Promise<{ organizationIds: string[]; key: string }> {
  const owner = { email: 'bench@example.com', password: 'not a secret', organizationName: 'Bench' }
  const { userId: ownerId, organizationId } = await foundInstallation(db, owner, Date.now())
  const organizationIds = [organizationId]
  while (organizationIds.length <= OTHERS) {
    const organizationName = `Bench ${organizationIds.length}`
    organizationIds.push(
      await db
        .transaction()
        .execute((trx) => foundOrganization(trx, { ownerId, organizationName }, Date.now())),
    )
  }
  const wanted = { name: 'bench', scopes: ['*' as const], expiresAt: null }
  const { key } = await issueKey(db, { ...wanted, organizationId, personId: ownerId }, Date.now())
  return { organizationIds, key }
}

/** The busiest channels in turns; the second watcher has the newsboard as well. */
async function watch(
  { db }: App,
  organizationId: string,
  posts: readonly Post[],
): Promise<Watcher[]> {
  const busiest = busiestChannels(posts, WATCHERS * CHANNELS_EACH)
  const watchers: Watcher[] = []
  for (let number = 0; number < WATCHERS; number += 1) {
    const subforums = busiest.filter((_, index) => index % WATCHERS === number)
    const channels = subforums.map((subforum) => ({ platform: 'forum', subforum }))
    if (number > 0) channels.push({ platform: 'newsboard', subforum: 'new' })
    const wanted = NewWatcher.parse({
      name: `Watcher ${number}`,
      channels,
      rules: [{ any: ['reddit'], tags: ['lead'] }],
    })
    const context = { db, minIntervalSeconds: 1, now: Date.now() }
    const { id } = await createWatcher(context, organizationId, wanted)
    watchers.push({ id, subforums })
  }
  return watchers
}

interface Owners {
  organizationId: string
  others: readonly string[]
  watchers: readonly Watcher[]
}

/** Returns what was counted of the posts of the first organization. */
async function keepAll(
  app: App,
  posts: readonly Post[],
  { organizationId, others, watchers }: Owners,
): Promise<TermCounts> {
  const counts = new TermCounts()
  const matchesOf = someMatches(watchers)
  const batches = chunksOf(posts, BATCH)
  for (const [index, batch] of [...batches].entries()) {
    const isOthers = index % OTHERS_EVERY === OTHERS_EVERY - 1
    if (isOthers) {
      const other = others[Math.floor(index / OTHERS_EVERY) % OTHERS] ?? ''
      await keepBatch(app, batch, { organizationId: other, matchesOf: () => [] })
    } else {
      await keepBatch(app, batch, { organizationId, matchesOf })
      for (const { title, body } of batch) counts.add(searchText(title, body))
    }
    if (index % PROGRESS_EVERY === 0) {
      const kept = index * BATCH + batch.length
      process.stderr.write(`${app.database.engine}: ${kept} of ${posts.length} records\n`)
    }
  }
  return counts
}

async function keepBatch(
  { database }: App,
  posts: readonly Post[],
  { organizationId, matchesOf }: { organizationId: string; matchesOf(post: Post): PostMatch[] },
): Promise<void> {
  const now = posts.at(-1)?.createdAt ?? 0
  const terms = { organizationId, posts, channel: null, matchesOf, now, live: false }
  await database.db.transaction().execute((trx) => keepPosts(trx, database.engine, terms))
}

/** One post in twenty, by one watcher or the other; every other match has tags. */
function someMatches(watchers: readonly Watcher[]): (post: Post) => PostMatch[] {
  const below = randomFrom(1)
  const match = { ruleIndex: 0, term: 'reddit', field: 'title', position: 0 }
  return () => {
    if (below(MATCHED_ONE_IN) > 0) return []
    const watcherId = watchers[below(WATCHERS)]?.id ?? ''
    return [{ ...match, watcherId, tags: below(2) === 0 ? ['lead'] : [] }]
  }
}

async function judgeSome({ db }: App, organizationId: string): Promise<void> {
  await db
    .updateTable('record')
    .set({ verification: 'coincidental' })
    .where('organization_id', '=', organizationId)
    .where('matched', '=', 1)
    .where(sql`(key / 4096) % ${COINCIDENTAL_ONE_IN}`, '=', 0)
    .execute()
}

function counter({ db, database }: App, organizationId: string): CountTexts {
  return async (terms) => {
    const [row = {}] = await db
      .selectFrom('record')
      .select(
        terms.map((term, index) =>
          sql<number>`sum(case when ${holdsText(database.engine, term)} then 1 else 0 end)`.as(
            `count_${index}`,
          ),
        ),
      )
      .where('organization_id', '=', organizationId)
      .execute()
    const numbers = row as Record<string, unknown>
    return new Map(terms.map((term, index) => [term, Number(numbers[`count_${index}`])]))
  }
}
