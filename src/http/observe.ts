// One log line and one measurement per request. Neither holds a path as it was sent, a query or a
// header: the route's pattern says enough, and the rest may be somebody's secret.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { httpLog } from '../logger.ts'
import type { Metrics } from './metrics.ts'

const NO_ROUTE = '(none)'

export function observe(server: FastifyInstance, metrics: Metrics): void {
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? NO_ROUTE
    const durationMs = reply.elapsedTime
    metrics.countRequest(request.method, route, reply.statusCode, durationMs)
    logRequest(request, reply, { route, durationMs })
    done()
  })
}

function logRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  { route, durationMs }: { route: string; durationMs: number },
): void {
  if (!httpLog.isLevelEnabled('info')) return
  const { caller } = request
  httpLog.info(
    {
      requestId: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      durationMs: Math.round(durationMs * 1_000) / 1_000,
      organizationId: caller?.identity.organizationId,
      keyId: caller?.proof.kind === 'key' ? caller.proof.id : undefined,
    },
    'request',
  )
}
