import { SourceError, type SourceFailure } from '../source.ts'

/** What an answer that is neither 2xx nor 304 means. */
function failureOf(status: number): SourceFailure {
  switch (status) {
    case 401:
      return 'unauthorized'
    case 403:
    case 451:
      return 'forbidden'
    case 404:
    case 410:
      return 'not_found'
    case 408:
      return 'unreachable'
    case 429:
      return 'throttled'
    default:
      return status >= 500 ? 'unreachable' : 'unreadable'
  }
}

/** Says nothing of the address: it may carry what is nobody's business. */
export function refusal(name: string, status: number, retryAfterMs: number | null): SourceError {
  const words = status === 429 ? ': it wants fewer requests' : ''
  const options = retryAfterMs === null ? {} : { retryAfterMs }
  return new SourceError(failureOf(status), `The ${name} answered HTTP ${status}${words}.`, options)
}
