// Queue owns the `job` table: work that is to be done, claimed with a lease. A lease is nothing but
// a later `run_at`: a job whose process died is due again when its lease has passed. This room knows
// no job by name.

import type { ExpressionBuilder, SelectQueryBuilder } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'

export interface Job {
  queue: string
  id: string
  name: string
  payload: string
  /** How often it was begun, this time included. */
  attempts: number
  /** Proves that it is still ours when it is settled. */
  lease: string
}

export interface Claim {
  queues: readonly string[]
  /** The jobs this program knows: those of a newer release beside it are left to that. */
  names: readonly string[]
  limit: number
  now: number
  leaseMs: number
  lease: string
}

/** Takes due jobs for one worker; each engine has its own way not to take one twice. */
export type ClaimJobs = (db: Db, claim: Claim) => Promise<Job[]>

export interface QueueFigures {
  queue: string
  due: number
  failing: number
  oldestRunAt: number
}

type NewJob = Pick<Job, 'queue' | 'id' | 'name' | 'payload'>

type Keys = SelectQueryBuilder<Tables, 'job', { queue: string; id: string }>

export async function enqueueOnce(db: Db, job: NewJob, now: number): Promise<void> {
  await db
    .insertInto('job')
    .values(newRow(job, now))
    .onConflict((conflict) => conflict.columns(['queue', 'id']).doNothing())
    .execute()
}

/** Makes a job due now, unless somebody is at it: whoever is looks for more when it is done. */
export async function pullForward(db: Db, job: NewJob, now: number): Promise<void> {
  await db
    .insertInto('job')
    .values(newRow(job, now))
    .onConflict((conflict) =>
      conflict
        .columns(['queue', 'id'])
        .doUpdateSet({ run_at: now })
        .where('job.lease', 'is', null)
        .where('job.run_at', '>', now),
    )
    .execute()
}

/** Takes one certain job, due or not; undefined while somebody else is at it, or there is none. */
export async function claimJob(
  db: Db,
  { queue, id }: Pick<Job, 'queue' | 'id'>,
  { now, leaseMs, lease: proof }: Pick<Claim, 'now' | 'leaseMs' | 'lease'>,
): Promise<Job | undefined> {
  const row = await db
    .updateTable('job')
    .set(({ eb }) => ({ run_at: now + leaseMs, attempts: eb('attempts', '+', 1), lease: proof }))
    .where('queue', '=', queue)
    .where('id', '=', id)
    .where((eb) => eb.or([eb('lease', 'is', null), eb('run_at', '<=', now)]))
    .returning(['queue', 'id', 'name', 'payload', 'attempts'])
    .executeTakeFirst()
  return row && { ...row, lease: proof }
}

/** The keys of what is due, oldest first. */
export function dueKeys(db: Db, { queues, names, now, limit }: Claim): Keys {
  return db
    .selectFrom('job')
    .select(['queue', 'id'])
    .where('queue', 'in', queues)
    .where('name', 'in', names)
    .where('run_at', '<=', now)
    .orderBy('run_at')
    .limit(limit)
}

/** Materialized: a planner may otherwise look for the keys again for every row, past the limit. */
export async function lease(db: Db, keys: Keys, claim: Claim): Promise<Job[]> {
  const rows = await db
    .with(
      (name) => name('taken').materialized(),
      () => keys,
    )
    .updateTable('job')
    .set(({ eb }) => ({
      run_at: claim.now + claim.leaseMs,
      attempts: eb('attempts', '+', 1),
      lease: claim.lease,
    }))
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('queue', 'id'),
        'in',
        selectFrom('taken').select(['queue', 'id']).$asTuple('queue', 'id'),
      ),
    )
    .returning(['queue', 'id', 'name', 'payload', 'attempts'])
    .execute()
  return rows.map((row) => ({ ...row, lease: claim.lease }))
}

/**
 * Done; or, for one that recurs, done until `runAt`. False when the lease has passed and somebody
 * else has the job.
 */
export async function finishJob(db: Db, job: Job, runAt: number | null): Promise<boolean> {
  if (runAt === null) {
    const deleted = await db.deleteFrom('job').where(held(job)).executeTakeFirstOrThrow()
    return deleted.numDeletedRows > 0n
  }
  const updated = await db
    .updateTable('job')
    .set({ run_at: runAt, attempts: 0, lease: null, last_error: null })
    .where(held(job))
    .executeTakeFirstOrThrow()
  return updated.numUpdatedRows > 0n
}

export async function failJob(
  db: Db,
  job: Job,
  { runAt, error }: { runAt: number; error: string },
): Promise<void> {
  await db
    .updateTable('job')
    .set({ run_at: runAt, lease: null, last_error: error })
    .where(held(job))
    .execute()
}

/** False when the lease has passed and somebody else has the job. */
export async function renewLease(db: Db, job: Job, leasedUntil: number): Promise<boolean> {
  const result = await db
    .updateTable('job')
    .set({ run_at: leasedUntil })
    .where(held(job))
    .executeTakeFirstOrThrow()
  return result.numUpdatedRows > 0n
}

/** Gives a job back unfinished: somebody else may have it at once, and this attempt is not counted. */
export async function giveBack(db: Db, job: Job, now: number): Promise<void> {
  await db
    .updateTable('job')
    .set(({ eb }) => ({ run_at: now, attempts: eb('attempts', '-', 1), lease: null }))
    .where(held(job))
    .execute()
}

export async function queueFigures(db: Db, now: number): Promise<QueueFigures[]> {
  const rows = await db
    .selectFrom('job')
    .select(({ eb, fn }) => [
      'queue',
      fn.countAll<number>().filterWhere('run_at', '<=', now).as('due'),
      fn.countAll<number>().filterWhere('last_error', 'is not', null).as('failing'),
      eb.fn.min('run_at').as('oldestRunAt'),
    ])
    .groupBy('queue')
    .orderBy('queue')
    .execute()
  return rows
}

function newRow(job: NewJob, now: number): Tables['job'] {
  return { ...job, run_at: now, created_at: now, attempts: 0, lease: null, last_error: null }
}

function held({ queue, id, lease: proof }: Job) {
  return ({ eb, and }: ExpressionBuilder<Tables, 'job'>) =>
    and([eb('queue', '=', queue), eb('id', '=', id), eb('lease', '=', proof)])
}
