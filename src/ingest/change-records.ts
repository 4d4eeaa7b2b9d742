import type { RecordChange } from '../contract/change-records.ts'
import type { Database, Trx } from '../db/database.ts'
import { AppError, notFound, type ErrorDetail } from '../errors.ts'
import { DATASET } from './dataset.ts'
import { keyOfRecordId } from '../db/record-key.ts'
import {
  findRecords,
  insertPersonTags,
  removeTags,
  setMarks,
  type DatasetPlace,
  type FoundRecord,
} from './record-state-store.ts'

/** What a person decides about records: of all of them or, when one cannot be had, of none. */
export async function changeRecords(
  { engine, db }: Pick<Database, 'engine' | 'db'>,
  organizationId: string,
  change: RecordChange,
): Promise<number> {
  const place = { engine, organizationId }
  const { read, archived, addTags } = change
  return db.transaction().execute(async (trx) => {
    await DATASET[engine].hold(trx, organizationId)
    const records = await expectRecords(trx, place, change.ids)
    if (addTags.length > 0) refuseUnmatched(records)
    const keys = [...new Set(records.map(({ key }) => key))]
    await setMarks(trx, place, { keys, read, archived })
    if (addTags.length > 0) await insertPersonTags(trx, place, { keys, tags: addTags })
    if (change.removeTags.length > 0) {
      await removeTags(trx, place, { keys, tags: change.removeTags })
    }
    return keys.length
  })
}

/** In the order of the ids. */
async function expectRecords(
  trx: Trx,
  place: DatasetPlace,
  ids: readonly string[],
): Promise<FoundRecord[]> {
  const keys = ids.map(keyOfRecordId).filter((key) => key !== null)
  const records = await findRecords(trx, place, keys)
  // By the whole id: the key is but a part of it.
  const found = new Map(records.map((record) => [record.id, record]))
  const { message } = notFound('record')
  const missing = detailsWhere(ids, (id) => !found.has(id), message)
  if (missing.length > 0) throw new AppError('NOT_FOUND', refusal(message), { details: missing })
  return ids.flatMap((id) => found.get(id) ?? [])
}

function refuseUnmatched(records: readonly FoundRecord[]): void {
  const message = 'Only records that a watcher matched can have tags.'
  const details = detailsWhere(records, ({ matched }) => matched === 0, message)
  if (details.length > 0) throw new AppError('CONFLICT', refusal(message), { details })
}

function detailsWhere<Item>(
  items: readonly Item[],
  isWrong: (item: Item) => boolean,
  message: string,
): ErrorDetail[] {
  return items.flatMap((item, index) => (isWrong(item) ? [{ path: `ids.${index}`, message }] : []))
}

function refusal(message: string): string {
  return `${message} Nothing was changed.`
}
