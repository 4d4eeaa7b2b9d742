// Which role may do what, and to whom. Pure decisions.

import type { Right, Role, Scope } from '../contract/access.ts'

const ROLES_WITH = {
  'access:manage': ['owner', 'admin'],
  'records:work': ['owner', 'admin', 'member'],
  'webhooks:manage': ['owner', 'admin'],
} as const satisfies Record<Right, readonly Role[]>

export function hasRight(role: Role, right: Right): boolean {
  const roles: readonly Role[] = ROLES_WITH[right]
  return roles.includes(role)
}

export function hasScope(scopes: readonly Scope[], scope: Scope): boolean {
  return scopes.includes('*') || scopes.includes(scope)
}

/** Only an owner makes or unmakes owners; an admin may do everything else to members. */
export function mayManage(actor: Role, role: Role): boolean {
  return actor === 'owner' || (actor === 'admin' && role !== 'owner')
}
