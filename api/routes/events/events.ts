import { z } from 'zod'
import {
  type EventPlace,
  eventId,
  listEventsOf,
  placeOfNow,
  placeOfTime,
} from '../../../db/events/events.ts'
import { dataWith } from '../../../db/events/external-ids.ts'
import { eventKinds, kindNames, kindsOf, unknownKind } from '../../../rules/event-kinds.ts'
import { nextEvents } from '../../http/event-feed.ts'
import { EventStream } from '../../http/event-stream.ts'
import { type ReadContext, read } from '../../route.ts'
import {
  alienCursor,
  cursorOf,
  iso,
  next,
  OwnId,
  Paging,
  page,
  QueryTimestamp,
  readCursor,
  WaitSeconds,
} from '../../shapes/shapes.ts'

const Event = z
  .object({
    id: OwnId,
    at: z.string().describe('When it happened.'),
    kind: z
      .string()
      .meta({ 'x-extensible-enum': eventKinds })
      .describe(
        'What happened: the action of the audit entry, such as `campaign.moved`, or what happened by itself, such as `message.received`.',
      ),
    resource: z.string().describe('The id of the resource it happened to.'),
    data: z
      .record(z.string(), z.unknown())
      .describe('The ids and states that belong to it; no texts.'),
    cursor: z
      .string()
      .describe('Where it stands: sent as `cursor`, it leads to the events behind this one.'),
  })
  .meta({ id: 'Event' })

/** The position of a reader: the transaction and the number of the last event it has. @throws ApiError invalid_cursor. */
function placeOf(cursor: string | undefined): EventPlace {
  const [xid = '0', id = '0'] = readCursor(cursor, 'text', 'text') ?? []
  if ([xid, id].every((part) => /^\d{1,18}$/.test(part))) return [xid, id]
  throw alienCursor()
}

const kindPattern = `^(?:${kindNames.map((name) => name.replace(/[.*]/g, '\\$&')).join('|')})$`

const Kinds = z.string().transform((given, context) => {
  const names = [...new Set(given.split(',').map((name) => name.trim()))].filter(Boolean)
  for (const name of names) {
    const message = unknownKind(name)
    if (message)
      context.issues.push({ code: 'custom', message: `${name} ${message}`, input: given })
  }
  return names
})

const From = z.string().refine((from) => from === 'now' || QueryTimestamp.safeParse(from).success, {
  message: 'must be now or a timestamp with an offset, such as 2026-11-24T09:00:00Z',
})

const Query = Paging.extend({
  kinds: Kinds.optional()
    .meta({ type: 'array', items: { type: 'string', pattern: kindPattern } })
    .describe(
      'Only events of these kinds, with commas between them, such as `message.received,touch.*`.',
    ),
  from: From.optional()
    .meta({ anyOf: [{ const: 'now' }, { type: 'string', format: 'date-time' }] })
    .describe(
      'Where to begin: `now`, or the first event that was recorded at this time or later. A `cursor` goes before it.',
    ),
  wait: WaitSeconds.describe('For how many seconds to wait for an event if there is none.'),
})

type Asked = z.output<typeof Query>

/** Where a reader begins. */
async function beginOf({ cursor, from }: Asked, { db, workspace }: ReadContext) {
  if (cursor || from === undefined) return placeOf(cursor)
  if (from === 'now') return placeOfNow(db)
  return placeOfTime(db, workspace.id, new Date(QueryTimestamp.parse(from)))
}

/** The page behind a place. `to` is where to continue; `more`: whether there is more at the moment. */
async function pageOf(place: EventPlace, { kinds, limit }: Asked, { db, workspace }: ReadContext) {
  const found: Awaited<ReturnType<typeof listEventsOf>> =
    kinds && kinds.length > 0
      ? await listEventsOf(db, workspace.id, kindsOf(kinds), limit + 1, place)
      : {
          rows: await nextEvents(db, workspace.id, { place, limit: limit + 1 }),
          to: undefined,
          more: false,
        }
  const { items, next } = page(found.rows, limit, (row) => [row.xid, row.id])
  const last = items.at(-1)
  const to: EventPlace = next || !found.to ? (last ? [last.xid, last.id] : place) : found.to
  return { items, to, more: next !== null || found.more }
}

const present = (row: Awaited<ReturnType<typeof nextEvents>>[number]) => ({
  id: eventId(row.id),
  at: iso(row.at),
  kind: row.kind,
  resource: row.resource,
  data: dataWith(row),
  cursor: cursorOf(row.xid, row.id),
})

const streamedAtOnce = 100

export const routes = [
  // Beyond the interface, which leaves events open: a stream to poll. next is null at its end, like that of every
  // list; cursor always marks a place to continue from, so a reader keeps it and asks again later.
  read({
    path: '/events',
    operationId: 'listEvents',
    summary: 'List events',
    description:
      'What happened, oldest first, kept for 30 days. Keep `cursor`, and send it with the next call to get newer events. With `wait` the answer comes as soon as there is an event. At most 5 calls of a token wait at a time, here and for the end of an operation.',
    scopes: ['inbox:read'],
    query: Query,
    response: z
      .object({
        events: z.array(Event).describe('The events, oldest first.'),
        next: next.describe(
          'The `cursor` of the next page; null if there is nothing more at the moment.',
        ),
        cursor: z.string().describe('Where to continue later; unlike `next` it is never null.'),
      })
      .meta({ id: 'EventList' }),
    async handler({ query }, context) {
      const { wait } = query
      const until = Date.now() + wait * 1000
      const gone = wait > 0 ? context.gone() : undefined
      // It follows before it reads: what is committed in between is told.
      const follower =
        wait > 0 ? context.events.follow(context.workspace.id, context.token) : undefined
      try {
        let found = await pageOf(await beginOf(query, context), query, context)
        while (
          follower &&
          found.items.length === 0 &&
          Date.now() < until &&
          !follower.isStopping()
        ) {
          if (!found.more) await follower.changed(until - Date.now(), gone)
          if (gone?.aborted) break
          found = await pageOf(found.to, query, context)
        }
        const events = found.items.map(present)
        const cursor = cursorOf(...found.to)
        return { events, next: found.more ? cursor : null, cursor }
      } finally {
        follower?.leave()
      }
    },
  }),
  read({
    path: '/events/stream',
    operationId: 'streamEvents',
    summary: 'Read the stream of events',
    description:
      'A stream of events as they happen (`text/event-stream`), each once and in order, with its cursor as `id`. It goes on behind the header `Last-Event-ID` or `cursor`, and otherwise begins now; it ends after an hour at the latest. At most 5 streams and waits of a token at a time.',
    scopes: ['inbox:read'],
    query: z.strictObject({
      cursor: Paging.shape.cursor.describe(
        'Where to go on: the `cursor` of an answer of `GET /events`, or the `id` of an event of the stream. The header `Last-Event-ID` goes before it.',
      ),
    }),
    response: EventStream,
    async handler({ query }, { db, workspace, token, events }) {
      const begin = query.cursor ? placeOf(query.cursor) : await placeOfNow(db)
      return {
        cursor: cursorOf(...begin),
        follow: () => events.follow(workspace.id, token),
        async next(cursor) {
          const place = placeOf(cursor)
          const rows = await nextEvents(db, workspace.id, { place, limit: streamedAtOnce })
          return {
            events: rows.map(present),
            full: rows.length === streamedAtOnce,
          }
        },
      }
    },
  }),
]
