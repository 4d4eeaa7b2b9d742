import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

const RETRY_AFTER_S = '2'
const SAMPLE_EVERY_MS = 250

/** Whoever watches the process must get an answer above all when it is busy. */
const NEVER_SHED = new Set(['/healthz', '/readyz', '/metrics'])

/** Better to turn some requests away quickly than to answer all of them too late. */
export async function shedLoad(
  server: FastifyInstance,
  maxEventLoopDelayMs: number,
): Promise<void> {
  if (maxEventLoopDelayMs === 0) return
  await server.register(underPressure, {
    maxEventLoopDelay: maxEventLoopDelayMs,
    sampleInterval: SAMPLE_EVERY_MS,
    pressureHandler(request) {
      if (NEVER_SHED.has(request.routeOptions.url ?? '')) return
      throw new AppError('OVERLOADED', 'This process has more to do than it can. Try again soon.', {
        headers: { 'retry-after': RETRY_AFTER_S },
      })
    },
  })
}
