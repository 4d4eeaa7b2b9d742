// What tests ask of an answer beside its status.

import { expect } from 'vitest'
import type { z } from 'zod'
import type { Answer } from './client.ts'

/** The data of a success, held against what the contract promises for the operation. */
export function dataOf<Response extends z.ZodType>(
  answer: Answer,
  { response }: { response: Response },
): z.output<Response> {
  expect({ status: answer.status, ...answer.body }).toMatchObject({ status: 200, success: true })
  return response.parse(answer.body.data)
}

/** All of a failure but its request id, which differs with every request. */
export function withoutRequestId({ status, headers, body }: Answer) {
  const { requestId: _, ...error } = body.error ?? { requestId: '' }
  const challenge = headers.get('www-authenticate')
  return { status, challenge, body: { ...body, error } }
}

/** The paths of the invalid fields that a failure names. */
export function invalidPaths({ body }: Answer): string[] {
  return (body.error?.details ?? []).map(({ path }) => path)
}
