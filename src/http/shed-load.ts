// Better to turn some requests away quickly than to answer all of them too late: while the event
// loop lags, requests get 503 before anything of them is read.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

const RETRY_AFTER_S = '2'
const SAMPLE_EVERY_MS = 250
const RESOLUTION_MS = 10

/** Whoever watches the process must get an answer above all when it is busy. */
const NEVER_SHED = new Set(['/healthz', '/readyz', '/metrics'])

export function shedLoad(server: FastifyInstance, maxEventLoopDelayMs: number): void {
  if (maxEventLoopDelayMs === 0) return

  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  let isOverloaded = false
  const sampling = setInterval(() => {
    isOverloaded = delay.mean / 1e6 - RESOLUTION_MS > maxEventLoopDelayMs
    delay.reset()
  }, SAMPLE_EVERY_MS)
  sampling.unref()

  server.addHook('onRequest', (request, _reply, done) => {
    if (isOverloaded && !NEVER_SHED.has(request.url)) throw overloaded()
    done()
  })
  server.addHook('onClose', async () => {
    clearInterval(sampling)
    delay.disable()
  })
}

function overloaded(): AppError {
  return new AppError('OVERLOADED', 'This process has more to do than it can. Try again soon.', {
    headers: { 'retry-after': RETRY_AFTER_S },
  })
}
