// One log line and one measurement per request. Neither holds a path as it was sent, a query or a
// header: the route's pattern says enough, and the rest may be somebody's secret.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { httpLog, timestamp, writeLine } from '../logger.ts'
import { accessLine } from './access-line.ts'
import type { Metrics } from './metrics.ts'

const NO_ROUTE = '(none)'

type Hook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void

/** A hook per route, which knows its pattern: asking the framework for it costs more than the log. */
export function observe(server: FastifyInstance, metrics: Metrics): void {
  server.addHook('onRoute', (options) => {
    const own = [options.onResponse ?? []].flat()
    options.onResponse = [...own, observing(options.url, metrics)]
  })
  const observeUnknown = observing(NO_ROUTE, metrics)
  server.addHook('onResponse', (request, reply, done) => {
    if (request.is404) observeUnknown(request, reply, done)
    else done()
  })
}

function observing(route: string, metrics: Metrics): Hook {
  return ({ id, method, caller }, reply, done) => {
    const { statusCode: status, elapsedTime: durationMs } = reply
    metrics.countRequest(method, route, status, durationMs)
    if (httpLog.isLevelEnabled('info')) {
      const answered = { requestId: id, method, route, status, durationMs, caller }
      writeLine(accessLine(answered, timestamp()))
    }
    done()
  }
}
