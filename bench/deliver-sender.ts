// The real sender on the real database, from its start until everything that was told to one
// organization is delivered and in the log.

import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openApp } from '../src/app.ts'
import { environment, readConfig } from '../src/config.ts'
import type { Database } from '../src/db/database.ts'
import { INDEXED_BY } from '../src/db/indexed-by.ts'
import { startSender } from '../src/jobs/sender.ts'
import { clockwork, onAsked, type Spent } from './deliver-child.ts'

/** `end` is for when the receiver has got everything: only then the database is asked. */
export type SenderOrder = { kind: 'begin' } | { kind: 'end'; organizationId: string }

const LOOK_EVERY_MS = 10
const opened = openApp(readConfig(environment()))
let sender: AsyncDisposable | undefined
let spent = clockwork()

onAsked(async (order: SenderOrder): Promise<Spent> => {
  const app = await opened
  if (order.kind === 'begin') {
    spent = clockwork()
    sender = await startSender(app)
    return spent()
  }
  while (!(await isAllDelivered(app.database, order.organizationId))) await sleep(LOOK_EVERY_MS)
  const result = spent()
  await sender?.[Symbol.asyncDispose]()
  return result
})

/** Nothing waits, nothing is being sent; and what is over went well. */
async function isAllDelivered({ db, engine }: Database, organizationId: string): Promise<boolean> {
  const by = (index: string) => INDEXED_BY[engine]('delivery', index)
  const own = sql`organization_id = ${organizationId}`
  const { rows } = await sql<Record<'waiting' | 'sending' | 'bad', number | null>>`select
    (select 1 from ${by('delivery_due')}
      where ${own} and sender_id is null and due_at is not null limit 1) as waiting,
    (select 1 from ${by('delivery_sender')} where ${own} and sender_id is not null limit 1) as sending,
    (select 1 from ${by('delivery_state')}
      where ${own} and state in ('retrying', 'failed', 'held') limit 1) as bad`.execute(db)
  const { waiting, sending, bad } = rows[0] ?? {}
  if (bad === 1) throw new Error('A delivery did not go well.')
  return waiting === null && sending === null
}
