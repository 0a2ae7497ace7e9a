import { match } from 'path-to-regexp'
import { ApiError } from './http/errors.ts'
import type { Route } from './route.ts'

const prefix = '/api/v1'

type Match = { route: Route; params: Record<string, string> }

/** Finds the route of a call; a path known by other methods only is 405 with Allow, or 404 where this deployment lacks it. */
export function createRouter(all: Route[], variant: 'full' | 'reduced') {
  const table = all
    .map((route) => ({
      route: variant === 'reduced' ? reducedOf(route) : route,
      here: variant === 'full' || route.reduced !== undefined,
      matches: match<Record<string, string>>(prefix + route.path.replace(/\{(\w+)\}/g, ':$1'), {
        trailing: true,
        sensitive: true,
      }),
    }))
    // A path written out goes before one with an id in its place: /people/import is nobody's card.
    .sort((a, b) => idsIn(a.route) - idsIn(b.route))

  return (method: string, path: string): Match => {
    const fitting = table.flatMap(({ route, here, matches }) => {
      const found = attempt(() => matches(path))
      return found ? [{ route, here, params: { ...found.params } }] : []
    })
    const known = fitting.filter(({ route }) => route.path === fitting[0]?.route.path)
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

const idsIn = ({ path }: Route) => path.split('{').length

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
