// Everything the service leaves behind, as text: to look for what must not be in it.

import { vi } from 'vitest'
import type { Answer } from './client.ts'
import type { TestApp } from './test-app.ts'

export type LogLine = Record<string, unknown>

export function logLines(app: TestApp): LogLine[] {
  const lines = app.log().split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}

/** The lines that a request left: written after the answer, so they may be a moment late. */
export function linesOf(app: TestApp, { headers }: Pick<Answer, 'headers'>): Promise<LogLine[]> {
  const id = headers.get('x-request-id')
  return vi.waitFor(() => {
    const own = logLines(app).filter(({ requestId }) => requestId === id)
    if (!own.some(({ msg }) => msg === 'request')) throw new Error(`${id} is not in the log yet.`)
    return own
  })
}

/** Every value of every table. */
export async function storedText({ app: { db } }: TestApp): Promise<string> {
  const tables = await db.introspection.getTables()
  const rows = await Promise.all(
    tables.map(({ name }) =>
      db
        .selectFrom(name as 'person')
        .selectAll()
        .execute(),
    ),
  )
  return JSON.stringify(rows)
}
