// Owns the `organization` table.

import type { PlanType } from '../contract/identity.ts'
import type { Db } from '../db/database.ts'

export interface Organization {
  id: string
  name: string
  planType: PlanType
  createdAt: number
}

export async function insertOrganization(db: Db, organization: Organization): Promise<void> {
  const { id, name, planType, createdAt } = organization
  await db
    .insertInto('organization')
    .values({ id, name, plan_type: planType, created_at: createdAt })
    .execute()
}

export async function organizationExists(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('organization')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** The id of the only organization; undefined when there is none, or more than one. */
export async function soleOrganization(db: Db): Promise<string | undefined> {
  const rows = await db.selectFrom('organization').select('id').limit(2).execute()
  return rows.length === 1 ? rows[0]?.id : undefined
}

export async function organizationIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('organization').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}
