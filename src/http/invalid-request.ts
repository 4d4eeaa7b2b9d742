// Checks the parts of a request against their schemas, and says everything that is wrong with all
// of them at once.

import type { z } from 'zod'
import { AppError, type ErrorDetail } from '../errors.ts'

export type Checked<Output> = { ok: true; data: Output } | { ok: false; details: ErrorDetail[] }

export function checkPart<Schema extends z.ZodType>(
  schema: Schema,
  part: unknown,
): Checked<z.output<Schema>> {
  const nulls = detailsOfNulls(part, [])
  if (nulls.length > 0) return { ok: false, details: nulls }
  const parsed = schema.safeParse(part)
  if (parsed.success) return { ok: true, data: parsed.data }
  return { ok: false, details: parsed.error.issues.flatMap(detailsOf) }
}

export function invalidRequest(details: ErrorDetail[]): AppError {
  const summary = details.map(({ path, message }) => (path ? `${path}: ${message}` : message))
  return new AppError('INVALID_REQUEST', `The request is not valid. ${summary.join(' ')}`, {
    details,
  })
}

function detailsOf(issue: z.core.$ZodIssue): ErrorDetail[] {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...path, key].join('.'),
      message: 'There is no such field.',
    }))
  }
  return [{ path: path.join('.'), message: sentenceOf(issue.message, path.length === 0) }]
}

function sentenceOf(message: string, isWhole: boolean): string {
  if (message.endsWith('received undefined')) {
    return isWhole ? 'A JSON body is required.' : 'This field is required.'
  }
  return message.endsWith('.') ? message : `${message}.`
}

/** PostgreSQL cannot store the NUL character, and nobody means it. */
function detailsOfNulls(part: unknown, path: readonly string[]): ErrorDetail[] {
  if (typeof part === 'string' && part.includes('\u0000')) {
    return [{ path: path.join('.'), message: 'The NUL character is not accepted.' }]
  }
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([name, inner]) => detailsOfNulls(inner, [...path, name]))
}
