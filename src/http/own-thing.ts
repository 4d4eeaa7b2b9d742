import type { FastifyRequest } from 'fastify'
import { callerOf } from './route.ts'

/** What the path names, in the caller's organization: another's is not there. */
export function ownThing(call: { params: { id: string }; request: FastifyRequest }): {
  organizationId: string
  id: string
} {
  const { organizationId } = callerOf(call).identity
  return { organizationId, id: call.params.id }
}
