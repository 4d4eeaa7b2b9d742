import type { z } from 'zod'
import { AppError, type ErrorDetail } from '../errors.ts'

/** Parses one part of a request, or says everything that is wrong with it at once. */
export function parsePart<Schema extends z.ZodType>(
  schema: Schema,
  part: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(part)
  if (parsed.success) return parsed.data
  throw invalidRequest(parsed.error.issues.flatMap(detailsOf))
}

function invalidRequest(details: ErrorDetail[]): AppError {
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
  return [{ path: path.join('.'), message: sentenceOf(issue.message) }]
}

function sentenceOf(message: string): string {
  if (message.endsWith('received undefined')) return 'This field is required.'
  return message.endsWith('.') ? message : `${message}.`
}
