import type { Db } from '../db/database.ts'
import { isoTime } from '../lib/iso-time.ts'
import { rematchPages, type Rematch } from './rematch.ts'

interface DayOfPreview {
  /** The UTC day of the posts. */
  day: string
  add: number
  drop: number
}

export interface Preview {
  examined: number
  add: number
  drop: number
  keep: number
  /** Newest first; days on which nothing changes are left out. */
  days: DayOfPreview[]
}

/** What a change of rules would add and drop among the stored records. Changes nothing. */
export async function previewRules(db: Db, rematch: Rematch): Promise<Preview> {
  const preview: Preview = { examined: 0, add: 0, drop: 0, keep: 0, days: [] }
  const days = new Map<string, DayOfPreview>()
  for await (const { records, changes } of rematchPages(db, rematch)) {
    const createdAt = new Map(records.map((record) => [record.key, record.createdAt]))
    const dayOf = (key: number) => dayIn(days, createdAt.get(key) ?? 0)
    for (const { recordKey } of changes.added) dayOf(recordKey).add += 1
    for (const { recordKey } of changes.dropped) dayOf(recordKey).drop += 1
    preview.examined += records.length
    preview.add += changes.added.length
    preview.drop += changes.dropped.length
    preview.keep += changes.kept.length
  }
  return { ...preview, days: [...days.values()].sort((a, b) => (a.day < b.day ? 1 : -1)) }
}

function dayIn(days: Map<string, DayOfPreview>, createdAt: number): DayOfPreview {
  const day = isoTime(createdAt).slice(0, 'YYYY-MM-DD'.length)
  const known = days.get(day)
  if (known !== undefined) return known
  const fresh = { day, add: 0, drop: 0 }
  days.set(day, fresh)
  return fresh
}
