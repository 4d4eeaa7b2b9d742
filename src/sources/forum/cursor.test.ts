import { expect, test } from 'vitest'
import { readCursor, writeCursor } from './cursor.ts'

test('what was written can be read', () => {
  const position = {
    memory: [
      { id: 'b', at: 2 },
      { id: 'a', at: 1 },
    ],
    empty: 2,
    etag: '"x"',
  }

  expect(readCursor(writeCursor(position))).toEqual(position)
})

test.each([null, '', 'nonsense', 'null', '[]', '{}', '{"known": [["a"]]}', '{"known": [[1, 2]]}'])(
  '%s counts as none',
  (cursor) => {
    expect(readCursor(cursor)).toBeNull()
  },
)
