// The first thing that every request passes: the headers of every answer, and the turning away of
// requests while the event loop lags. One hook for all of it, because each costs every request.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
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

export interface Gate {
  /** Begins the time of a request and sets the headers of its answer. */
  enter(request: FastifyRequest, reply: FastifyReply): void
}

export function addGate(server: FastifyInstance, options: GateOptions): Gate {
  const headers = securityHeaders(options.production)
  const load = watchLoad(options.maxEventLoopDelayMs)
  const enter = (request: FastifyRequest, reply: FastifyReply) => {
    request.beganAt = performance.now()
    reply.headers(headers)
    reply.header('x-request-id', request.id)
  }
  server.addHook('onClose', async () => load.stop())
  server.addHook('onRequest', (request, reply, done) => {
    enter(request, reply)
    if (request.headers.host === undefined) requireHost(request)
    if (load.isTooHigh && !NEVER_SHED.has(pathOf(request.url))) throw overloaded()
    done()
  })
  return { enter }
}

/** Better to turn some requests away quickly than to answer all of them too late. */
function watchLoad(maxEventLoopDelayMs: number) {
  const load = { isTooHigh: false, stop: () => {} }
  if (maxEventLoopDelayMs === 0) return load

  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  const sampling = setInterval(() => {
    // Not a number where the loop did not turn at all: the next sample then tells for how long.
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

/** Node would answer this with an empty body; HTTP/1.0 knows no such duty. */
function requireHost({ raw }: FastifyRequest): void {
  if (raw.httpVersion === '1.0') return
  throw new AppError('INVALID_REQUEST', 'A Host header is required.')
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? url
}

function overloaded(): AppError {
  return new AppError('OVERLOADED', 'This process has more to do than it can. Try again soon.', {
    headers: { 'retry-after': RETRY_AFTER_S },
  })
}
