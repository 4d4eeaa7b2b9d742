import type { FastifyInstance, RouteOptions } from 'fastify'
import { AppError } from '../errors.ts'

/** A path that nobody serves: said before anything of the request is read. */
export function refuseUnknownPaths(server: FastifyInstance): void {
  const refuse = () => {
    throw new AppError(
      'NOT_FOUND',
      'There is nothing at this address. See /docs for what there is.',
    )
  }
  server.setNotFoundHandler(refuse)
  server.addHook('onRequest', (request, _reply, done) => {
    if (request.is404) refuse()
    done()
  })
}

/** Every known path answers the methods it does not know with 405 and those it does in `Allow`. */
export function refuseOtherMethods(server: FastifyInstance, routes: readonly RouteOptions[]): void {
  const byUrl = Map.groupBy(routes, ({ url }) => url)
  for (const [url, registered] of byUrl) {
    const known = new Set(registered.flatMap(({ method }) => method))
    const others = server.supportedMethods.filter((method) => !known.has(method))
    const allow = [...known].sort().join(', ')
    const refuse = () => {
      throw new AppError('METHOD_NOT_ALLOWED', `Use ${allow} here.`, { headers: { allow } })
    }
    server.route({
      method: others,
      url,
      exposeHeadRoute: false,
      onRequest: refuse,
      handler: refuse,
    })
  }
}
