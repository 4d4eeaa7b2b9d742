import { describe, expect, test, vi } from 'vitest'
import { NewWatcher } from '#src/contract/watcher.ts'
import type { Db } from '#src/db/database.ts'
import { seconds } from '#src/lib/duration.ts'
import { createWatcher } from '#src/watchers/create-watcher.ts'
import { overlapsIn, type Exchange } from '#test/support/request-watch.ts'
import { roundsIn, startSharedCrawl, type SharedCrawl } from '#test/support/shared-crawl.ts'

const ROUNDS = 6
/** The watchers' interval, less the tenth that it is spread by. */
const SHORTEST_PAUSE_MS = 900
const PATIENCE = { timeout: seconds(50), interval: 100 }

describe('two processes that crawl on postgres', () => {
  test('share the channels, and fetch each once a round', async () => {
    await using crawl = await startSharedCrawl()
    await roundsMade(crawl)

    const fetches = crawl.fetches()
    const rounds = await roundsIn(crawl.db)
    expect([...fetches.keys()].sort()).toEqual(crawl.channels.toSorted())
    for (const channel of crawl.channels) {
      const made = fetches.get(channel) ?? []
      const starts = rounds.get(channel) ?? []
      expect(overlapsIn(made)).toEqual([])
      expect(new Set(fetchesPerRound(made, starts))).toEqual(new Set([1]))
      expect(pausesIn(starts).filter((ms) => ms < SHORTEST_PAUSE_MS)).toEqual([])
    }
    const crawlers = new Set([...fetches.values()].flat().map(({ by }) => by))
    expect([...crawlers].sort()).toEqual(['first', 'second'])
  })

  test('one that is killed in the middle of a round leaves all its channels to the other', async () => {
    await using crawl = await startSharedCrawl()
    const { channels, first, second } = crawl
    await vi.waitFor(() => expect(crawl.fetches().size).toBe(channels.length), PATIENCE)
    await vi.waitFor(() => expect(underWay(crawl, 'second')).not.toEqual([]), {
      ...PATIENCE,
      interval: 5,
    })
    const orphaned = underWay(crawl, 'second')

    await second.stop('SIGKILL')

    const killedAt = Date.now()
    expect(orphaned).not.toEqual([])
    await vi.waitFor(() => {
      const since = [...crawl.fetches()].flatMap(([channel, made]) =>
        made.some(({ by, beganAt }) => by === 'first' && beganAt > killedAt) ? [channel] : [],
      )
      expect(since.sort()).toEqual(channels.toSorted())
    }, PATIENCE)
    for (const made of crawl.fetches().values()) expect(overlapsIn(made)).toEqual([])
    expect(first.child.exitCode).toBeNull()
  })

  test('begin with a new watcher within 5 seconds, also on a channel that others watch', async () => {
    await using crawl = await startSharedCrawl()
    const { db, place } = crawl
    await roundsMade(crawl, 1)
    const wanted = NewWatcher.parse({
      name: 'New',
      channels: [
        { platform: 'forum', subforum: 'golang' },
        { platform: 'forum', subforum: 'selfhosted' },
        { platform: 'newsboard', subforum: 'show' },
      ],
    })

    const createdAt = Date.now()
    const context = { db, minIntervalSeconds: 1, now: createdAt }
    const { id } = await createWatcher(context, place.organizationId, wanted)

    await vi.waitFor(async () => expect(await firstRunsOf(db, id)).toHaveLength(3), PATIENCE)
    const runs = await firstRunsOf(db, id)
    expect(runs.filter(({ startedAt }) => startedAt > createdAt + seconds(5))).toEqual([])
    expect(runs.filter(({ posts }) => posts === 0)).toEqual([])
  })
})

/** Of each of its channels. */
async function firstRunsOf(db: Db, watcherId: string) {
  const runs = await db
    .selectFrom('crawl_run')
    .select(['subforum', 'started_at as startedAt', 'posts_fetched as posts'])
    .where('watcher_id', '=', watcherId)
    .orderBy('started_at', 'desc')
    .execute()
  return [...new Map(runs.map((run) => [run.subforum, run])).values()]
}

async function roundsMade({ channels, db }: SharedCrawl, count = ROUNDS): Promise<void> {
  await vi.waitFor(async () => {
    const rounds = await roundsIn(db)
    const waiting = channels.filter((channel) => (rounds.get(channel)?.length ?? 0) < count)
    expect(waiting).toEqual([])
  }, PATIENCE)
}

function underWay(crawl: SharedCrawl, name: string): string[] {
  return [...crawl.fetches()].flatMap(([channel, made]) =>
    made.some(({ by, endedAt }) => by === name && endedAt === null) ? [channel] : [],
  )
}

/** How often a channel was asked for between the starts of two rounds: the last may go on. */
function fetchesPerRound(made: readonly Exchange[], starts: readonly number[]): number[] {
  return starts.slice(0, -1).map((startedAt, index) => {
    const endedAt = starts[index + 1] ?? Infinity
    return made.filter(({ beganAt }) => beganAt >= startedAt && beganAt < endedAt).length
  })
}

function pausesIn(starts: readonly number[]): number[] {
  return starts.slice(1).map((startedAt, index) => startedAt - (starts[index] ?? 0))
}
