import { randomUUID } from 'node:crypto'
import type { Db } from '../../db/database.ts'
import { load, openClient } from './load.ts'
import type { Place, Size } from './place.ts'
import { compare, median, quantile } from './rounds.ts'

// Accepting messages, 50 in parallel. They are to be sent years ahead, and the worker is stopped meanwhile: what is measured is
// the API and its database.

const parallel = 50
const sendAt = '2029-06-01T09:00:00Z'

export async function accept(place: Place, { quick }: Size) {
  const [ms, rounds] = quick ? [1_000, 3] : [3_000, 7]
  const room = await place.workspace()
  const conversations = await place.conversations(room, quick ? 100 : 400)
  const floor = openClient(await place.floor('accept.ts'), parallel)
  const ours = openClient(place.url, parallel, room.token)
  const conversationOf = (i: number) => conversations[i % conversations.length] as string
  const text = 'Thank you for your question. It costs less than you think.'
  const postTo = (conversation: string, key: string) =>
    ours.call('POST', `/api/v1/conversations/${conversation}/messages`, { text, sendAt }, key)
  const post = (i: number) => postTo(conversationOf(i), randomUUID())
  const { id: workspace, connections } = room
  const beside = (i: number) => {
    const conversation = conversationOf(i)
    const body = { workspace, conversation, connection: connections[0], text, sendAt }
    return floor.call('POST', '/', body, randomUUID())
  }
  const keys = conversations.map(() => randomUUID())

  place.stack.kill('worker', 'SIGSTOP')
  const done = await compare(
    `accept a message, ${parallel} in parallel`,
    { ours: () => load({ ms }, parallel, post), floor: () => load({ ms }, parallel, beside) },
    { rounds },
  )
  const times = done.ours.flatMap(({ times = [] }) => times)
  console.log(`  p99 / p50 of ours: ${(quantile(times, 0.99) / median(times)).toFixed(2)}`)
  await load({ calls: keys.length }, parallel, (i) => postTo(conversationOf(i), keys[i] as string))
  await compare(
    `the same call again, ${parallel} in parallel`,
    {
      ours: () =>
        load({ ms }, parallel, (i) => postTo(conversationOf(i), keys[i % keys.length] as string)),
      floor: () => load({ ms }, parallel, beside),
    },
    { rounds },
  )
  await forget(place.db)
  place.stack.kill('worker', 'SIGCONT')
  ours.close()
  floor.close()
}

/** What was accepted is not started: it would keep Temporal busy while something else is measured. */
const forget = (db: Db) =>
  db
    .updateTable('outbox')
    .set({ dispatchedAt: new Date() })
    .where('dispatchedAt', 'is', null)
    .execute()
