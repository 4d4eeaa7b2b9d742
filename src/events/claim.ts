import type { RawBuilder } from 'kysely'
import type { EngineName } from '../db/database.ts'
import { claimPostgres } from './claim.postgres.ts'
import { claimSqlite } from './claim.sqlite.ts'
import type { WebhookKey } from './webhook-store.ts'

export interface Wanted extends WebhookKey {
  /** At most so many, the longest due first. */
  most: number
}

export interface ClaimTerms {
  webhooks: readonly Wanted[]
  senderId: string
  now: number
}

interface ClaimedRow {
  organization_id: string
  id: string
  webhook_id: string
  event_id: string
  event_kind: string
  attempts: number
  tries: number
  wait_ms: number
}

/** One statement that takes what is due and is nobody's. */
export type ClaimStatement = (terms: ClaimTerms) => RawBuilder<ClaimedRow>

export const CLAIM: Record<EngineName, ClaimStatement> = {
  sqlite: claimSqlite,
  postgres: claimPostgres,
}
