import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { OperatorError } from '../errors.ts'
import { newWebhookSecret, sealed, unsealed } from './webhook-secret.ts'

const KEY = randomBytes(32)

test('a secret is whsec_ and 32 bytes in base64, never the same', () => {
  const secret = newWebhookSecret()

  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32)
  expect(newWebhookSecret()).not.toBe(secret)
})

test('what was sealed can be read again with the same key for the same webhook', () => {
  const secret = newWebhookSecret()

  expect(unsealed(KEY, 'whk_1', sealed(KEY, 'whk_1', secret))).toBe(secret)
})

test('sealed it shows nothing of itself, and is different each time', () => {
  const secret = newWebhookSecret()
  const [one, other] = [sealed(KEY, 'whk_1', secret), sealed(KEY, 'whk_1', secret)]

  expect(one).not.toBe(other)
  expect(Buffer.from(one, 'base64').includes(secret)).toBe(false)
  expect(one).not.toContain(secret)
})

test.each([
  { name: 'with another key', key: randomBytes(32), webhookId: 'whk_1' },
  { name: 'for another webhook', key: KEY, webhookId: 'whk_2' },
])('$name it cannot be read, and the operator is told what to do', ({ key, webhookId }) => {
  const hidden = sealed(KEY, 'whk_1', newWebhookSecret())

  const read = () => unsealed(key, webhookId, hidden)

  expect(read).toThrow(OperatorError)
  expect(read).toThrow(`The secret of ${webhookId} cannot be read: EARSHOT_SECRET`)
})

test('one changed byte anywhere makes it unreadable', () => {
  const hidden = Buffer.from(sealed(KEY, 'whk_1', newWebhookSecret()), 'base64')

  for (const index of hidden.keys()) {
    const changed = Buffer.from(hidden)
    changed.writeUInt8(hidden.readUInt8(index) ^ 1, index)
    expect(() => unsealed(KEY, 'whk_1', changed.toString('base64'))).toThrow(OperatorError)
  }
})

test.each(['', 'AAAA', 'no base64 at all'])('"%s" is no sealed secret', (text) => {
  expect(() => unsealed(KEY, 'whk_1', text)).toThrow(OperatorError)
})
