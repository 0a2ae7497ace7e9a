import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type HttpClient, load, openClient } from './load.ts'
import type { Place, Size } from './place.ts'
import { compare, type Round } from './rounds.ts'

// Messages that are due now, until the mail server has taken them: 50 calls in parallel, and one message alone.

const parallel = 50

/** The floor, ready to send: each message has a row that waits for its workflow. */
export async function openDispatchFloor(place: Place) {
  const { stack, db } = place
  const client = openClient(
    await place.floor('dispatch.ts', {
      temporalAddress: stack.temporalAddress,
      smtpPort: stack.mail.smtpPort,
    }),
    parallel,
  )
  return {
    client,
    /** So many new rows. */
    async rows(count: number): Promise<string[]> {
      const ids = Array.from({ length: count }, () => `flo_${randomUUID()}`)
      await sql`insert into floor.messages
          (id, workspace, conversation, direction, to_address, subject, text, at, state, due_at)
        select id, 'wsp_floor', 'cnv_' || id, 'outbound', id || '@client.example', 'A question', 'Thank you.', now(),
          'queued', now()
        from unnest(${ids}::text[]) as id`.execute(db)
      return ids
    },
  }
}

export type DispatchFloor = Awaited<ReturnType<typeof openDispatchFloor>>

/** So many messages through the floor, until the last one has arrived. */
export async function sendByFloor(
  place: Place,
  floor: DispatchFloor,
  count: number,
): Promise<Round> {
  const ids = await floor.rows(count)
  return untilArrived(place, count, () =>
    load({ calls: count }, parallel, (i) => floor.client.call('POST', `/${ids[i]}`)),
  )
}

async function untilArrived(
  place: Place,
  count: number,
  begin: () => Promise<unknown>,
): Promise<Round> {
  const before = place.mail.messages().length
  const from = performance.now()
  await Promise.all([begin(), place.arrived(before + count)])
  return { perSecond: (count / (performance.now() - from)) * 1000 }
}

export async function dispatch(place: Place, { quick }: Size) {
  const [total, rounds, alone] = quick ? [100, 3, 7] : [150, 7, 25]
  const room = await place.workspace()
  const floor = await openDispatchFloor(place)
  const ours = openClient(place.url, parallel, room.token)

  await compare(
    `send messages, ${parallel} calls in parallel`,
    {
      ours: async () => {
        const conversations = await place.conversations(room, total)
        return untilArrived(place, total, () =>
          load({ calls: total }, parallel, (i) => post(ours, conversations[i] as string)),
        )
      },
      floor: () => sendByFloor(place, floor, total),
    },
    { rounds },
  )

  const conversations = await place.conversations(room, alone + 1)
  const ids = await floor.rows(alone + 1)
  const once = async (send: () => Promise<unknown>): Promise<Round> => {
    const { perSecond } = await untilArrived(place, 1, send)
    // What follows the arrival, such as the row's last state, is not part of the next one.
    await new Promise((resolve) => setTimeout(resolve, 250))
    return { perSecond, times: [1000 / perSecond] }
  }
  await compare(
    'send one message alone',
    {
      ours: () => once(() => post(ours, conversations.pop() as string)),
      floor: () => once(() => floor.client.call('POST', `/${ids.pop()}`)),
    },
    { rounds: alone },
  )
  ours.close()
  floor.client.close()
}

const post = async (client: HttpClient, conversation: string) => {
  const path = `/api/v1/conversations/${conversation}/messages`
  return client.call('POST', path, { text: 'Thank you.' }, randomUUID())
}
