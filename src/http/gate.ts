// The first thing that every request passes: the headers of every answer, and the turning away of
// requests while the event loop lags. One hook for both, because each hook costs every request.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import { securityHeaders } from './headers.ts'

const RETRY_AFTER_S = '2'
const SAMPLE_EVERY_MS = 250
const RESOLUTION_MS = 10

/** Whoever watches the process must get an answer above all when it is busy. */
const NEVER_SHED = new Set(['/healthz', '/readyz', '/metrics'])

export interface GateOptions {
  production: boolean
  maxEventLoopDelayMs: number
}

export function addGate(server: FastifyInstance, options: GateOptions): void {
  const { production, maxEventLoopDelayMs } = options
  const headers = securityHeaders(production)
  const load = watchLoad(maxEventLoopDelayMs)
  server.addHook('onClose', async () => load.stop())
  server.addHook('onRequest', (request, reply, done) => {
    request.beganAt = performance.now()
    reply.headers(headers)
    reply.header('x-request-id', request.id)
    if (load.isTooHigh && !NEVER_SHED.has(request.url)) throw overloaded()
    done()
  })
}

/** Better to turn some requests away quickly than to answer all of them too late. */
function watchLoad(maxEventLoopDelayMs: number) {
  const load = { isTooHigh: false, stop: () => {} }
  if (maxEventLoopDelayMs === 0) return load

  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  const sampling = setInterval(() => {
    load.isTooHigh = delay.mean / 1e6 - RESOLUTION_MS > maxEventLoopDelayMs
    delay.reset()
  }, SAMPLE_EVERY_MS)
  sampling.unref()
  load.stop = () => {
    clearInterval(sampling)
    delay.disable()
  }
  return load
}

function overloaded(): AppError {
  return new AppError('OVERLOADED', 'This process has more to do than it can. Try again soon.', {
    headers: { 'retry-after': RETRY_AFTER_S },
  })
}
