import { Router } from '@koa/router'
import type { Context, Middleware } from 'koa'
import { ApiError } from './http/errors.ts'
import { prefixOf } from './http/prefix.ts'
import { isSingleRead, type ReadRouteOf, type Route } from './route.ts'

type Variant = 'full' | 'reduced'
/** `beside` is how the resource that a route changes is read, if that is one by itself. */
type Serve = (
  ctx: Context,
  route: Route,
  params: Record<string, string>,
  beside: ReadRouteOf | undefined,
) => Promise<void>

/**
 * The middleware that passes each call to the route of its path and method, among routes that begin alike. Each path is registered once, for every method, so
 * that our own problem document refuses a method that the path does not take. A path that is not in the table goes to the next
 * middleware.
 */
export function createRouter(all: Route[], variant: Variant, serve: Serve): Middleware {
  // If several paths match, the one with the fewest ids wins: /people/import is not a person.
  const prefix = all[0] && prefixOf(all[0])
  const router = new Router({
    ...(prefix && { prefix }),
    sensitive: true,
    exclusive: 'specificity',
  })
  for (const [path, routes] of Map.groupBy(all, (route) => route.path))
    router.all(patternOf(path), async (ctx) => {
      // The router would pass an id with a broken percent-encoding on as it is.
      if (!isDecodable(ctx.path)) throw noSuchRoute(ctx)
      const route = routeOf(ctx, routes, variant)
      const asHere = variant === 'reduced' ? reducedOf : (one: Route) => one
      const beside = routes.map(asHere).find(isSingleRead)
      await serve(ctx, asHere(route), ctx.params, beside)
    })
  return router.routes() as Middleware
}

/** A path in the router's notation: `/people/{id}` becomes `/people/:id`, and the empty path of the identity `/`. */
const patternOf = (path: string) => path.replace(/\{(\w+)\}/g, ':$1') || '/'

function isDecodable(path: string) {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/**
 * The route for the method of the call, among those of its path.
 * @throws ApiError method_not_allowed with Allow, or no_such_route if this deployment does not have it.
 */
function routeOf(ctx: Context, routes: Route[], variant: Variant): Route {
  const isHere = (route: Route) => variant === 'full' || route.reduced !== undefined
  const method = ctx.method === 'HEAD' ? 'GET' : ctx.method
  const wanted = routes.find((route) => route.method === method)
  if (wanted && isHere(wanted)) return wanted
  // Whatever can be read can also be asked for its head (RFC 9110, 9.3.2).
  const allowed = routes
    .filter(isHere)
    .flatMap((route) => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]))
  if (wanted || allowed.length === 0) throw noSuchRoute(ctx)
  throw new ApiError('method_not_allowed', `${ctx.path} takes ${allowed.join(', ')}.`, {
    headers: { Allow: allowed.join(', ') },
  })
}

export const noSuchRoute = ({ method, path }: Context) =>
  new ApiError('no_such_route', `There is no ${method} ${path}.`)

/** A route as the reduced deployment has it. */
export const reducedOf = (route: Route): Route =>
  typeof route.reduced === 'object' ? ({ ...route, ...route.reduced } as Route) : route
