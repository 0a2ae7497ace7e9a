import type { z } from 'zod'
import { answersEvents } from './event-stream.ts'
import { adminPrefix } from './prefix.ts'

/**
 * What a cursor belongs to: a list of a workspace with its filters. The cursors of events must stay valid for as long
 * as events are kept, even across releases, so they hold nothing but the position.
 */
export function listOf(
  route: { path: string; response: z.ZodType; door?: 'admin' },
  params: Record<string, string>,
  workspace: string,
  query: URLSearchParams,
) {
  const from = route.door === 'admin' ? `${adminPrefix}${route.path}` : route.path
  const path = [from, ...Object.values(params)]
  if (route.path === '/events' || answersEvents(route)) return '/events'
  const filters = [...query].filter(([name]) => name !== 'cursor' && name !== 'limit')
  return JSON.stringify([workspace, path, filters.sort()])
}
