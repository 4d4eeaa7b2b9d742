import { expect, test } from 'vitest'
import { SourceError } from '../source.ts'
import { nextCursor, readCursor, type Cursor } from './cursor.ts'
import type { Outcome } from './fetch-items.ts'

const KNOWN: Cursor = { seen: [3, 2, 1], newestAt: 9_000, pending: [], holes: [], validators: null }

const read = (id: number, time?: number): Outcome => ({ kind: 'read', id, item: { id, time } })
const absent = (id: number): Outcome => ({ kind: 'absent', id })
const failed = (id: number): Outcome => ({
  kind: 'failed',
  id,
  error: new SourceError('unreachable', 'no answer'),
})

test.each([null, '', 'no JSON', '[]', '{"seen":"all"}'])('the cursor %j counts as none', (text) => {
  expect(readCursor(text)).toEqual({
    seen: [],
    newestAt: null,
    pending: [],
    holes: [],
    validators: null,
  })
})

test('a cursor is read as it was written', () => {
  const cursor = { ...KNOWN, pending: [{ id: 4, tries: 2 }], validators: { etag: '"a"' } }

  expect(readCursor(JSON.stringify(cursor))).toEqual(cursor)
})

test('the listed ids come before those seen earlier, each once', () => {
  expect(nextCursor(KNOWN, { listed: [5, 3], outcomes: [] }).seen).toEqual([5, 3, 2, 1])
})

test('of the ids seen the two thousand listed last are kept', () => {
  const seen = Array.from({ length: 2_000 }, (_, index) => index + 1)

  const next = nextCursor({ ...KNOWN, seen }, { listed: [5_000, 4_000], outcomes: [] })

  expect(next.seen).toHaveLength(2_000)
  expect(next.seen.slice(0, 3)).toEqual([5_000, 4_000, 1])
})

test('the newest time is the latest of all items, and never goes back', () => {
  const listed = [5, 4]

  expect(nextCursor(KNOWN, { listed, outcomes: [read(5, 30), read(4, 20)] }).newestAt).toBe(30_000)
  expect(nextCursor(KNOWN, { listed, outcomes: [read(5, 3), read(4)] }).newestAt).toBe(9_000)
})

test('what is absent or failed is pending until it is read', () => {
  const first = nextCursor(KNOWN, { listed: [6, 5, 4], outcomes: [read(6), absent(5), failed(4)] })
  const second = nextCursor({ ...KNOWN, ...first }, { listed: [], outcomes: [read(5), failed(4)] })

  expect(first.pending).toEqual([
    { id: 5, tries: 1 },
    { id: 4, tries: 1 },
  ])
  expect(second.pending).toEqual([{ id: 4, tries: 2 }])
})

test('what is pending and was not asked for stays as it is', () => {
  const pending = [{ id: 4, tries: 3 }]

  expect(nextCursor({ ...KNOWN, pending }, { listed: [], outcomes: [] }).pending).toEqual(pending)
})

test('an absent item is given up after five more rounds, a failing one is not', () => {
  const pending = [
    { id: 5, tries: 5 },
    { id: 4, tries: 5 },
  ]

  const next = nextCursor({ ...KNOWN, pending }, { listed: [], outcomes: [absent(5), failed(4)] })

  expect(next.pending).toEqual([{ id: 4, tries: 6 }])
})
