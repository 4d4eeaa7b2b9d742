import type { NewKey } from '../contract/key.ts'
import type { Db } from '../db/database.ts'
import { AppError, notFound } from '../errors.ts'
import { newId } from '../lib/id.ts'
import { hashOfKey, hintOfKey, newKey } from './key-format.ts'
import { insertKey } from './key-store.ts'
import { holdMembership } from './membership-store.ts'

export interface KeyRequest extends NewKey {
  organizationId: string
  personId: string
}

/** Makes a key for a member. What it returns is the only time the key itself is seen. */
export async function issueKey(
  db: Db,
  request: KeyRequest,
  now: number,
): Promise<{ id: string; key: string }> {
  const expiresAt = request.expiresAt === null ? null : Date.parse(request.expiresAt)
  if (expiresAt !== null && expiresAt <= now) {
    const details = [{ path: 'expiresAt', message: 'Give a time in the future.' }]
    throw new AppError('INVALID_REQUEST', 'A key cannot expire in the past.', { details })
  }

  const { organizationId, personId, name, scopes } = request
  const [id, key] = [newId('key', now), newKey()]
  const stored = { organizationId, id, personId, name, scopes, expiresAt, lastUsedAt: null }
  await db.transaction().execute(async (trx) => {
    if (!(await holdMembership(trx, organizationId, personId))) throw notFound('member')
    await insertKey(trx, { ...stored, hint: hintOfKey(key), createdAt: now }, hashOfKey(key))
  })
  return { id, key }
}
