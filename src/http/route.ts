// A route is an operation of the contract and the function that answers it. Everything between the
// two is here, once: who may call, what is valid, and the envelope.

import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { z } from 'zod'
import type { App } from '../app.ts'
import { sessionPathOf } from '../contract/access.ts'
import { NoBody, type Operation } from '../contract/operation.ts'
import { bySession, byKey, refuseForeignOrigin } from './authenticate.ts'
import type { Caller } from './caller.ts'
import { JsonBytes } from './json-bytes.ts'
import { checkPart, invalidRequest, type Checked } from './invalid-request.ts'
import type { LoginLimits } from './login-limits.ts'
import type { LimitRequests } from './rate-limits.ts'

export interface Limits {
  requests: LimitRequests
  logins: LoginLimits
}

export interface Call<Params, Query, Body> {
  app: App
  params: Params
  query: Query
  body: Body
  limits: Limits
  request: FastifyRequest
  reply: FastifyReply
}

type Answer<Response> = Response | JsonBytes | Promise<Response | JsonBytes>

export interface Route {
  operation: Operation
  /** Where the operation is served: its routes by key or without, and those by session. */
  doors(app: App, limits: Limits): Door[]
}

interface Door {
  usesSession: boolean
  route: RouteOptions
}

export function route<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Response extends z.ZodType,
>(
  operation: Operation<Params, Query, Body, Response>,
  answer: (
    call: Call<z.output<Params>, z.output<Query>, z.output<Body>>,
  ) => Answer<z.input<Response>>,
): Route {
  return {
    operation,
    doors(app, limits) {
      const handler = (request: FastifyRequest, reply: FastifyReply) => {
        const parts = partsOf(operation, request)
        const data = answer({ app, limits, request, reply, ...parts })
        if (data instanceof Promise) return data.then((made) => enveloped(made, reply))
        return reply.send(enveloped(data, reply))
      }
      return doorsOf(operation, app, limits).map(({ url, usesSession, onRequest }) => ({
        usesSession,
        route: { method: operation.method, url, onRequest, handler },
      }))
    },
  }
}

/** The caller of an operation that lets nobody in unknown. */
export function callerOf({ request }: { request: FastifyRequest }): Caller {
  if (request.caller === null) throw new Error('This operation has no caller.')
  return request.caller
}

/** The hash of the session's token, for operations that only a session can call. */
export function sessionOf(call: { request: FastifyRequest }): string {
  const { proof } = callerOf(call)
  if (proof.kind !== 'session') throw new Error('This operation has no session.')
  return proof.tokenHash
}

/** An operation of the API has two doors: its own path by key, and below /api by session. */
function doorsOf({ access, path }: Operation, app: App, { requests }: Limits) {
  const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
  switch (access.kind) {
    case 'public':
      return [{ url, usesSession: true, onRequest: refuseForeignOrigin(app) }]
    case 'session':
      return [{ url, usesSession: true, onRequest: bySession(app, access.right) }]
    case 'api':
      return [
        { url, usesSession: false, onRequest: byKey(app, requests, access.scope) },
        { url: sessionPathOf(url), usesSession: true, onRequest: bySession(app, null, requests) },
      ]
  }
}

function partsOf<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType>(
  operation: Operation<Params, Query, Body>,
  request: FastifyRequest,
) {
  const params = check(operation.params, request.params)
  const query = check(operation.query, request.query)
  const body = check(operation.body, request.body)
  if (params.ok && query.ok && body.ok) {
    return { params: params.data, query: query.data, body: body.data }
  }
  const parts = [params, query, body]
  throw invalidRequest(parts.flatMap((part) => (part.ok ? [] : part.details)))
}

/** Nothing given is the usual case of the busiest routes: what it comes to is known. */
function check<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
): Checked<z.output<Schema>> {
  if (Object.is(schema, NoBody)) return NOTHING as Checked<z.output<Schema>>
  if (!isEmptyObject(given)) return checkPart(schema, given)

  const known = OF_NOTHING.get(schema) ?? checkPart(schema, {})
  OF_NOTHING.set(schema, known)
  return known as Checked<z.output<Schema>>
}

function isEmptyObject(given: unknown): boolean {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  return isObject && Object.keys(given).length === 0
}

const NOTHING: Checked<unknown> = { ok: true, data: {} }
const OF_NOTHING = new WeakMap<z.ZodType, Checked<unknown>>()

const BEFORE_DATA = Buffer.from('{"success":true,"data":')
const BEHIND_DATA = Buffer.from('}')

function enveloped(data: unknown, reply: FastifyReply): unknown {
  if (!(data instanceof JsonBytes)) return { success: true, data }
  reply.type('application/json; charset=utf-8')
  return data.within(BEFORE_DATA, BEHIND_DATA)
}
