// The HTTP door: everything that every request passes, in the order it passes it.

import cookie from '@fastify/cookie'
import { fastify, type FastifyInstance, type FastifyReply, type RouteOptions } from 'fastify'
import type { App } from '../app.ts'
import type { ErrorEnvelope } from '../contract/error.ts'
import { OperatorError } from '../errors.ts'
import { httpLog } from '../logger.ts'
import './caller.ts'
import { answerClientError, answerExpectation } from './client-error.ts'
import { Drain } from './drain.ts'
import { errorResponse } from './error-response.ts'
import { addExit } from './exit.ts'
import { addGate } from './gate.ts'
import { loginLimits } from './login-limits.ts'
import { createMetrics } from './metrics.ts'
import { knowAllMethods, refuseOtherMethods, refuseUnknownPaths } from './not-found.ts'
import { limitRequests } from './rate-limits.ts'
import type { Limits } from './route.ts'
import { newRequestId } from './request-id.ts'
import { registerOperations } from './routes/operations.ts'
import { registerReference } from './routes/reference.ts'
import { ROUTES } from './routes/registry.ts'

const BODY_LIMIT_BYTES = 256 * 1_024

async function buildServer(app: App) {
  const { http, production, accounts } = app.config
  const server = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: http.trustProxy,
    genReqId: newRequestId,
    requestIdHeader: false,
    // While draining, requests on open connections are answered as ever.
    return503OnClosing: false,
    clientErrorHandler: answerClientError(production),
    // Checked at the gate, where the answer is one of ours.
    http: { requireHostHeader: false },
    frameworkErrors(error, request, reply) {
      request.caller = null // it has passed no hook and has nothing of what ours have
      gate.enter(request, reply)
      const answer = reply as FastifyReply
      const body = refuse(error, request.id, answer)
      exit.leave(request, answer)
      answer.send(body)
    },
  })
  const drain = new Drain(server)
  const metrics = createMetrics(app)
  const limits = {
    requests: limitRequests(http.ratePerMinute, app.clock),
    logins: loginLimits(accounts.loginAttempts, app.clock),
  }
  const registered: RouteOptions[] = []
  server.addHook('onRoute', (options) => void registered.push(options))

  knowAllMethods(server)
  server.server.on('checkExpectation', answerExpectation(production))
  server.removeContentTypeParser('text/plain')
  server.decorateRequest('caller', null)
  server.decorateRequest('beganAt', 0)
  const gate = addGate(server, { production, maxEventLoopDelayMs: http.maxEventLoopDelayMs })
  const exit = addExit(server, { drain, requests: metrics.requests })
  server.setErrorHandler((error, request, reply) => {
    reply.send(refuse(error, request.id, reply))
  })

  registerOperations(server, app, { metrics, drain })
  registerReference(server)
  await registerRoutes(server, app, limits)
  refuseOtherMethods(server, [...registered])
  refuseUnknownPaths(server)
  return { server, drain }
}

export async function startServer(app: App): Promise<AsyncDisposable & { url: string }> {
  const { server, drain } = await buildServer(app)
  const { host, port } = app.config.http
  try {
    const url = await server.listen({ host, port })
    return { url, [Symbol.asyncDispose]: () => drain.run(app.config.shutdownMs) }
  } catch (error) {
    await server.close()
    throw explainListening(error, host, port)
  }
}

/** Only what may carry a session reads cookies: the API's own routes need not pay for it. */
async function registerRoutes(server: FastifyInstance, app: App, limits: Limits): Promise<void> {
  const doors = ROUTES.flatMap((route) => route.doors(app, limits))
  for (const { route, usesSession } of doors) if (!usesSession) server.route(route)
  await server.register(async (dashboard) => {
    await dashboard.register(cookie)
    for (const { route, usesSession } of doors) if (usesSession) dashboard.route(route)
  })
}

/** Sets status and headers of a failure, and returns the body that goes with them. */
function refuse(error: unknown, requestId: string, reply: FastifyReply): ErrorEnvelope {
  const { status, headers, body, logAs } = errorResponse(error, requestId)
  if (logAs !== null) httpLog[logAs]({ requestId, err: error }, 'request failed')
  reply.code(status).headers(headers)
  return body
}

function explainListening(error: unknown, host: string, port: number): unknown {
  const code = (error as NodeJS.ErrnoException).code
  switch (code) {
    case 'EADDRINUSE':
      return new OperatorError(
        `Port ${port} on ${host} is in use. Stop what uses it, or set PORT to another.`,
      )
    case 'EACCES':
      return new OperatorError(
        `Port ${port} on ${host} is not allowed for this user. Set PORT to one above 1023.`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new OperatorError(
        `${host} is no address of this machine. Set HOST to one that is, 127.0.0.1 for example.`,
      )
    default:
      return error
  }
}
