// Turns a key or a session into a caller. With a key that is known and fresh everything here is
// synchronous: no promise, no round trip.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { VerifiedKey } from '../accounts/key-verifier.ts'
import { hasRight, hasScope } from '../accounts/rights.ts'
import { sessionIdentity } from '../accounts/session-store.ts'
import { identityOf } from '../accounts/sign-in.ts'
import { hashOfToken } from '../accounts/token.ts'
import type { App } from '../app.ts'
import type { Right, Scope } from '../contract/access.ts'
import { AppError } from '../errors.ts'
import type { LimitRequests } from './rate-limits.ts'
import { isSameOrigin } from './same-origin.ts'
import { sessionTokenOf } from './session-cookie.ts'

type Done = (error?: Error) => void
type Hook = (request: FastifyRequest, reply: FastifyReply, done: Done) => void

const BEARER = 'Bearer '
const ANY_BEARER = /^Bearer +(?<key>\S+) *$/i
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

export function byKey(app: App, limit: LimitRequests, scope: Scope | null): Hook {
  const admit = (request: FastifyRequest, reply: FastifyReply, verified: VerifiedKey | null) => {
    // Guesses are counted too, by address: a key can be tried only so often.
    limit(reply, verified === null ? request.ip : verified.id)
    if (verified === null) throw unauthorized()
    request.caller = { identity: verified.identity, proof: { kind: 'key', id: verified.id } }
    if (scope !== null && !hasScope(verified.identity.scopes, scope)) throw lacksScope(scope)
  }

  return (request, reply, done) => {
    const verified = app.keys.verify(keyIn(request.headers.authorization ?? ''))
    if (verified instanceof Promise) {
      verified.then((found) => admit(request, reply, found)).then(() => done(), done)
      return
    }
    admit(request, reply, verified)
    done()
  }
}

export function bySession(app: App, right: Right | null, limit?: LimitRequests) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const token = sessionTokenOf(request)
    const tokenHash = hashOfToken(token ?? '')
    const session =
      token === undefined ? undefined : await sessionIdentity(app.db, tokenHash, app.clock())
    limit?.(reply, session === undefined ? request.ip : tokenHash)
    if (session === undefined) throw unauthorized()

    if (!SAFE_METHODS.has(request.method)) requireSameOrigin(app, request)
    request.caller = { identity: identityOf(session), proof: { kind: 'session', tokenHash } }
    if (right !== null && !hasRight(session.role, right)) throw lacksRight()
  }
}

/** As nearly everybody writes it; or as HTTP allows it: in any case, with more blanks. */
function keyIn(authorization: string): string {
  if (authorization.startsWith(BEARER) && !authorization.includes(' ', BEARER.length)) {
    return authorization.slice(BEARER.length)
  }
  return ANY_BEARER.exec(authorization)?.groups?.['key'] ?? ''
}

/** A public write may come from a program, which sends no Origin; a foreign page's is refused. */
export function refuseForeignOrigin(app: App) {
  return async (request: FastifyRequest): Promise<void> => {
    if (request.headers.origin !== undefined) requireSameOrigin(app, request)
  }
}

function requireSameOrigin({ config }: App, request: FastifyRequest): void {
  const { protocol, host } = request
  const { publicUrl } = config.http
  if (isSameOrigin({ origin: request.headers.origin, protocol, host, publicUrl })) return
  throw new AppError(
    'FORBIDDEN',
    'A write with a session must come from our own pages. Behind a proxy, set EARSHOT_PUBLIC_URL to the address people use.',
  )
}

/** One and the same answer, whatever is wrong with the key or the session. */
function unauthorized(): AppError {
  return new AppError('UNAUTHORIZED', 'A valid API key or session is required.')
}

function lacksScope(scope: Scope): AppError {
  return new AppError('FORBIDDEN', `This key lacks the scope ${scope}.`)
}

function lacksRight(): AppError {
  return new AppError('FORBIDDEN', 'Your role in this organization does not allow that.')
}
