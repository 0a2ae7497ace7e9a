import { z } from 'zod'
import { eventId, listEvents } from '../../../db/events/events.ts'
import { ApiError } from '../../http/errors.ts'
import { read } from '../../route.ts'
import {
  alienCursor,
  cursorOf,
  iso,
  next,
  OwnId,
  Paging,
  page,
  readCursor,
} from '../../shapes/shapes.ts'

const Event = z
  .object({
    id: OwnId,
    at: z.string().describe('When it happened.'),
    kind: z
      .string()
      .describe(
        'What happened: the action of the audit entry, such as `campaign.moved`, or what happened by itself, such as `message.received`.',
      ),
    resource: z.string().describe('The id of the resource it happened to.'),
    data: z
      .record(z.string(), z.unknown())
      .describe('The ids and states that belong to it; no texts.'),
  })
  .meta({ id: 'Event' })

/** The position of a reader: the transaction and the number of the last event it has. @throws ApiError invalid_cursor. */
function placeOf(cursor: string | undefined): [string, string] {
  const [xid = '0', id = '0'] = readCursor(cursor, 'text', 'text') ?? []
  if ([xid, id].every((part) => /^\d{1,18}$/.test(part))) return [xid, id]
  throw new ApiError('invalid_cursor', alienCursor().message)
}

export const routes = [
  // Beyond the interface, which leaves events open: a stream to poll. next is null at its end, like that of every
  // list; cursor always marks a place to continue from, so a reader keeps it and asks again later.
  read({
    path: '/events',
    summary: 'List events',
    description:
      'What happened, oldest first, kept for 30 days. Keep `cursor`, and send it with the next call to get newer events.',
    scopes: ['inbox:read'],
    query: Paging,
    response: z.object({
      events: z.array(Event).describe('The events, oldest first.'),
      next: next.describe(
        'The `cursor` of the next page; null if there is nothing more at the moment.',
      ),
      cursor: z.string().describe('Where to continue later; unlike `next` it is never null.'),
    }),
    handler: async ({ query }, { db, workspace }) => {
      const place = placeOf(query.cursor)
      const rows = await listEvents(db, workspace.id, query.limit + 1, place)
      const { items, next } = page(rows, query.limit, (row) => [row.xid, row.id])
      const last = items.at(-1)
      const events = items.map(({ id, xid: _, ...row }) => ({
        ...row,
        id: eventId(id),
        at: iso(row.at),
      }))
      return { events, next, cursor: last ? cursorOf(last.xid, last.id) : cursorOf(...place) }
    },
  }),
]
