// The last thing that every answer passes: the end of its connection while draining, one
// measurement, one log line. Neither of the latter holds a path as it was sent, a query or a header:
// the route's pattern says enough, and the rest may be somebody's secret.
//
// It happens when the answer is handed to the socket. Waiting for the socket to have sent it would
// cost two listeners a request and say little more: answers are small.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { httpLog, timestamp, writeLine } from '../logger.ts'
import { accessLine } from './access-line.ts'
import type { Drain } from './drain.ts'
import type { RequestFigures } from './request-figures.ts'

export interface ExitOptions {
  drain: Drain
  requests: RequestFigures
}

type Leave = (request: FastifyRequest, reply: FastifyReply) => void

export interface Exit {
  /** For an answer that no route gives. */
  leave: Leave
}

const NO_ROUTE = '(none)'

/** A hook per route, which knows its pattern: asking the framework for it costs more than the log. */
export function addExit(server: FastifyInstance, options: ExitOptions): Exit {
  server.addHook('onRoute', (route) => {
    const leave = leaving(route.url, options)
    const own = [route.onSend ?? []].flat()
    route.onSend = [
      ...own,
      (request, reply, payload, done) => {
        leave(request, reply)
        done(null, payload)
      },
    ]
  })
  return { leave: leaving(NO_ROUTE, options) }
}

function leaving(route: string, { drain, requests }: ExitOptions): Leave {
  const record = requests.recorderFor(route)
  return ({ id, method, caller, beganAt }, reply) => {
    // At the end rather than the start: also a request that began before the drain ends with it.
    if (drain.started) reply.header('connection', 'close')
    const status = reply.statusCode
    const durationMs = performance.now() - beganAt
    record(method, status, durationMs)
    if (!httpLog.isLevelEnabled('info')) return
    const answered = { requestId: id, method, route, status, durationMs, caller }
    writeLine(accessLine(answered, timestamp()))
  }
}
