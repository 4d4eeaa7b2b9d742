/** A read took longer than it may, or waited for so long. */
export class QueryTimeoutError extends Error {
  override readonly name = 'QueryTimeoutError'
}
