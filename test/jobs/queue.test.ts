import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { App } from '#src/app.ts'
import { CLAIM_JOBS } from '#src/queue/claim.ts'
import {
  enqueueOnce,
  failJob,
  finishJob,
  giveBack,
  queueFigures,
  renewLease,
  type Claim,
  type Job,
} from '#src/queue/job-store.ts'
import { bareApp, NOW } from '#test/support/bare-app.ts'
import { ENGINES } from '#test/support/place.ts'

const LEASE_MS = 60_000

describe.each(ENGINES)('the job queue on %s', (engine) => {
  describe('enqueueOnce', () => {
    test('puts a job there once, and the first stays', async () => {
      await using home = await bareApp(engine)

      await enqueue(home.app, 'a', { payload: '{"first":true}' })
      await enqueue(home.app, 'a', { payload: '{"first":false}', runAt: NOW + 5 })

      expect(await jobs(home.app)).toMatchObject([
        { id: 'a', payload: '{"first":true}', run_at: NOW, attempts: 0, lease: null },
      ])
    })

    test('of many at once one puts it there, and none fails', async () => {
      await using home = await bareApp(engine)
      const second = await home.another()

      await Promise.all(
        Array.from({ length: 20 }, (_, index) => enqueue(index % 2 ? home.app : second, 'a')),
      )

      expect(await jobs(home.app)).toHaveLength(1)
    })

    test('tells queues apart', async () => {
      await using home = await bareApp(engine)

      await enqueue(home.app, 'a', { queue: 'work' })
      await enqueue(home.app, 'a', { queue: 'crawl' })

      expect(await jobs(home.app)).toMatchObject([{ queue: 'crawl' }, { queue: 'work' }])
    })
  })

  describe('a claim', () => {
    test('takes due jobs of the named queues only, and counts the attempt', async () => {
      await using home = await bareApp(engine)
      await enqueue(home.app, 'due', { payload: '{"n":1}' })
      await enqueue(home.app, 'later', { runAt: NOW + 1 })
      await enqueue(home.app, 'elsewhere', { queue: 'crawl' })

      const claimed = await claim(home.app, { lease: 'mine' })

      expect(claimed).toEqual([
        {
          queue: 'work',
          id: 'due',
          name: 'a_job',
          payload: '{"n":1}',
          attempts: 1,
          lease: 'mine',
        },
      ])
      expect(await jobs(home.app)).toMatchObject([
        { id: 'elsewhere', run_at: NOW, attempts: 0, lease: null },
        { id: 'due', run_at: NOW + LEASE_MS, attempts: 1, lease: 'mine' },
        { id: 'later', run_at: NOW + 1, attempts: 0, lease: null },
      ])
    })

    test('leaves a job that it does not know to those who do', async () => {
      await using home = await bareApp(engine)
      await enqueue(home.app, 'known')
      const future = { queue: 'work', id: 'unknown', name: 'of_a_newer_release', payload: '{}' }
      await enqueueOnce(home.app.db, future, NOW)

      expect(ids(await claim(home.app))).toEqual(['known'])
      expect(ids(await claim(home.app, { names: ['of_a_newer_release'] }))).toEqual(['unknown'])
    })

    test('takes the oldest first, whatever their order in the table', async () => {
      await using home = await bareApp(engine)
      await enqueue(home.app, 'b', { runAt: NOW - 3, queue: 'crawl' })
      await enqueue(home.app, 'c', { runAt: NOW - 1 })
      await enqueue(home.app, 'a', { runAt: NOW - 2 })
      const queues = ['crawl', 'work']

      const two = await claim(home.app, { queues, limit: 2 })
      const rest = await claim(home.app, { queues, limit: 2 })

      expect(ids(two)).toEqual(['a', 'b'])
      expect(ids(rest)).toEqual(['c'])
    })

    test('keeps to its limit also when the planner believes that there is one job', async () => {
      await using home = await bareApp(engine)
      await enqueue(home.app, 'job-10', { runAt: NOW - 100 })
      await sql`analyze job`.execute(home.app.db)
      for (let index = 11; index < 30; index += 1) {
        await enqueue(home.app, `job-${index}`, { runAt: NOW - 100 + index })
      }

      const claimed = await claim(home.app, { limit: 4 })

      expect(ids(claimed)).toEqual(['job-10', 'job-11', 'job-12', 'job-13'])
    })

    test('never takes more than its limit, nor a job that another has', async () => {
      await using home = await bareApp(engine)
      const apps = [home.app, await home.another(), await home.another()]
      const all = Array.from({ length: 240 }, (_, index) => `job-${1_000 + index}`)
      await Promise.all(all.map((id) => enqueue(home.app, id)))
      const claims: Job[][] = []
      const takeAll = async (claimer: number): Promise<void> => {
        const app = apps[claimer % apps.length] ?? home.app
        for (;;) {
          const taken = await claim(app, { limit: 3, lease: `claimer ${claimer}` })
          if (taken.length === 0) return
          claims.push(taken)
        }
      }

      await Promise.all(Array.from({ length: 12 }, (_, claimer) => takeAll(claimer)))

      expect(Math.max(...claims.map((taken) => taken.length))).toBe(3)
      expect(ids(claims.flat())).toEqual(all)
      expect((await jobs(home.app)).every(({ attempts }) => attempts === 1)).toBe(true)
    })
  })

  describe('a lease', () => {
    test('that has passed lets another have the job, and the first has no say any more', async () => {
      await using home = await bareApp(engine)
      await enqueue(home.app, 'a')
      const first = await claimOne(home.app, { lease: 'first' })

      const early = await claim(home.app, { now: NOW + LEASE_MS - 1 })
      const second = await claimOne(home.app, { now: NOW + LEASE_MS, lease: 'second' })
      const taken = await jobs(home.app)

      expect(early).toEqual([])
      expect(second).toMatchObject({ id: 'a', attempts: 2, lease: 'second' })
      await finishJob(home.app.db, first, null)
      await finishJob(home.app.db, first, NOW + 1)
      await failJob(home.app.db, first, { runAt: NOW + 1, error: 'too late' })
      await giveBack(home.app.db, first, NOW + 1)
      expect(await renewLease(home.app.db, first, NOW + 1)).toBe(false)
      expect(await jobs(home.app)).toEqual(taken)
    })

    test('that is renewed keeps the job from others', async () => {
      await using home = await bareApp(engine)
      await enqueue(home.app, 'a')
      const job = await claimOne(home.app)

      const renewed = await renewLease(home.app.db, job, NOW + 2 * LEASE_MS)

      expect(renewed).toBe(true)
      expect(await claim(home.app, { now: NOW + 2 * LEASE_MS - 1 })).toEqual([])
      expect(await claim(home.app, { now: NOW + 2 * LEASE_MS })).toHaveLength(1)
    })
  })

  describe('a job', () => {
    test('that is finished for good is gone', async () => {
      await using home = await bareApp(engine)
      await enqueue(home.app, 'a')
      await enqueue(home.app, 'b', { runAt: NOW + 1 })

      await finishJob(home.app.db, await claimOne(home.app), null)

      expect(await jobs(home.app)).toMatchObject([{ id: 'b' }])
    })

    test('that recurs is due again at its next time, with a clean record', async () => {
      await using home = await bareApp(engine)
      await enqueue(home.app, 'a')
      const attempt = await claimOne(home.app)
      await failJob(home.app.db, attempt, { runAt: NOW, error: 'the platform is down' })

      await finishJob(home.app.db, await claimOne(home.app), NOW + 500)

      expect(await jobs(home.app)).toMatchObject([
        { id: 'a', run_at: NOW + 500, attempts: 0, lease: null, last_error: null },
      ])
      expect(await claim(home.app, { now: NOW + 499 })).toEqual([])
      expect(await claim(home.app, { now: NOW + 500 })).toMatchObject([{ id: 'a', attempts: 1 }])
    })

    test('that failed keeps its error and waits for the later time', async () => {
      await using home = await bareApp(engine)
      await enqueue(home.app, 'a')

      const job = await claimOne(home.app)
      await failJob(home.app.db, job, { runAt: NOW + 500, error: 'the platform is down' })

      expect(await jobs(home.app)).toMatchObject([
        { run_at: NOW + 500, attempts: 1, lease: null, last_error: 'the platform is down' },
      ])
      expect(await claim(home.app, { now: NOW + 499 })).toEqual([])
      expect(await claim(home.app, { now: NOW + 500 })).toMatchObject([{ id: 'a', attempts: 2 }])
    })

    test('that is given back can be had at once, and the attempt is not counted', async () => {
      await using home = await bareApp(engine)
      await enqueue(home.app, 'a')

      await giveBack(home.app.db, await claimOne(home.app), NOW + 7)

      expect(await jobs(home.app)).toMatchObject([{ run_at: NOW + 7, attempts: 0, lease: null }])
      expect(await claim(home.app, { now: NOW + 7 })).toMatchObject([{ id: 'a', attempts: 1 }])
    })
  })

  describe('queueFigures', () => {
    test('count what is due and what fails, queue by queue', async () => {
      await using home = await bareApp(engine)
      await enqueue(home.app, 'a', { runAt: NOW - 50 })
      const failed = await claimOne(home.app)
      await failJob(home.app.db, failed, { runAt: NOW + 90, error: 'the platform is down' })
      await enqueue(home.app, 'b', { runAt: NOW - 20 })
      await enqueue(home.app, 'c', { runAt: NOW })
      await enqueue(home.app, 'd', { runAt: NOW + 1, queue: 'crawl' })

      expect(await queueFigures(home.app.db, NOW)).toEqual([
        { queue: 'crawl', due: 0, failing: 0, oldestRunAt: NOW + 1 },
        { queue: 'work', due: 2, failing: 1, oldestRunAt: NOW - 20 },
      ])
    })

    test('are none for an empty queue', async () => {
      await using home = await bareApp(engine)

      expect(await queueFigures(home.app.db, NOW)).toEqual([])
    })
  })
})

interface NewJob {
  queue?: string
  payload?: string
  runAt?: number
}

function enqueue(
  { db }: App,
  id: string,
  { queue = 'work', payload = '{}', runAt = NOW }: NewJob = {},
): Promise<void> {
  return enqueueOnce(db, { queue, id, name: 'a_job', payload }, runAt)
}

function claim({ database, db }: App, terms: Partial<Claim> = {}): Promise<Job[]> {
  const usual = { queues: ['work'], names: ['a_job'], limit: 10, now: NOW }
  const lease = { leaseMs: LEASE_MS, lease: 'a lease' }
  return CLAIM_JOBS[database.engine](db, { ...usual, ...lease, ...terms })
}

async function claimOne(app: App, terms: Partial<Claim> = {}): Promise<Job> {
  const [job, ...others] = await claim(app, terms)
  if (job === undefined || others.length > 0) throw new Error('Not exactly one job was due.')
  return job
}

function jobs({ db }: App) {
  return db.selectFrom('job').selectAll().orderBy('queue').orderBy('id').execute()
}

function ids(list: readonly Job[]): string[] {
  return list.map(({ id }) => id).sort()
}
