import type { Route } from '../../api/route.ts'
import { routes } from '../../api/routes/index.ts'
import { bodyOf, pathOf, type Room } from './samples.ts'

// What tests of repeats and of simultaneous calls share.

export const changes = routes.filter(({ method }) => method !== 'GET')

/** A call of the route in a room, which has to be one of the route's own: one call deletes what another needs. */
export function callIn(
  room: Room,
  route: Route,
  key: string,
  but: { body?: unknown; id?: string; query?: string; token?: string } = {},
) {
  const { query = '', token } = but
  const path = pathOf(route, room, but.id) + query
  return room.call(route.method, path, but.body ?? bodyOf(route, room), { key, token })
}

/** What was changed in a room by calls: a parse of its archive adds a line at its end. */
export const linesOf = async (room: Room) =>
  (await room.call('GET', '/audit?limit=200')).body.entries.filter(
    ({ action }: { action: string }) => action !== 'archive.parsed',
  )

export const replayed = ({ headers }: { headers: Headers }) => headers.get('idempotent-replayed')
