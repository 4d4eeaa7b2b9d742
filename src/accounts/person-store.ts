// Owns the `person` table: one row a human being, whatever organizations they belong to. The wire
// calls a person's id `userId`.

import type { Db, Trx } from '../db/database.ts'

export interface Person {
  id: string
  email: string
  passwordHash: string
  createdAt: number
}

export async function insertPerson(db: Db, person: Person): Promise<void> {
  const { id, email, passwordHash, createdAt } = person
  await db
    .insertInto('person')
    .values({ id, email, password_hash: passwordHash, created_at: createdAt })
    .execute()
}

export async function anyPersonExists(db: Db): Promise<boolean> {
  const row = await db.selectFrom('person').select('id').limit(1).executeTakeFirst()
  return row !== undefined
}

export function personByEmail(db: Db, email: string): Promise<Person | undefined> {
  return people(db).where('email', '=', email).executeTakeFirst()
}

export function personById(db: Db, id: string): Promise<Person | undefined> {
  return people(db).where('id', '=', id).executeTakeFirst()
}

/** Ids sort by time, so the smallest is the person who set this installation up. */
export function firstPerson(db: Db): Promise<Person | undefined> {
  return people(db).orderBy('id').limit(1).executeTakeFirst()
}

export async function setPasswordHash(db: Db, id: string, passwordHash: string): Promise<void> {
  await db.updateTable('person').set({ password_hash: passwordHash }).where('id', '=', id).execute()
}

/**
 * Whether the password is still the one that was checked. As an update that changes nothing, it also
 * keeps anybody from changing it before the transaction ends, on both engines.
 */
export async function holdPassword(trx: Trx, id: string, passwordHash: string): Promise<boolean> {
  const result = await trx
    .updateTable('person')
    .set({ password_hash: passwordHash })
    .where('id', '=', id)
    .where('password_hash', '=', passwordHash)
    .executeTakeFirstOrThrow()
  return result.numUpdatedRows > 0n
}

function people(db: Db) {
  return db
    .selectFrom('person')
    .select(['id', 'email', 'password_hash as passwordHash', 'created_at as createdAt'])
}
