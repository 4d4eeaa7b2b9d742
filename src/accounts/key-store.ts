// Owns the `api_key` table and its `api_key_locator`, which finds a key's organization by the hash.

import type { Role, Scope } from '../contract/access.ts'
import type { Identity, PlanType } from '../contract/identity.ts'
import { fromJsonText, toJsonText } from '../db/codecs.ts'
import type { Db, Trx } from '../db/database.ts'

export interface StoredKey {
  organizationId: string
  id: string
  personId: string
  name: string
  hint: string
  scopes: Scope[]
  createdAt: number
  expiresAt: number | null
  lastUsedAt: number | null
}

/** A key that may be used, with the identity bound to it. */
export interface LiveKey {
  id: string
  identity: Identity
  expiresAt: number | null
  lastUsedAt: number | null
}

export async function insertKey(trx: Trx, key: StoredKey, keyHash: string): Promise<void> {
  await trx
    .insertInto('api_key')
    .values({
      organization_id: key.organizationId,
      id: key.id,
      person_id: key.personId,
      name: key.name,
      hint: key.hint,
      scopes: toJsonText(key.scopes),
      created_at: key.createdAt,
      expires_at: key.expiresAt,
      revoked_at: null,
      last_used_at: key.lastUsedAt,
    })
    .execute()
  await trx
    .insertInto('api_key_locator')
    .values({ key_hash: keyHash, organization_id: key.organizationId, key_id: key.id })
    .execute()
}

/**
 * The key behind a hash, unless it was revoked or its person no longer belongs to the organization.
 * Expiry is left to the caller, who may keep the answer for a while.
 */
export async function liveKeyByHash(db: Db, keyHash: string): Promise<LiveKey | undefined> {
  const row = await db
    .selectFrom('api_key_locator as locator')
    .innerJoin('api_key as key', (join) =>
      join
        .onRef('key.organization_id', '=', 'locator.organization_id')
        .onRef('key.id', '=', 'locator.key_id'),
    )
    .innerJoin('membership', (join) =>
      join
        .onRef('membership.organization_id', '=', 'key.organization_id')
        .onRef('membership.person_id', '=', 'key.person_id'),
    )
    .innerJoin('organization', 'organization.id', 'key.organization_id')
    .select(['key.id', 'key.organization_id', 'key.person_id', 'key.scopes', 'key.expires_at'])
    .select(['key.last_used_at', 'membership.role', 'organization.plan_type'])
    .where('locator.key_hash', '=', keyHash)
    .where('key.revoked_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return undefined

  const identity: Identity = {
    userId: row.person_id,
    organizationId: row.organization_id,
    role: row.role as Role,
    planType: row.plan_type as PlanType,
    scopes: fromJsonText<Scope>(row.scopes),
  }
  return { id: row.id, identity, expiresAt: row.expires_at, lastUsedAt: row.last_used_at }
}

/** Those that are not revoked, newest first; expired ones too, so that people see why one fails. */
export async function keysOf(db: Db, organizationId: string): Promise<StoredKey[]> {
  const rows = await db
    .selectFrom('api_key')
    .select(['organization_id as organizationId', 'id', 'person_id as personId', 'name', 'hint'])
    .select(['scopes', 'created_at as createdAt', 'expires_at as expiresAt'])
    .select('last_used_at as lastUsedAt')
    .where('organization_id', '=', organizationId)
    .where('revoked_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({ ...row, scopes: fromJsonText<Scope>(row.scopes) }))
}

/** False when the organization has no such key that is still in force. */
export async function revokeKey(
  trx: Trx,
  { organizationId, id }: { organizationId: string; id: string },
  now: number,
): Promise<boolean> {
  const result = await trx
    .updateTable('api_key')
    .set({ revoked_at: now })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return result.numUpdatedRows > 0n
}

export async function revokeKeysOfPerson(
  trx: Trx,
  { organizationId, personId }: { organizationId: string; personId: string },
  now: number,
): Promise<void> {
  await trx
    .updateTable('api_key')
    .set({ revoked_at: now })
    .where('organization_id', '=', organizationId)
    .where('person_id', '=', personId)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Another process may have written a later time: it stays. */
export async function writeLastUsed(
  db: Db,
  { organizationId, id }: { organizationId: string; id: string },
  usedAt: number,
): Promise<void> {
  await db
    .updateTable('api_key')
    .set({ last_used_at: usedAt })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', usedAt)]))
    .execute()
}

/** By way of the organizations, whose number is small: every index of `api_key` starts with one. */
export async function organizationOfKey(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('organization')
    .innerJoin('api_key', 'api_key.organization_id', 'organization.id')
    .select('organization.id')
    .where('api_key.id', '=', id)
    .executeTakeFirst()
  return row?.id
}
