export type ErrorCode =
  | 'INVALID_REQUEST'
  | 'INVALID_CURSOR'
  | 'MALFORMED_JSON'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'CONFLICT'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RATE_LIMITED'
  | 'SEMANTIC_UNAVAILABLE'
  | 'OVERLOADED'
  | 'UNAVAILABLE'
  | 'INTERNAL'

/** One invalid field of a request; `path` is written the way the caller wrote it: `rules.0.any`. */
export interface ErrorDetail {
  path: string
  message: string
}

interface AppErrorOptions extends ErrorOptions {
  details?: ErrorDetail[]
  headers?: Record<string, string>
}

/**
 * A failure the caller caused and can act on. Its message is written for that caller and may be
 * shown to them. Anything else that is thrown is a bug or an outage, and is never shown.
 */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly details: ErrorDetail[] | undefined
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options)
    this.code = code
    this.details = options.details
    this.headers = options.headers ?? {}
  }
}

/**
 * A reason the program cannot start or go on, written for the person who runs it: one line that
 * says what is wrong and what to do. The front door prints it without a stack and exits with 1.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}

/** The same answer whether a thing is missing or belongs to another organization. */
export function notFound(kind: string): AppError {
  return new AppError('NOT_FOUND', `There is no such ${kind} in this organization.`)
}
