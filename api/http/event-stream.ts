import { Readable } from 'node:stream'
import type { Context } from 'koa'
import { z } from 'zod'
import { counted } from '../../process/telemetry/metrics.ts'
import { ApiError } from './errors.ts'
import type { Follower } from './event-feed.ts'
import { goneOf } from './gone.ts'

// The answer that goes on: server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).

export type StreamAnswer = {
  /** Where to begin. */
  cursor: string
  /** Begins to follow; only where the stream is wanted, and not just its head. */
  follow(): Follower
  /** The next events behind a cursor, at most a page of them; `full` says whether there may be more. */
  next(cursor: string): Promise<{ events: StreamedEvent[]; full: boolean }>
}

export type StreamedEvent = { cursor: string; kind: string }

/** The response of a route that answers a stream of events. */
export const EventStream = z.custom<StreamAnswer>()

/** Whether a route answers a stream of events. */
export const answersEvents = ({ response }: { response: z.ZodType }): boolean =>
  response === EventStream

const commentEveryMs = 15_000
const checkEveryMs = 30_000
// Fifty minutes to an hour, so that streams that began together do not all begin again together.
const longestMs = () => (50 + 10 * Math.random()) * 60_000
/** What is kept for a client that does not read; nothing more is looked up for it meanwhile. */
const bufferBytes = 64 * 1024
/** A client that has read nothing for so long, though there is something for it, is left. */
const patienceMs = 30_000

type Ended = 'closed' | 'time' | 'stopping' | 'slow' | 'refused' | 'unavailable'

/** `stillMay` throws if the token may not read events any more; `sealed` makes a cursor that callers see. */
export function answerEvents(
  ctx: Context,
  answer: StreamAnswer,
  stillMay: () => Promise<void>,
  sealed: (cursor: string) => string,
) {
  const follower = ctx.method === 'HEAD' ? undefined : answer.follow()
  ctx.status = 200
  ctx.set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    // nginx would collect it.
    'X-Accel-Buffering': 'no',
    // So that nothing keeps a process from stopping once its streams have ended.
    Connection: 'close',
  })
  if (!follower) return
  const gone = goneOf(ctx)
  let why: Ended = 'closed'
  let unreadSince: number | undefined
  const body = Readable.from(noted(), { objectMode: false, highWaterMark: bufferBytes })
  const watch = setInterval(() => {
    if (unreadSince === undefined || Date.now() - unreadSince < patienceMs) return
    why = 'slow'
    body.destroy()
  }, 1_000)
  body.once('close', () => {
    clearInterval(watch)
    follower.leave()
    counted('eventStreamsEnded', { reason: why })
  })
  ctx.body = body

  /** Notes since when nobody has asked for the next piece. */
  async function* noted() {
    for await (const piece of pieces(follower as Follower)) {
      unreadSince = Date.now()
      yield piece
      unreadSince = undefined
    }
  }

  async function* pieces({ changed, isStopping }: Follower) {
    const endsAt = Date.now() + longestMs()
    let [saidAt, checkedAt, cursor] = [Date.now(), Date.now(), answer.cursor]
    // A client that comes back before its first event begins here again.
    yield `retry: 2000\nid: ${sealed(cursor)}\n\n`
    try {
      while (!gone.aborted) {
        const { events, full } = await answer.next(cursor)
        for (const event of events) {
          cursor = event.cursor
          const id = sealed(cursor)
          const data = JSON.stringify({ ...event, cursor: id })
          yield `id: ${id}\nevent: ${event.kind}\ndata: ${data}\n\n`
          saidAt = Date.now()
        }
        if (isStopping() || Date.now() >= endsAt) {
          why = isStopping() ? 'stopping' : 'time'
          return
        }
        const dueAt = Math.min(saidAt + commentEveryMs, checkedAt + checkEveryMs, endsAt)
        if (!full) await changed(Math.max(0, dueAt - Date.now()), gone)
        if (Date.now() >= saidAt + commentEveryMs) {
          yield ':\n\n'
          saidAt = Date.now()
        }
        if (Date.now() >= checkedAt + checkEveryMs) {
          checkedAt = Date.now()
          await stillMay()
        }
      }
    } catch (error) {
      // The stream just ends: what is wrong is said when its client comes back.
      why = error instanceof ApiError ? 'refused' : 'unavailable'
    }
  }
}
