import { load, openClient } from './load.ts'
import type { Place, Size } from './place.ts'
import { compare } from './rounds.ts'

// Reading a list of 50 conversations and a single one, on 32 connections.

const connections = 32

export async function read(place: Place, { quick }: Size) {
  const [ms, rounds] = quick ? [1_000, 3] : [3_000, 7]
  const room = await place.workspace()
  const conversations = await place.conversations(room, quick ? 60 : 500)
  const ours = openClient(place.url, connections, room.token)
  const floor = openClient(await place.floor('read.ts'), connections, room.token)
  const list = {
    ours: () => ours.call('GET', '/api/v1/conversations?limit=50'),
    floor: () => floor.call('GET', '/conversations'),
  }
  const idOf = (i: number) => conversations[i % conversations.length]
  const single = {
    ours: (i: number) => ours.call('GET', `/api/v1/conversations/${idOf(i)}`),
    floor: (i: number) => floor.call('GET', `/conversations/${idOf(i)}`),
  }

  sameAnswers('the list', await list.ours(), await list.floor())
  await compare(
    `list 50 conversations, ${connections} connections`,
    {
      ours: () => load({ ms }, connections, list.ours),
      floor: () => load({ ms }, connections, list.floor),
    },
    { rounds },
  )
  sameAnswers('the single read', await single.ours(0), await single.floor(0))
  await compare(
    `read one conversation, ${connections} connections`,
    {
      ours: () => load({ ms }, connections, single.ours),
      floor: () => load({ ms }, connections, single.floor),
    },
    { rounds },
  )
  ours.close()
  floor.close()
}

/** The floor answers as many bytes as ours, give or take a cursor. */
function sameAnswers(what: string, ours: { text: string }, floor: { text: string }) {
  const difference = Math.abs(ours.text.length - floor.text.length)
  if (difference > 100)
    throw new Error(
      `Of ${what} the floor answers ${floor.text.length} bytes, and ours ${ours.text.length}.`,
    )
}
