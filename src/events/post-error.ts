import { NOT_PUBLIC } from './address-rules.ts'
import { RefusedAddressError } from './connect.ts'

const WORDS: Record<string, string> = {
  ECONNREFUSED: 'Connection refused',
  ECONNRESET: 'The connection broke',
  EPIPE: 'The connection broke',
  UND_ERR_SOCKET: 'The connection broke',
  UND_ERR_CONNECT_TIMEOUT: 'No connection in time',
  ETIMEDOUT: 'No connection in time',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The host cannot be reached',
  ENOTFOUND: 'No such host',
  EAI_AGAIN: 'The host cannot be looked up',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate is not from a known authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate is not from a known authority',
  CERT_HAS_EXPIRED: 'The certificate has expired',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host',
  EPROTO: 'No secure connection',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'The answer is not as long as it says',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too long',
}

const KINDS: readonly [RegExp, string][] = [
  [/^ERR_SSL_|^ERR_TLS_/, 'No secure connection'],
  [/^ERR_HTTP2_/, 'The connection broke'],
]

/** Whether a body is not what it is said to be encoded as. */
export function isDamage(error: unknown): boolean {
  return /^Z_|^ERR__|^ERR_BROTLI/.test(codeOf(error))
}

/** Why an attempt brought no answer. */
export function inWords(error: unknown): string {
  const cause = rootOf(error)
  if (cause instanceof RefusedAddressError) {
    return NOT_PUBLIC
  }
  const code = codeOf(cause)
  if (cause instanceof Error && cause.name === 'HTTPParserError') return 'The answer is not HTTP'
  const words = WORDS[code] ?? KINDS.find(([kind]) => kind.test(code))?.[1]
  return words ?? `No answer (${code === '' ? 'unknown reason' : code})`
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** The first of several connections that failed, and what is behind it. */
function rootOf(error: unknown): unknown {
  if (error instanceof AggregateError) return rootOf(error.errors[0])
  return error instanceof Error && error.cause instanceof Error ? rootOf(error.cause) : error
}
