import { z } from 'zod'
import { Scope } from './access.ts'
import { Instant, Name } from './fields.ts'
import { Empty, operation } from './operation.ts'

export const Key = z
  .strictObject({
    id: z.string().startsWith('key_'),
    name: z.string(),
    hint: z.string().describe('The first characters of the key, to tell keys apart.'),
    scopes: z.array(Scope),
    userId: z.string().startsWith('usr_').describe('On whose behalf the key acts.'),
    createdAt: Instant,
    expiresAt: Instant.nullable(),
    lastUsedAt: Instant.nullable().describe('Exact to about a minute.'),
  })
  .meta({ id: 'Key', description: 'An API key as lists show it: never the key itself.' })
export type Key = z.infer<typeof Key>

export const NewKey = z.strictObject({
  name: Name,
  scopes: z
    .array(Scope)
    .min(1)
    .default(['*'])
    .transform((scopes) => [...new Set(scopes)]),
  expiresAt: z.iso.datetime({ offset: true }).nullable().default(null),
})
export type NewKey = z.infer<typeof NewKey>

export const ListKeys = operation({
  id: 'listKeys',
  method: 'GET',
  path: '/api/keys',
  summary: 'The keys of the organization that are not revoked, newest first.',
  access: { kind: 'session', right: 'access:manage' },
  response: z.strictObject({ items: z.array(Key) }),
})

export const CreateKey = operation({
  id: 'createKey',
  method: 'POST',
  path: '/api/keys',
  summary: 'Make a key. The answer holds it in full, this once.',
  access: { kind: 'session', right: 'access:manage' },
  body: NewKey,
  response: z.strictObject({ id: z.string().startsWith('key_'), key: z.string() }),
})

export const RevokeKey = operation({
  id: 'revokeKey',
  method: 'DELETE',
  path: '/api/keys/{id}',
  summary: 'Revoke a key: it stops working on every process within a second.',
  access: { kind: 'session', right: 'access:manage' },
  params: z.strictObject({ id: z.string() }),
  response: Empty,
  errors: ['NOT_FOUND'],
})
