// A cursor says where a page ended. It is signed together with what was asked, so that it continues
// that and nothing else: not another organization's, not other filters.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { AppError } from '../errors.ts'
import { parsedJson } from './json.ts'

/** Where a page ended: what its last entry is sorted by. */
type Position = readonly (number | string)[]

/** Everything that a cursor continues. */
export interface Continued {
  organizationId: string
  operation: string
  wanted: unknown
}

const SIGNATURE_BYTES = 16

export function makeCursor(key: Buffer, continued: Continued, position: Position): string {
  const place = Buffer.from(JSON.stringify(position))
  return Buffer.concat([signature(key, continued, place), place]).toString('base64url')
}

/** What `makeCursor` was given: of the same type, because it is signed together with the operation. */
export function readCursor<Given extends Position>(
  key: Buffer,
  continued: Continued,
  cursor: string,
): Given {
  const bytes = Buffer.from(cursor, 'base64url')
  const place = bytes.subarray(SIGNATURE_BYTES)
  const expected = signature(key, continued, place)
  const isOurs =
    bytes.length > SIGNATURE_BYTES &&
    timingSafeEqual(expected, bytes.subarray(0, SIGNATURE_BYTES)) &&
    // One cursor is one text: whatever else decodes to the same bytes is not it.
    bytes.toString('base64url') === cursor
  if (!isOurs) throw invalidCursor()
  return parsedJson(place.toString()) as Given
}

function signature(key: Buffer, { organizationId, operation, wanted }: Continued, place: Buffer) {
  return createHmac('sha256', key)
    .update(JSON.stringify([organizationId, operation, wanted]))
    .update(place)
    .digest()
    .subarray(0, SIGNATURE_BYTES)
}

function invalidCursor(): AppError {
  return new AppError(
    'INVALID_CURSOR',
    'This cursor does not belong to this request. Copy `nextCursor` unchanged and keep the filters, or leave the cursor out to begin anew.',
  )
}
