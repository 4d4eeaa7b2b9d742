// Owns the `import_progress` table.

import type { Db, Trx } from '../db/database.ts'

export interface ImportProgress {
  lines: number
  imported: number
  updated: number
  rejected: number
}

export interface ImportKey {
  organizationId: string
  /** Tells one state of one file from every other. */
  source: string
}

export async function importProgress(
  db: Db,
  { organizationId, source }: ImportKey,
): Promise<ImportProgress | undefined> {
  return db
    .selectFrom('import_progress')
    .select(['lines', 'imported', 'updated', 'rejected'])
    .where('organization_id', '=', organizationId)
    .where('source', '=', source)
    .executeTakeFirst()
}

export async function saveProgress(
  trx: Trx,
  { organizationId, source }: ImportKey,
  { progress, now }: { progress: ImportProgress; now: number },
): Promise<void> {
  const columns = { ...progress, saved_at: now }
  await trx
    .insertInto('import_progress')
    .values({ organization_id: organizationId, source, ...columns })
    .onConflict((conflict) => conflict.columns(['organization_id', 'source']).doUpdateSet(columns))
    .execute()
}

export async function forgetProgress(db: Db, { organizationId, source }: ImportKey): Promise<void> {
  await db
    .deleteFrom('import_progress')
    .where('organization_id', '=', organizationId)
    .where('source', '=', source)
    .execute()
}
