// One port that speaks for both platforms. It listens on this machine alone.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { OperatorError } from '../errors.ts'
import { httpLog } from '../logger.ts'
import { controlRoutes } from './control.ts'
import { faultFor, latencyFor, spoilt } from './faults.ts'
import { forumApiRoutes } from './forum-api.ts'
import { forumWebRoutes } from './forum-web.ts'
import { newsboardRoutes } from './newsboard.ts'
import type { Stage } from './stage.ts'
import { json, type Asked, type Reply, type Route } from './wire.ts'

const HOST = '127.0.0.1'

interface SimulationServer extends AsyncDisposable {
  url: string
  port: number
}

export async function startServer(stage: Stage, port: number): Promise<SimulationServer> {
  const platforms = [...forumWebRoutes(stage), ...forumApiRoutes(stage), ...newsboardRoutes(stage)]
  const routes = { platforms, control: controlRoutes(stage) }
  const server = createServer((request, response) => {
    respond(stage, routes, { request, response }).catch((error: unknown) => {
      // A client that goes away in the middle of its request is no failure of ours.
      if (request.complete) httpLog.error({ err: error }, 'the simulation could not answer')
      response.destroy()
    })
  })
  const bound = await listen(server, port)
  stage.siteUrl = `http://${HOST}:${bound}`
  return {
    url: stage.siteUrl,
    port: bound,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, HOST)
  await once(server, 'listening').catch((error: Error) => {
    throw new OperatorError(`Port ${port} cannot be listened on (${error.message}).`)
  })
  return (server.address() as AddressInfo).port
}

interface Routes {
  platforms: readonly Route[]
  control: readonly Route[]
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

async function respond(stage: Stage, routes: Routes, { request, response }: Exchange) {
  const url = new URL(request.url ?? '/', `http://${HOST}`)
  const body = (await buffer(request)).toString()
  const asked = { query: url.searchParams, headers: request.headers, body }
  const control = match(routes.control, request, url)
  if (control !== null) {
    send(response, control.route.answer({ ...asked, params: control.params }))
    return
  }
  const found = match(routes.platforms, request, url)
  stage.meter.countRequest(found?.route.name ?? 'unknown', found?.channel)
  const reply = await withFaults(stage, url.pathname, () =>
    found === null
      ? json(404, { message: 'Not Found', error: 404 })
      : found.route.answer({ ...asked, params: found.params }),
  )
  if (reply !== null) send(response, reply)
}

/** Null: nothing is ever sent, and the client waits until one of the two gives up. */
async function withFaults(stage: Stage, path: string, answer: () => Reply): Promise<Reply | null> {
  const { faults, random, meter } = stage
  const latencyMs = latencyFor(faults, path, random)
  const kind = faultFor(faults, path, random)
  if (latencyMs > 0) await delay(latencyMs, undefined, { ref: false })
  if (kind === null) return answer()

  meter.countFault(kind)
  return kind === 'hang' ? null : spoilt(kind, answer(), random)
}

interface Match {
  route: Route
  params: Asked['params']
  channel: string | undefined
}

function match(routes: readonly Route[], { method }: IncomingMessage, url: URL): Match | null {
  for (const route of routes) {
    const params = route.path.exec(url.pathname)
    if (params === null || route.method !== method) continue
    const named = { ...params.groups }
    return { route, params: named, channel: route.channel?.(named) }
  }
  return null
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  const length = status === 304 ? {} : { 'content-length': Buffer.byteLength(body) }
  response.writeHead(status, { ...headers, ...length })
  response.end(body)
}
