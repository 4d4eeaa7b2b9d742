// Owns the `membership` table: who belongs to which organization, in which role.

import type { Role } from '../contract/access.ts'
import type { Db, Trx } from '../db/database.ts'

export interface Membership {
  organizationId: string
  personId: string
  role: Role
}

export interface MemberRow {
  personId: string
  email: string
  role: Role
  createdAt: number
}

export interface BelongsTo {
  id: string
  name: string
  role: Role
}

export async function insertMembership(
  db: Db,
  { organizationId, personId, role }: Membership,
  now: number,
): Promise<void> {
  await db
    .insertInto('membership')
    .values({ organization_id: organizationId, person_id: personId, role, created_at: now })
    .execute()
}

export async function roleOf(
  db: Db,
  organizationId: string,
  personId: string,
): Promise<Role | undefined> {
  const row = await db
    .selectFrom('membership')
    .select('role')
    .where('organization_id', '=', organizationId)
    .where('person_id', '=', personId)
    .executeTakeFirst()
  return row?.role as Role | undefined
}

/**
 * Whether the person is a member. As an update that changes nothing, it also keeps anybody from
 * removing them before the transaction ends, on both engines.
 */
export async function holdMembership(
  trx: Trx,
  organizationId: string,
  personId: string,
): Promise<boolean> {
  const result = await trx
    .updateTable('membership')
    .set(({ ref }) => ({ role: ref('role') }))
    .where('organization_id', '=', organizationId)
    .where('person_id', '=', personId)
    .executeTakeFirstOrThrow()
  return result.numUpdatedRows > 0n
}

export async function membersOf(db: Db, organizationId: string): Promise<MemberRow[]> {
  const rows = await db
    .selectFrom('membership')
    .innerJoin('person', 'person.id', 'membership.person_id')
    .select(['person_id as personId', 'email', 'role', 'membership.created_at as createdAt'])
    .where('organization_id', '=', organizationId)
    .orderBy('membership.created_at')
    .orderBy('person_id')
    .execute()
  return rows as MemberRow[]
}

export async function organizationsOf(db: Db, personId: string): Promise<BelongsTo[]> {
  const rows = await db
    .selectFrom('membership')
    .innerJoin('organization', 'organization.id', 'membership.organization_id')
    .select(['organization.id', 'organization.name', 'role'])
    .where('person_id', '=', personId)
    .orderBy('organization.id')
    .execute()
  return rows as BelongsTo[]
}

export async function countOwners(db: Db, organizationId: string): Promise<number> {
  const { owners } = await db
    .selectFrom('membership')
    .select(({ fn }) => fn.countAll<number>().as('owners'))
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  return owners
}

export async function setRole(
  db: Db,
  { organizationId, personId, role }: Membership,
): Promise<void> {
  await db
    .updateTable('membership')
    .set({ role })
    .where('organization_id', '=', organizationId)
    .where('person_id', '=', personId)
    .execute()
}

export async function deleteMembership(
  db: Db,
  organizationId: string,
  personId: string,
): Promise<void> {
  await db
    .deleteFrom('membership')
    .where('organization_id', '=', organizationId)
    .where('person_id', '=', personId)
    .execute()
}
