import { METHODS } from 'node:http'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { AppError } from '../errors.ts'

/** Every method that HTTP has, so that none gets past the routes. */
export function knowAllMethods(server: FastifyInstance): void {
  for (const method of METHODS) {
    if (!server.supportedMethods.includes(method)) server.addHttpMethod(method)
  }
}

/** Every known path answers the methods it does not know with 405 and those it does in `Allow`. */
export function refuseOtherMethods(server: FastifyInstance, routes: readonly RouteOptions[]): void {
  const byUrl = Map.groupBy(routes, ({ url }) => url)
  for (const [url, registered] of byUrl) {
    const known = new Set(registered.flatMap(({ method }) => method))
    const others = server.supportedMethods.filter((method) => !known.has(method))
    const allow = [...known].sort().join(', ')
    refuse(server, url, others, () => {
      throw new AppError('METHOD_NOT_ALLOWED', `Use ${allow} here.`, { headers: { allow } })
    })
  }
}

/** A path that nobody serves, as a route of its own so that it is counted like any other. */
export function refuseUnknownPaths(server: FastifyInstance): void {
  refuse(server, '/*', server.supportedMethods, () => {
    throw new AppError(
      'NOT_FOUND',
      'There is nothing at this address. See /docs for what there is.',
    )
  })
}

/** Said before anything of the request's body is read. */
function refuse(
  server: FastifyInstance,
  url: string,
  method: string[],
  onRequest: () => never,
): void {
  server.route({ method, url, exposeHeadRoute: false, onRequest, handler: onRequest })
}
