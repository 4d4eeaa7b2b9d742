import { beforeAll, describe, expect, test } from 'vitest'
import { channelKey } from '#src/contract/platform.ts'
import { minutes } from '#src/lib/duration.ts'
import { ENGINES } from '#test/support/place.ts'
import { liveThroughDay, type Day } from '#test/support/simulated-day.ts'
import { nameOf, type StoredRun } from '#test/support/stored-crawl.ts'

describe.each(ENGINES)('a simulated day on %s, through ten kills', (engine) => {
  let day: Day
  beforeAll(async () => {
    day = await liveThroughDay(engine)
  }, minutes(5))

  test('was a busy one, in which much went wrong', () => {
    const { visible, records, removed, faults, searches, runs } = day

    expect(new Set([...visible.values()].flatMap((names) => [...names])).size).toBeGreaterThan(
      1_500,
    )
    expect(records.length).toBeGreaterThan(2_000)
    expect(removed.size).toBeGreaterThan(30)
    expect(faults).toMatchObject({
      tooMany: expect.any(Number),
      serverError: expect.any(Number),
      garbage: expect.any(Number),
    })
    expect(searches).toBeGreaterThan(0)
    expect(runs.some(({ status }) => status === 'error')).toBe(true)
  })

  // A post that is gone again may have been there only while nobody could ask for it: between two
  // rounds, or while the service was dead. So only what was still there in the end has to be found.
  test('every post that stayed becomes a record of everybody who watches its channel', () => {
    expect({ lost: lostOf(day), gaps: day.gaps }).toEqual({ lost: [], gaps: [] })
  })

  test('no post becomes two records of an organization', () => {
    const names = day.records.map((one) => `${one.organizationId} ${nameOf(one)}`)

    expect(repeatedIn(names)).toEqual([])
  })

  test('a record that was there when its post was taken down is still there', () => {
    const kept = new Set(day.records.map((one) => `${one.organizationId} ${nameOf(one)}`))
    const late = day.removedLate.map((one) => `${one.organizationId} ${nameOf(one)}`)

    expect(late).not.toEqual([])
    expect(late.filter((name) => !kept.has(name))).toEqual([])
  })

  test('nobody has a record of a channel they do not watch', () => {
    const channels = new Map(day.watching.map((one) => [one.organizationId, one.channels]))
    const strange = day.records.filter(
      (one) =>
        day.visible.get(one.organizationId)?.has(nameOf(one)) !== true ||
        channels.get(one.organizationId)?.includes(`${one.platform}/${one.channel}`) !== true,
    )

    expect(strange).toEqual([])
  })

  test('every run has exactly one event, which tells the same', () => {
    const { runs, told } = day

    expect(repeatedIn(runs.map(({ id }) => id))).toEqual([])
    expect(told.toSorted(byId)).toEqual(runs.toSorted(byId))
  })

  test('every run is for a channel that its organization watches, and its counts fit together', () => {
    const channels = new Map(day.watching.map((one) => [one.organizationId, one.channels]))
    const odd = day.runs.filter((run) => {
      const isWatched = channels.get(run.organizationId)?.includes(channelOf(run)) === true
      return !isWatched || !countsFit(run)
    })

    expect(odd).toEqual([])
  })

  // A round's records and its runs are one transaction. The runs of one organization's watchers in
  // one round tell of the same records, so that each round counts once.
  test('the runs tell of every record as new exactly once', () => {
    for (const { organizationId } of day.watching) {
      const rounds = new Map(
        day.runs
          .filter((run) => run.organizationId === organizationId)
          .map((run) => [`${channelOf(run)} ${run.startedAt}`, run.newPosts]),
      )
      const records = day.records.filter((one) => one.organizationId === organizationId)

      expect(rounds.values().reduce((sum, added) => sum + added, 0)).toBe(records.length)
    }
  })
})

function lostOf({ watching, visible, removed, records }: Day): string[] {
  const kept = new Set(records.map((one) => `${one.organizationId} ${nameOf(one)}`))
  return watching.flatMap(({ organizationId, name: organization }) =>
    [...(visible.get(organizationId) ?? [])]
      .filter((name) => !removed.has(name) && !kept.has(`${organizationId} ${name}`))
      .map((name) => `${name} for ${organization}`),
  )
}

function countsFit(run: StoredRun): boolean {
  const { postsFetched, newPosts, matched, tagged, status, error } = run
  if (status === 'error') return postsFetched + newPosts + matched === 0 && error !== null
  return newPosts <= postsFetched && tagged <= matched && error === null
}

function channelOf({ platform, subforum }: StoredRun): string {
  return `${platform}/${channelKey(subforum)}`
}

function byId(one: { id: string }, other: { id: string }): number {
  return one.id < other.id ? -1 : 1
}

function repeatedIn(names: readonly string[]): string[] {
  const groups = Map.groupBy(names, (name) => name)
  return [...groups].filter(([, same]) => same.length > 1).map(([name]) => name)
}
