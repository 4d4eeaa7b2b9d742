// Who may call what. The words are the contract's; which role has which right is decided in
// accounts/rights.ts.

import { z } from 'zod'

export const Role = z.enum(['owner', 'admin', 'member', 'viewer']).meta({
  id: 'Role',
  description: 'What a person may do in an organization.',
})
export type Role = z.infer<typeof Role>

export const Scope = z.enum(['*', 'search:read', 'records:read']).meta({
  id: 'Scope',
  description: 'What a key may do; `*` is everything.',
})
export type Scope = z.infer<typeof Scope>

/** What a dashboard route may ask of the caller's role. */
export type Right = 'access:manage' | 'records:work' | 'webhooks:manage'

/** The cookie that carries a session. */
export const SESSION_COOKIE = 'earshot_session'

/** Where an operation of the API is served to sessions. */
export function sessionPathOf(path: string): string {
  return `/api${path}`
}

export type Access =
  /** No key, no session. */
  | { kind: 'public' }
  /** A key at the operation's own path, or a session at the same path below `/api`. */
  | { kind: 'api'; scope: Scope | null }
  /** A session; the dashboard's own routes. */
  | { kind: 'session'; right: Right | null }
