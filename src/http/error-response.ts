// The only place where a failure becomes an HTTP answer.

import { STATUS_OF, type ErrorEnvelope } from '../contract/error.ts'
import { isOutage, isTimeout } from '../db/failure.ts'
import { AppError, type ErrorCode } from '../errors.ts'

export interface ErrorResponse {
  status: number
  headers: Record<string, string>
  body: ErrorEnvelope
  /** How to log it: a bug, an outage or a query that was stopped, whose message never leaves. */
  logAs: 'error' | 'warn' | null
}

const RETRY_AFTER_S = '5'

/** What the framework itself refuses, by the code of its error. */
const FRAMEWORK_ERRORS: Record<string, () => AppError> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupportedMediaType,
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new AppError('PAYLOAD_TOO_LARGE', 'The body is larger than 256 KiB.'),
  FST_ERR_CTP_INVALID_JSON_BODY: malformedJson,
  FST_ERR_CTP_EMPTY_JSON_BODY: malformedJson,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new AppError('INVALID_REQUEST', 'The body is not as long as Content-Length says.'),
  FST_ERR_BAD_URL: () => new AppError('INVALID_REQUEST', 'The path is not a valid URL path.'),
}

export function errorResponse(failure: unknown, requestId: string): ErrorResponse {
  const known = knownFailure(failure)
  const { code, message, details, headers } = known ?? internal()
  return {
    status: STATUS_OF[code],
    headers: code === 'UNAUTHORIZED' ? { 'www-authenticate': 'Bearer', ...headers } : headers,
    body: {
      success: false,
      data: {},
      error: { code, message, requestId, ...(details === undefined ? {} : { details }) },
    },
    logAs: severityOf(failure, code),
  }
}

/** That a query was stopped is no fault of the program, but whoever runs it wants to know. */
function severityOf(failure: unknown, code: ErrorCode): ErrorResponse['logAs'] {
  if (isTimeout(failure)) return 'warn'
  return code === 'INTERNAL' || code === 'UNAVAILABLE' ? 'error' : null
}

function knownFailure(failure: unknown): AppError | undefined {
  if (failure instanceof AppError) return failure
  if (isTimeout(failure)) return stopped(failure)
  if (isOutage(failure)) return unavailable(failure)
  const code = failure instanceof Error && 'code' in failure ? String(failure.code) : ''
  if (Object.hasOwn(FRAMEWORK_ERRORS, code)) return FRAMEWORK_ERRORS[code]?.()
  // The JSON parser's own complaint, which has no code.
  const isBadBody = failure instanceof SyntaxError && 'statusCode' in failure
  return isBadBody ? malformedJson() : undefined
}

function unavailable(cause: unknown): AppError {
  return new AppError('UNAVAILABLE', 'The database cannot be reached right now. Try again soon.', {
    cause,
    headers: { 'retry-after': RETRY_AFTER_S },
  })
}

function stopped(cause: unknown): AppError {
  return new AppError(
    'OVERLOADED',
    'This took the database too long and was stopped. Narrow it down by channel, platform or dates, or try again.',
    { cause, headers: { 'retry-after': RETRY_AFTER_S } },
  )
}

function unsupportedMediaType(): AppError {
  return new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    'Send the body as JSON, with the header Content-Type: application/json.',
  )
}

function malformedJson(): AppError {
  return new AppError('MALFORMED_JSON', 'The body is not valid JSON.')
}

function internal(): AppError {
  return new AppError(
    'INTERNAL',
    'Something went wrong on our side. The request id finds it in the log.',
  )
}
