import type { FoundRecord } from './found-record.ts'
import type { Order } from './wanted.ts'

/** Where something is in an order: a record's key, and before it what else it is sorted by. */
export type Position = readonly number[]

/** Where a record is in an order. */
export function positionOf(record: FoundRecord, order: Order): Position {
  return order === 'newest' ? [record.key] : [record[order], record.key]
}

/** The highest first. */
export function inOrder(records: readonly FoundRecord[], order: Order): FoundRecord[] {
  return records.toSorted((a, b) => {
    const difference = order === 'newest' ? 0 : b[order] - a[order]
    return difference === 0 ? b.key - a.key : difference
  })
}
