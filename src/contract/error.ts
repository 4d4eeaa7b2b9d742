import { z } from 'zod'
import type { ErrorCode } from '../errors.ts'

/** The one map from a failure's code to its HTTP status. */
export const STATUS_OF = {
  INVALID_REQUEST: 400,
  INVALID_CURSOR: 400,
  MALFORMED_JSON: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  SEMANTIC_UNAVAILABLE: 503,
  OVERLOADED: 503,
  UNAVAILABLE: 503,
} as const satisfies Record<ErrorCode, number>

const CODES = Object.keys(STATUS_OF) as [ErrorCode, ...ErrorCode[]]

export const ErrorEnvelope = z
  .strictObject({
    success: z.literal(false),
    data: z.strictObject({}).describe('Always an object, so that it can be destructured.'),
    error: z.strictObject({
      code: z.enum(CODES),
      message: z.string().describe('For people: what is wrong and how to put it right.'),
      requestId: z.string().describe('The same as the `x-request-id` header.'),
      details: z
        .array(z.strictObject({ path: z.string(), message: z.string() }))
        .optional()
        .describe('Every invalid field, all at once.'),
    }),
  })
  .meta({ id: 'Error' })
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>
