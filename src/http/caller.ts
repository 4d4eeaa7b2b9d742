import type { Identity } from '../contract/identity.ts'

/** Who sent a request, and by what they proved it. */
export interface Caller {
  identity: Identity
  proof: { kind: 'key'; id: string } | { kind: 'session'; tokenHash: string }
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    /** By the monotonic clock, in milliseconds. */
    beganAt: number
  }
}
