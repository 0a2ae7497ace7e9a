import { setTimeout as sleep } from 'node:timers/promises'
import { recordEvents } from '../../db/events/events.ts'
import { procFile } from '../../dev/stack/processes.ts'
import { openStreams } from '../support/event-streams/clients.ts'
import type { Place, Size } from './place.ts'

// What streams of events cost: how many events a second they tell in all, and the memory of the API for each.

const streamsOfToken = 5
const eventsOfTransaction = 25
const settledMs = 3_000

export async function streams(place: Place, { quick }: Size) {
  const events = quick ? 500 : 10_000
  const room = await place.workspace()
  const pid = place.stack.pid('api') as number
  // What a process does for the first time is not what the next ones cost.
  await open(1)
  for (const size of quick ? [10] : [100, 200]) {
    const before = await settled()
    const clients = await open(size, false)
    const idle = await settled()
    const cpu = cpuMs(pid)
    const from = performance.now()
    for (let first = 0; first < events; first += eventsOfTransaction)
      await place.db.transaction().execute((trx) =>
        recordEvents(
          trx,
          { workspace: room.id, kind: 'senders.checked', at: new Date() },
          Array.from({ length: eventsOfTransaction }, (_, i) => ({
            resource: String(first + i),
            data: {},
          })),
        ),
      )
    await clients.until((one) => one.events >= events)
    const seconds = (performance.now() - from) / 1000
    const told = size * events
    const rates = [told / seconds, (told / (cpuMs(pid) - cpu)) * 1000].map(Math.round)
    console.log(
      `${size} streams: ${((idle - before) / size).toFixed(0)} KB of the API for each; ${events} events to each: ${rates[0]} a second, ${rates[1]} a second of its processor; afterwards ${Math.round(residentKb(pid) / 1024)} MB`,
    )
    await clients.stop()
  }

  async function open(size: number, isOver = true) {
    const tokens = await Promise.all(
      Array.from({ length: Math.ceil(size / streamsOfToken) }, () =>
        room.tokenWith(['inbox:read']),
      ),
    )
    const clients = openStreams({
      url: place.url,
      tokens: tokens.flatMap((token) => Array<string>(streamsOfToken).fill(token)).slice(0, size),
    })
    type Seen = Awaited<ReturnType<typeof clients.look>>[number]
    const until = async (are: (one: Seen) => boolean) => {
      for (;;) {
        const all = await clients.look()
        if (all.length === size && all.every(are)) return
        await sleep(50)
      }
    }
    await until(({ isOpen }) => isOpen)
    if (isOver) await clients.stop()
    return { until, stop: clients.stop }
  }
  async function settled() {
    await sleep(settledMs)
    return residentKb(pid)
  }
}

const residentKb = (pid: number) =>
  Number(/VmRSS:\s*(\d+) kB/.exec(procFile(pid, 'status'))?.[1] ?? 0)
/** How long it has run on a processor. */
const cpuMs = (pid: number) => Number(procFile(pid, 'schedstat').split(' ')[0]) / 1e6
