import { expect, test } from 'vitest'
import { makeCursor, readCursor } from './page-cursor.ts'

const KEY = Buffer.from('a key')
const CONTINUED = { organizationId: 'org_1', operation: 'search', wanted: { terms: ['cat'] } }

test.each([[[-5]], [[646_577_348_610_791]], [[12, 646_577_348_610_791]]])(
  '%j comes back',
  (place) => {
    expect(readCursor(KEY, CONTINUED, makeCursor(KEY, CONTINUED, place))).toEqual(place)
  },
)

test.each([
  { differs: 'organization', other: { ...CONTINUED, organizationId: 'org_2' } },
  { differs: 'operation', other: { ...CONTINUED, operation: 'listRecords' } },
  { differs: 'filter', other: { ...CONTINUED, wanted: { terms: ['dog'] } } },
])('another $differs refuses it', ({ other }) => {
  const cursor = makeCursor(KEY, CONTINUED, [5])

  expect(() => readCursor(KEY, other, cursor)).toThrow(/does not belong/)
})

test('another key refuses it', () => {
  const cursor = makeCursor(Buffer.from('another'), CONTINUED, [5])

  expect(() => readCursor(KEY, CONTINUED, cursor)).toThrow(/does not belong/)
})

test('what is changed in any place, cut or lengthened is refused', () => {
  const cursor = makeCursor(KEY, CONTINUED, [5])
  const changed = Array.from(
    cursor,
    (character, index) =>
      cursor.slice(0, index) + (character === 'A' ? 'B' : 'A') + cursor.slice(index + 1),
  )
  const cut = Array.from(cursor, (_, index) => cursor.slice(0, index))

  for (const wrong of [...changed, ...cut, `${cursor}A`, `${cursor}=`, ` ${cursor}`, 'ä']) {
    expect(() => readCursor(KEY, CONTINUED, wrong)).toThrow(/does not belong/)
  }
})
