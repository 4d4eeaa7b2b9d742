// One log line and one measurement per request. Neither holds a path as it was sent, a query or a
// header: the route's pattern says enough, and the rest may be somebody's secret.
//
// Both are taken when the answer is handed to the socket. Waiting for the socket to have sent it
// would cost two listeners a request and say little more: answers are small.

import type { FastifyInstance, onSendHookHandler } from 'fastify'
import { httpLog, timestamp, writeLine } from '../logger.ts'
import { accessLine } from './access-line.ts'
import type { Metrics } from './metrics.ts'

/** A hook per route, which knows its pattern: asking the framework for it costs more than the log. */
export function observe(server: FastifyInstance, metrics: Metrics): void {
  server.addHook('onRoute', (options) => {
    const own = [options.onSend ?? []].flat()
    options.onSend = [...own, observing(options.url, metrics)]
  })
}

function observing(route: string, { requests }: Metrics): onSendHookHandler {
  const record = requests.recorderFor(route)
  return ({ id, method, caller, beganAt }, { statusCode: status }, payload, done) => {
    const durationMs = performance.now() - beganAt
    record(method, status, durationMs)
    if (httpLog.isLevelEnabled('info')) {
      const answered = { requestId: id, method, route, status, durationMs, caller }
      writeLine(accessLine(answered, timestamp()))
    }
    done(null, payload)
  }
}
