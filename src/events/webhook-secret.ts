// The secret that a webhook's deliveries are signed with. It is shown once; at rest it is encrypted with
// a key of the installation, bound to the webhook it belongs to.

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { OperatorError } from '../errors.ts'

export const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export function newWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

export function sealed(key: Buffer, webhookId: string, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(webhookId))
  const hidden = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64')
}

export function unsealed(key: Buffer, webhookId: string, text: string): string {
  const bytes = Buffer.from(text, 'base64')
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  const hidden = bytes.subarray(NONCE_BYTES + TAG_BYTES)
  try {
    const decipher = createDecipheriv(CIPHER, key, nonce)
      .setAAD(Buffer.from(webhookId))
      .setAuthTag(tag)
    return Buffer.concat([decipher.update(hidden), decipher.final()]).toString('utf8')
  } catch {
    throw new OperatorError(
      `The secret of ${webhookId} cannot be read: EARSHOT_SECRET is not the one it was stored with. ` +
        'Put the old one back, or rotate the secrets of your webhooks.',
    )
  }
}
