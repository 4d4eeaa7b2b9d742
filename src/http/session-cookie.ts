import '@fastify/cookie' // adds cookies to request and reply
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OpenedSession } from '../accounts/sign-in.ts'
import { SESSION_COOKIE } from '../contract/access.ts'

export function sessionTokenOf(request: FastifyRequest): string | undefined {
  return request.cookies[SESSION_COOKIE]
}

export function setSessionCookie(
  reply: FastifyReply,
  { token, expiresAt }: OpenedSession,
  production: boolean,
): void {
  reply.setCookie(SESSION_COOKIE, token, {
    ...optionsFor(production),
    expires: new Date(expiresAt),
  })
}

export function clearSessionCookie(reply: FastifyReply, production: boolean): void {
  reply.clearCookie(SESSION_COOKIE, optionsFor(production))
}

function optionsFor(production: boolean) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: production } as const
}
