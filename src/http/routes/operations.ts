// Routes for whoever operates the service, outside the contract: alive, ready, measured.

import { timingSafeEqual, hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { isMigrated } from '../../db/readiness.ts'
import type { App } from '../../app.ts'
import { AppError } from '../../errors.ts'
import type { Drain } from '../drain.ts'
import type { Metrics } from '../metrics.ts'

export function registerOperations(
  server: FastifyInstance,
  app: App,
  { metrics, drain }: { metrics: Metrics; drain: Drain },
): void {
  server.get('/healthz', (_request, reply) => {
    reply.send({ success: true, data: { status: 'alive' } })
  })

  server.get('/readyz', async () => {
    if (drain.started) throw notReady('This process is shutting down.')
    if (!(await isMigrated(app.database))) throw notReady('Migrations have not been applied yet.')
    return { success: true, data: { status: 'ready', database: app.database.engine } }
  })

  server.get('/metrics', async (request, reply) => {
    requireToken(app.config.http.metricsToken, request.headers.authorization)
    reply.type(metrics.registry.contentType)
    return metrics.registry.metrics()
  })
}

function notReady(message: string): AppError {
  return new AppError('UNAVAILABLE', message, { headers: { 'retry-after': '1' } })
}

function requireToken(token: string | undefined, authorization: string | undefined): void {
  if (token === undefined) return
  const digest = (text: string) => hash('sha256', text, 'buffer')
  if (timingSafeEqual(digest(`Bearer ${token}`), digest(authorization ?? ''))) return
  throw new AppError('UNAUTHORIZED', 'The metrics want the token of EARSHOT_METRICS_TOKEN.')
}
