import { Router } from '@koa/router'
import type { Context, Middleware } from 'koa'
import { ApiError } from './http/errors.ts'
import type { Route } from './route.ts'

const prefix = '/api/v1'

type Variant = 'full' | 'reduced'
type Serve = (ctx: Context, route: Route, params: Record<string, string>) => Promise<void>

/**
 * Hands each call to the route of its path and method. Each path stands here once, for all methods: which of them it takes is told
 * from the table, so that a refusal is one of ours. What is no path of the table goes to the next middleware.
 */
export function createRouter(all: Route[], variant: Variant, serve: Serve): Middleware {
  // Of the paths that fit the one with the fewest ids is meant: /people/import is nobody's card.
  const router = new Router({ prefix, sensitive: true, exclusive: 'specificity' })
  for (const [path, routes] of Map.groupBy(all, (route) => route.path))
    router.all(patternOf(path), async (ctx) => {
      // The router takes an id whose percent-encoding is broken for one that has none.
      if (!isDecodable(ctx.path)) throw noSuchRoute(ctx)
      const route = routeOf(ctx, routes, variant)
      await serve(ctx, variant === 'reduced' ? reducedOf(route) : route, ctx.params)
    })
  return router.routes() as Middleware
}

/** A path as the router writes it: `/people/{id}` is `/people/:id`, and the identity's empty one `/`. */
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
 * Of the routes of a path, that of the call's method.
 * @throws ApiError method_not_allowed with Allow, or no_such_route where this deployment lacks it.
 */
function routeOf(ctx: Context, routes: Route[], variant: Variant): Route {
  const isHere = (route: Route) => variant === 'full' || route.reduced !== undefined
  const method = ctx.method === 'HEAD' ? 'GET' : ctx.method
  const wanted = routes.find((route) => route.method === method)
  if (wanted && isHere(wanted)) return wanted
  const allowed = routes.filter(isHere).map((route) => route.method)
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
