import { call, type Limit, limit, pause, pauseOf, type Service } from './call.ts'
import type { EventData } from './generated/schemas.ts'
import { queryOf } from './methods.ts'
import type { CallOptions } from './types.ts'

// Events, each once and in order. Where a reader stands is a cursor, which it keeps together with what it has done.

export type EventKind = keyof EventData

/** An event by its kind. More kinds are added over time: keep a default where you decide by it. */
export type FeedEvent = {
  [K in EventKind]: { id: string; at: string; kind: K; resource: string; data: EventData[K] }
}[EventKind]

/** An event and where it stands: begin `after` this cursor, and the next one is the first that comes. */
export type KeptEvent = FeedEvent & { cursor: string }

export type StreamOptions = {
  /** The cursor of the last event that you have dealt with. Without it the stream begins now. */
  after?: string | undefined
  signal?: AbortSignal | undefined
}

export type FollowOptions = CallOptions & {
  /** The cursor of the last event that you have dealt with. */
  after?: string | undefined
  /** Where to begin without a cursor: `now`, or a time. By default with the oldest event that is kept. */
  from?: string | undefined
  /** Only these kinds, where `touch.*` stands for all of a group. */
  kinds?: readonly string[] | undefined
}

const waitSeconds = 25
const shortestMs = 1_000

type EventPage = { events: KeptEvent[]; next: string | null; cursor: string }

/** Follows `GET /events`. It ends with what calls throw, or by its signal, and goes on from the cursor of the last event. */
export async function* followEvents(
  service: Service,
  { after, from, kinds, ...options }: FollowOptions = {},
): AsyncGenerator<KeptEvent, never> {
  let cursor = after
  for (;;) {
    const began = Date.now()
    const place = cursor === undefined ? { from } : { cursor }
    const query = queryOf(
      { ...place, kinds: kinds?.length ? kinds : undefined, limit: 200, wait: waitSeconds },
      ['kinds'],
    )
    const { body } = await call<EventPage>(service, {
      // Whoever follows wants to go on, however long the service is away.
      ...options,
      retryForMs: options.retryForMs ?? Number.POSITIVE_INFINITY,
      method: 'GET',
      path: `/events${query}`,
    })
    yield* body.events
    cursor = body.cursor
    // An API process that stops answers at once.
    if (body.events.length === 0 && !body.next)
      await pause(Math.max(0, shortestMs - (Date.now() - began)), options.signal)
  }
}

// The service says something every 15 seconds: what is silent for three times as long has been lost on the way.
const silentMs = 45_000

/**
 * Reads the stream of events. It comes back by itself, behind the last event that it has given, as often as the stream ends or is
 * lost. It ends with a refusal that does not pass by itself, or by its signal.
 */
export async function* streamEvents(
  service: Service,
  { after, signal }: StreamOptions = {},
): AsyncGenerator<KeptEvent, never> {
  let cursor = after
  for (let attempt = 1; ; attempt++) {
    // Opening it is a call like others; without an end, because whoever reads a stream wants it back.
    const { body } = await call<ReadableStream<Uint8Array>>(service, {
      method: 'GET',
      path: '/events/stream',
      headers: cursor === undefined ? {} : { 'last-event-id': cursor },
      signal,
      retryForMs: Number.POSITIVE_INFINITY,
      async read(response) {
        if (response.body) return response.body
        throw new Error('an answer without a body')
      },
    })
    const silence = limit(silentMs, signal)
    try {
      for await (const { id, data } of messagesOf(body, silence)) {
        cursor = id
        attempt = 0
        if (data === undefined) continue
        // While the reader is at work, nothing is read, and that is no silence.
        silence.hold()
        yield { ...(JSON.parse(data) as FeedEvent), cursor: id }
        silence.renew()
      }
    } finally {
      silence.settle()
    }
    await pause(pauseOf(undefined, Math.max(1, attempt)), signal)
  }
}

type Message = { id: string; data: string | undefined }

/**
 * The messages of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html), until it ends or is lost. What is cut off
 * is left out. @throws the reason of the signal.
 */
async function* messagesOf(body: ReadableStream<Uint8Array>, { ended, timer, renew }: Limit) {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const leave = () => void reader.cancel().catch(() => {})
  ended.addEventListener('abort', leave, { once: true })
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
      if (ended.aborted && !timer.aborted) throw ended.reason
      if (done || !value) return
      renew()
      text += decoder.decode(value, { stream: true })
      const blocks = text.split(/\r?\n\r?\n/)
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const message = messageOf(block)
        if (message) yield message
      }
    }
  } finally {
    ended.removeEventListener('abort', leave)
    leave()
  }
}

function messageOf(block: string): Message | undefined {
  const fields = block.split(/\r?\n/).map((line) => /^(\w+): ?(.*)$/.exec(line))
  const of = (name: string) =>
    fields.filter((field) => field?.[1] === name).map((field) => field?.[2] ?? '')
  const id = of('id').at(-1)
  if (!id) return undefined
  const data = of('data')
  return { id, data: data.length > 0 ? data.join('\n') : undefined }
}
