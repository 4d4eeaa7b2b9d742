import { expect, test } from 'vitest'
import { NOT_PUBLIC } from './address-rules.ts'
import { RefusedAddressError } from './connect.ts'
import { inWords } from './post-error.ts'

function errorOf(code: string): Error {
  return Object.assign(new Error('connect to 10.11.12.13:443'), { code })
}

test.each([
  { code: 'ECONNREFUSED', words: 'Connection refused' },
  { code: 'ECONNRESET', words: 'The connection broke' },
  { code: 'EPIPE', words: 'The connection broke' },
  { code: 'UND_ERR_SOCKET', words: 'The connection broke' },
  { code: 'UND_ERR_CONNECT_TIMEOUT', words: 'No connection in time' },
  { code: 'ETIMEDOUT', words: 'No connection in time' },
  { code: 'EHOSTUNREACH', words: 'The host cannot be reached' },
  { code: 'ENETUNREACH', words: 'The host cannot be reached' },
  { code: 'ENOTFOUND', words: 'No such host' },
  { code: 'EAI_AGAIN', words: 'The host cannot be looked up' },
  { code: 'DEPTH_ZERO_SELF_SIGNED_CERT', words: 'The certificate is self-signed' },
  { code: 'SELF_SIGNED_CERT_IN_CHAIN', words: 'The certificate is self-signed' },
  {
    code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    words: 'The certificate is not from a known authority',
  },
  { code: 'CERT_HAS_EXPIRED', words: 'The certificate has expired' },
  { code: 'CERT_NOT_YET_VALID', words: 'The certificate is not valid yet' },
  { code: 'ERR_TLS_CERT_ALTNAME_INVALID', words: 'The certificate is for another host' },
  { code: 'UND_ERR_HEADERS_OVERFLOW', words: 'The headers of the answer are too long' },
  { code: 'ERR_SSL_WRONG_VERSION_NUMBER', words: 'No secure connection' },
  { code: 'ERR_HTTP2_STREAM_ERROR', words: 'The connection broke' },
])('$code is told as "$words"', ({ code, words }) => {
  expect(inWords(errorOf(code))).toBe(words)
})

test('an answer that cannot be parsed is not HTTP', () => {
  const error = Object.assign(errorOf('HPE_INVALID_CONSTANT'), { name: 'HTTPParserError' })

  expect(inWords(error)).toBe('The answer is not HTTP')
})

test('what was refused says how to open it, and no more', () => {
  expect(inWords(new RefusedAddressError('10.11.12.13'))).toBe(NOT_PUBLIC)
})

test('what is behind an error is what counts', () => {
  const wrapped = new Error('fetch failed', { cause: errorOf('ECONNREFUSED') })

  expect(inWords(wrapped)).toBe('Connection refused')
  expect(inWords(new Error('twice', { cause: wrapped }))).toBe('Connection refused')
})

test('of several connections that failed the first is told', () => {
  const both = new AggregateError([errorOf('ENETUNREACH'), errorOf('ECONNREFUSED')])

  expect(inWords(both)).toBe('The host cannot be reached')
  expect(inWords(new AggregateError([]))).toBe('No answer (unknown reason)')
})

test.each([
  { error: errorOf('ESOMETHING'), words: 'No answer (ESOMETHING)' },
  { error: new Error('10.11.12.13'), words: 'No answer (unknown reason)' },
  { error: 'a text', words: 'No answer (unknown reason)' },
  { error: undefined, words: 'No answer (unknown reason)' },
])('what nobody foresaw is told by its code alone: $words', ({ error, words }) => {
  expect(inWords(error)).toBe(words)
})
