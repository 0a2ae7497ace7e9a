import { match } from 'path-to-regexp'
import { ApiError } from './errors.ts'
import type { Route } from './route.ts'

const prefix = '/api/v1'

type Match = { route: Route; params: Record<string, string> }

/** Finds the route of a call; a path known by other methods only is 405 with Allow, or 404 where this deployment lacks it. */
export function createRouter(all: Route[], variant: 'full' | 'reduced') {
  const table = all.map((route) => ({
    route: variant === 'reduced' ? reducedOf(route) : route,
    here: variant === 'full' || route.reduced !== undefined,
    matches: match<Record<string, string>>(prefix + route.path.replace(/\{(\w+)\}/g, ':$1'), {
      trailing: true,
    }),
  }))

  return (method: string, path: string): Match => {
    const known = table.flatMap(({ route, here, matches }) => {
      const found = attempt(() => matches(path))
      return found ? [{ route, here, params: { ...found.params } }] : []
    })
    const wanted = method === 'HEAD' ? 'GET' : method
    const exact = known.find(({ route }) => route.method === wanted)
    if (exact?.here) return exact
    const allowed = known.filter(({ here }) => here).map(({ route }) => route.method)
    if (exact || allowed.length === 0)
      throw new ApiError('no_such_route', `There is no ${method} ${path}.`)
    throw new ApiError('method_not_allowed', `${path} takes ${allowed.join(', ')}.`, {
      headers: { Allow: allowed.join(', ') },
    })
  }
}

/** A route as the reduced deployment has it. */
export const reducedOf = (route: Route): Route =>
  typeof route.reduced === 'object' ? ({ ...route, ...route.reduced } as Route) : route

// A path with a broken percent-encoding is no path of ours.
function attempt<T>(run: () => T): T | false {
  try {
    return run()
  } catch {
    return false
  }
}
