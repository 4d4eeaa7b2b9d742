import type { z } from 'zod'
import { AppError, OperatorError } from '../errors.ts'

/** One line, or a few, for whoever ran the command. Never a stack, unless it is a bug. */
export function messageOf(error: unknown): string {
  if (error instanceof AppError) return [error.message, ...detailLines(error)].join('\n')
  if (error instanceof OperatorError) return error.message
  if (error instanceof Error) return `unexpected: ${error.stack ?? error.message}`
  return `unexpected: ${String(error)}`
}

function detailLines({ details = [] }: AppError): string[] {
  return details.map(({ path, message }) => `  ${path}: ${message}`)
}

/** Checks an option's value, and names the option when it is not accepted. */
export function parseOption<Schema extends z.ZodType>(
  option: string,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const reasons = parsed.error.issues.map(({ message }) => message.replace(/\.$/, ''))
  throw new OperatorError(`${option} is not accepted: ${reasons.join('; ')}.`)
}
