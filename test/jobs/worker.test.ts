import { describe, expect, test, vi } from 'vitest'
import { foundInstallation } from '#src/accounts/found.ts'
import { putInvitation } from '#src/accounts/invitation-store.ts'
import { insertSession } from '#src/accounts/session-store.ts'
import type { App } from '#src/app.ts'
import type { RecurringJob } from '#src/jobs/job.ts'
import { JOBS } from '#src/jobs/registry.ts'
import { startWorker } from '#src/jobs/worker.ts'
import { hours, minutes, seconds } from '#src/lib/duration.ts'
import { bareApp, NOW } from '#test/support/bare-app.ts'
import { ENGINES } from '#test/support/place.ts'
import { OWNER } from '#test/support/test-app.ts'

/** A worker looks for jobs every second. */
const SOON = { timeout: 20_000, interval: 20 }
const EVERY_MS = minutes(10)

describe.concurrent.each(ENGINES)('a worker on %s', (engine) => {
  test('purges what has expired, and nothing else', async () => {
    await using home = await bareApp(engine)
    await anAccountWithExpiries(home.app, { past: NOW, future: NOW + 1 })

    const purging = JOBS.filter(({ name }) => name === 'purge_expired')
    await using _worker = await startWorker(home.app, { queues: ['work'], jobs: purging })

    await untilJobIs(home.app, { name: 'purge_expired', run_at: NOW + hours(1), attempts: 0 })
    expect(await expiries(home.app)).toEqual({ sessions: [NOW + 1], invitations: [NOW + 1] })
  })

  test('runs a recurring job again when it is due again, and not before', async () => {
    await using home = await bareApp(engine)
    const job = aJob()
    await using _worker = await startWorker(home.app, { queues: ['work'], jobs: [job] })
    await untilJobIs(home.app, { run_at: NOW + EVERY_MS })

    home.advance(EVERY_MS)

    await untilJobIs(home.app, { run_at: NOW + 2 * EVERY_MS })
    expect(job.runs).toBe(2)
  })

  test('retries a job that failed later, and keeps its error until it succeeds', async () => {
    await using home = await bareApp(engine)
    const job = aJob({
      run: async () => {
        if (job.runs <= 2) throw new Error(`failure ${job.runs}`)
        return {}
      },
    })
    await using _worker = await startWorker(home.app, { queues: ['work'], jobs: [job] })

    const first = { attempts: 1, run_at: NOW + seconds(5), last_error: 'failure 1', lease: null }
    await untilJobIs(home.app, first)
    home.advance(seconds(5))
    const second = { attempts: 2, run_at: NOW + seconds(15), last_error: 'failure 2', lease: null }
    await untilJobIs(home.app, second)
    home.advance(seconds(10))
    const third = { attempts: 0, run_at: NOW + seconds(15) + EVERY_MS, last_error: null }
    await untilJobIs(home.app, third)

    expect(job.runs).toBe(3)
  })

  test('that stops gives back a job it aborts, and another worker has it at once', async () => {
    await using home = await bareApp(engine)
    const job = aJob({ run: (_app, signal) => abortion(signal) })
    const worker = await startWorker(home.app, { queues: ['work'], jobs: [job] })
    await vi.waitFor(() => expect(job.runs).toBe(1), SOON)

    await worker[Symbol.asyncDispose]()

    expect(await jobs(home.app)).toMatchObject([
      { run_at: NOW, attempts: 0, lease: null, last_error: null },
    ])
    const next = aJob()
    await using _successor = await startWorker(home.app, { queues: ['work'], jobs: [next] })
    await untilJobIs(home.app, { run_at: NOW + EVERY_MS })
    expect(next.runs).toBe(1)
  })

  test('that stops waits for a job that finishes all the same', async () => {
    await using home = await bareApp(engine)
    const job = aJob({
      run: async (_app, signal) => {
        await abortion(signal).catch(() => {}) // the signal comes, the work is done anyway
        return {}
      },
    })
    const worker = await startWorker(home.app, { queues: ['work'], jobs: [job] })
    await vi.waitFor(() => expect(job.runs).toBe(1), SOON)

    await worker[Symbol.asyncDispose]()

    expect(await jobs(home.app)).toMatchObject([{ run_at: NOW + EVERY_MS, attempts: 0 }])
  })

  test('shares with another and neither does what the other did', async () => {
    await using home = await bareApp(engine)
    const second = await home.another()
    const work = Array.from({ length: 12 }, (_, index) => aJob({ name: `job_${index}` }))

    const workers = [home.app, second].map((app) =>
      startWorker(app, { queues: ['work'], jobs: work }),
    )
    await using _one = await workers[0]
    await using _two = await workers[1]

    await vi.waitFor(async () => {
      const settled = (await jobs(home.app)).filter(({ run_at }) => run_at === NOW + EVERY_MS)
      expect(settled).toHaveLength(work.length)
    }, SOON)
    expect(work.map(({ runs }) => runs)).toEqual(work.map(() => 1))
  })

  test('leaves the other queues alone', async () => {
    await using home = await bareApp(engine)
    const [ours, theirs] = [aJob({ name: 'ours' }), aJob({ name: 'theirs', queue: 'crawl' })]

    await using _worker = await startWorker(home.app, { queues: ['work'], jobs: [ours, theirs] })

    await untilJobIs(home.app, { name: 'ours', run_at: NOW + EVERY_MS })
    expect(theirs.runs).toBe(0)
    expect(await jobs(home.app)).toHaveLength(1)
  })
})

interface CountedJob extends RecurringJob {
  runs: number
}

/** Counts its runs. */
function aJob(parts: Partial<RecurringJob> = {}): CountedJob {
  const job: CountedJob = {
    runs: 0,
    name: 'a_job',
    queue: 'work',
    everyMs: () => EVERY_MS,
    ...parts,
    kind: 'recurring',
    run: async (app, signal) => {
      job.runs += 1
      return (await parts.run?.(app, signal)) ?? {}
    },
  }
  return job
}

/** Never ends but by the signal. */
function abortion(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

function jobs({ db }: App) {
  return db.selectFrom('job').selectAll().orderBy('id').execute()
}

async function untilJobIs(app: App, expected: Record<string, unknown>): Promise<void> {
  await vi.waitFor(async () => expect(await jobs(app)).toMatchObject([expected]), SOON)
}

async function anAccountWithExpiries(
  { db }: App,
  times: Record<'past' | 'future', number>,
): Promise<void> {
  const founding = { ...OWNER, organizationName: 'Acme' }
  const { userId, organizationId } = await foundInstallation(db, founding, NOW)
  for (const [name, expiresAt] of Object.entries(times)) {
    const common = { organizationId, tokenHash: name, createdAt: NOW, expiresAt }
    const email = `${name}@example.com`
    await insertSession(db, { ...common, personId: userId })
    await putInvitation(db, { ...common, id: name, email, role: 'member', invitedBy: userId })
  }
}

async function expiries({ db }: App) {
  const sessions = await db.selectFrom('session').select('expires_at').execute()
  const invitations = await db.selectFrom('invitation').select('expires_at').execute()
  return {
    sessions: sessions.map((row) => row.expires_at),
    invitations: invitations.map((row) => row.expires_at),
  }
}
