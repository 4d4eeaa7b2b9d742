import type { Key } from '../contract/key.ts'
import { isoTime, isoTimeOrNull } from '../lib/iso-time.ts'
import type { StoredKey } from './key-store.ts'

export function presentKey(key: StoredKey): Key {
  const { id, name, hint, scopes, personId } = key
  return {
    id,
    name,
    hint,
    scopes,
    userId: personId,
    createdAt: isoTime(key.createdAt),
    expiresAt: isoTimeOrNull(key.expiresAt),
    lastUsedAt: isoTimeOrNull(key.lastUsedAt),
  }
}
