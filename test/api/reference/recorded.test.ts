import { deepEqual } from 'node:assert/strict'
import calls from '../../../api/reference/recorded.json' with { type: 'json' }
import { recordedOf } from '../../../api/reference/recorded.ts'
import type { Route } from '../../../api/route.ts'
import { adminRoutes } from '../../../api/routes/admin/index.ts'
import { routes } from '../../../api/routes/index.ts'

// The recorded calls that are the examples of the documents. Where one of these fails because a route has changed or is new, add
// its call to test/support/examples/story.ts if it has none, and renew all of them with `npm run examples`.

const all: Route[] = [...routes, ...adminRoutes]
const recorded: Partial<Record<string, { request?: unknown; answer: unknown }>> = calls

/** Routes without a recorded answer, and why. */
const without: Record<string, string> = {
  getMessageHtml: 'answers a page, which has an example of its own',
  downloadFile: 'answers the bytes of a file',
  streamEvents: 'answers a stream, which has an example of its own',
}

describe('the recorded examples of the reference (renewed by `npm run examples`)', () => {
  it('have each route, or say why not', () => {
    deepEqual(
      all.map(({ operationId }) => operationId).filter((id) => !(id in recorded || id in without)),
      [],
    )
    const known = new Set(all.map(({ operationId }) => operationId))
    deepEqual(
      [...Object.keys(recorded), ...Object.keys(without)].filter((id) => !known.has(id)),
      [],
    )
    deepEqual(
      Object.keys(without).filter((id) => id in recorded),
      [],
    )
  })

  it('are as their routes describe them', () => {
    const unlike = all.filter((route) => route.operationId in recorded && !recordedOf(route, true))
    deepEqual(
      unlike.map(
        ({ operationId, response }) =>
          `${operationId}: ${response.safeParse(recorded[operationId]?.answer).error ?? 'its request'}`,
      ),
      [],
    )
  })

  it('have no member whose value is its own name', () => {
    const found: string[] = []
    const walk = (value: unknown, place: string, name = '') => {
      if (value === name && name !== '') found.push(place)
      if (typeof value !== 'object' || value === null) return
      for (const [key, inner] of Object.entries(value))
        walk(inner, `${place}/${key}`, Array.isArray(value) ? name : key)
    }
    for (const [id, { request, answer }] of Object.entries(calls as typeof recorded as object))
      walk({ request, answer }, id)
    deepEqual(found, [])
  })

  it('name nothing of the machine that recorded them', () => {
    const text = JSON.stringify(calls)
    deepEqual(text.match(/127\.0\.0\.1|localhost|"pr[ma]_(?!4fT9)[^"]*"/g) ?? [], [])
  })
})
