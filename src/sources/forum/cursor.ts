import { z } from 'zod'
import { parsedJson } from '../../lib/json.ts'
import type { Memory } from './memory.ts'

const Cursor = z.object({
  known: z.array(z.tuple([z.string().min(1), z.number()])),
  /** How many answers in a row were empty. */
  empty: z.int().min(0).default(0),
  etag: z.string().optional(),
  lastModified: z.string().optional(),
})

export interface Position {
  memory: Memory
  empty: number
  etag?: string | undefined
  lastModified?: string | undefined
}

/** One that cannot be read counts as none: the listing is then read again from its beginning. */
export function readCursor(cursor: string | null): Position | null {
  if (cursor === null) return null
  const parsed = Cursor.safeParse(parsedJson(cursor))
  if (!parsed.success) return null
  const { known, ...rest } = parsed.data
  return { ...rest, memory: known.map(([id, at]) => ({ id, at })) }
}

export function writeCursor({ memory, ...rest }: Position): string {
  return JSON.stringify({ known: memory.map(({ id, at }) => [id, at]), ...rest })
}
