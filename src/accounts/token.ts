// Sessions and invitations are proved by a random token. We keep only its hash, so a copy of the
// database opens no door.

import { hash, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32

export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

export function hashOfToken(token: string): string {
  return hash('sha256', token, 'hex')
}
