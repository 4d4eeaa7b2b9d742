import { expect, test } from 'vitest'
import type { Role } from '../contract/access.ts'
import { hasRight, hasScope, mayManage } from './rights.ts'

test.each([
  { role: 'owner', may: true },
  { role: 'admin', may: true },
  { role: 'member', may: false },
  { role: 'viewer', may: false },
] as const)('$role manages keys and members: $may', ({ role, may }) => {
  expect(hasRight(role, 'access:manage')).toBe(may)
})

test.each([
  { role: 'owner', may: true },
  { role: 'admin', may: true },
  { role: 'member', may: true },
  { role: 'viewer', may: false },
] as const)('$role works with records: $may', ({ role, may }) => {
  expect(hasRight(role, 'records:work')).toBe(may)
})

test.each<{ actor: Role; role: Role; may: boolean }>([
  { actor: 'owner', role: 'owner', may: true },
  { actor: 'owner', role: 'viewer', may: true },
  { actor: 'admin', role: 'owner', may: false },
  { actor: 'admin', role: 'admin', may: true },
  { actor: 'member', role: 'viewer', may: false },
  { actor: 'viewer', role: 'viewer', may: false },
])('$actor may make or unmake a $role: $may', ({ actor, role, may }) => {
  expect(mayManage(actor, role)).toBe(may)
})

test('the scope * is every scope', () => {
  expect(hasScope(['*'], 'search:read')).toBe(true)
  expect(hasScope(['search:read'], 'search:read')).toBe(true)
  expect(hasScope(['search:read'], 'records:read')).toBe(false)
  expect(hasScope([], 'records:read')).toBe(false)
})
