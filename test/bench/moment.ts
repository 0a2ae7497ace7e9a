import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { load, openClient } from './load.ts'
import type { Place, Room, Size } from './place.ts'

// Thousands of messages of one account that are all due at one moment, beside as many that are due as soon as they are there.

const parallel = 50
// Calls of a whole workspace are accepted a little faster than this.
const acceptedPerSecond = 25
const historiesAtOnce = 20

export async function moment(place: Place, { quick, rows = quick ? 200 : 1_000 }: Size) {
  const room = await place.workspace()
  const without = await drain(place, room, rows)
  const beside = await drain(place, room, rows, (rows / acceptedPerSecond) * 1_000 + 10_000)
  const activities = await activitiesOf(place, beside.keys)
  const most = Math.max(...activities)
  const mean = activities.reduce((sum, n) => sum + n, 0) / rows
  console.log(
    `${rows} messages of one account: due at once ${without.perSecond.toFixed(1)} a second; due at one moment ${beside.perSecond.toFixed(1)} a second (${(beside.perSecond / without.perSecond).toFixed(2)} of it), ${mean.toFixed(2)} activities each, ${most} at most, ${beside.late} not in the order in which they were accepted`,
  )
}

/** Sends so many messages; with `aheadMs`, all with one `sendAt` that much later. The rate is that from when they are due. */
async function drain(place: Place, room: Room, count: number, aheadMs?: number) {
  const [connection] = room.connections
  const one = { ...room, connections: [connection, connection] as [string, string] }
  const conversations = await place.conversations(one, count)
  const before = place.mail.messages().length
  const keys = conversations.map(() => randomUUID())
  const client = openClient(place.url, parallel, room.token)
  const dueAt = aheadMs === undefined ? undefined : place.clock.now().getTime() + aheadMs
  const begun = performance.now()
  let done = 0
  const shown = setInterval(() => {
    const sent = place.mail.messages().length - before
    console.log(
      `  ${done} accepted, ${sent} sent, ${Math.round((performance.now() - begun) / 1000)} s`,
    )
  }, 10_000)
  const sendAt = dueAt && new Date(dueAt).toISOString()
  const accepted = load({ calls: count }, parallel, async (i) => {
    const path = `/api/v1/conversations/${conversations[i]}/messages`
    const body = { text: `Message ${i}`, via: connection, ...(sendAt && { sendAt }) }
    const answer = await client.call('POST', path, body, keys[i])
    done++
    return answer
  })
  const arrived = place.arrived(before + count, 3_600_000)
  await accepted
  let from = begun
  if (dueAt !== undefined) {
    const left = dueAt - place.clock.now().getTime()
    if (left < 0) throw new Error(`${count} messages were accepted ${-left} ms too late`)
    await sleep(left)
    from = performance.now()
  }
  await arrived
  const perSecond = (count / (performance.now() - from)) * 1_000
  clearInterval(shown)
  client.close()
  const rows = await place.stack.db
    .selectFrom('messages')
    .select(['seq', 'text'])
    .where('workspace', '=', room.id)
    .where('direction', '=', 'outbound')
    .where('sendAt', dueAt === undefined ? 'is' : 'is not', null)
    .execute()
  const seqOf = new Map(rows.map(({ text, seq }) => [text, Number(seq)]))
  return {
    perSecond,
    keys: keys.map((key) => `${room.id}:${key}`),
    late: lateOnes(place, before, seqOf),
  }
}

/** How many arrived right after one that was accepted later. */
function lateOnes(place: Place, before: number, seqOf: Map<string, number>): number {
  const seqs = place.mail
    .messages()
    .slice(before)
    .map(({ text }) => seqOf.get(/Message \d+/.exec(text ?? '')?.[0] ?? '') ?? 0)
  return seqs.filter((seq, i) => i > 0 && seq < (seqs[i - 1] as number)).length
}

async function activitiesOf(place: Place, workflows: string[]): Promise<number[]> {
  const counts: number[] = []
  const left = [...workflows]
  const lane = async () => {
    for (let id = left.pop(); id; id = left.pop()) {
      const { events } = await place.stack.client.workflow.getHandle(id).fetchHistory()
      counts.push(
        (events ?? []).filter((event) => event.activityTaskScheduledEventAttributes).length,
      )
    }
  }
  await Promise.all(Array.from({ length: historiesAtOnce }, lane))
  return counts
}
