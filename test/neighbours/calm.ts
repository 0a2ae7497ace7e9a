import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

// The quiet tenant, in a process of its own: reads at a steady pace whether or not earlier ones were answered, an awaited
// call a second, a message every two. Prints how long each took, in milliseconds.

export type Quiet = { url: string; token: string; seconds: number; conversations: string[] }
export type Measured = {
  reads: number[]
  awaited: number[]
  /** From the acceptance of a message until it was sent. */
  sends: number[]
  /** Everything that was not answered 200, by its status; 0 is no answer at all. */
  refused: Record<string, number>
}

const readEveryMs = 50
const awaitedEveryMs = 1_000
const sendEveryMs = 2_000
const patienceMs = 60_000

const quiet: Quiet = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const measured: Measured = { reads: [], awaited: [], sends: [], refused: {} }
const paths = ['/conversations', '/people', '/campaigns', '/senders/health', '/dashboard', '']

async function call(method: 'GET' | 'POST', path: string, body?: unknown) {
  const from = performance.now()
  const response = await fetch(`${quiet.url}/api/v1${path}`, {
    method,
    signal: AbortSignal.timeout(patienceMs),
    headers: {
      authorization: `Bearer ${quiet.token}`,
      ...(method === 'POST' && {
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => undefined)
  const text = await response?.text().catch(() => '')
  const status = response?.status ?? 0
  if (status !== 200) measured.refused[status] = (measured.refused[status] ?? 0) + 1
  return { ms: performance.now() - from, status, text: text ?? '' }
}

const meeting = (n: number) => ({
  title: `Meeting ${n}`,
  day: '2026-11-30',
  start: '10:00',
  minutes: 30,
  check: true,
})

const waiting: Promise<unknown>[] = []
const every = async (ms: number, work: (n: number) => Promise<unknown>) => {
  const end = performance.now() + quiet.seconds * 1_000
  for (let n = 0; performance.now() < end; n++) {
    waiting.push(work(n))
    await sleep(ms)
  }
}

async function send(n: number) {
  const conversation = quiet.conversations[n % quiet.conversations.length]
  const from = performance.now()
  const { status, text } = await call('POST', `/conversations/${conversation}/messages`, {
    text: `Message ${n}`,
  })
  if (status !== 200) return
  const { id } = JSON.parse(text)
  while (performance.now() - from < patienceMs) {
    const { text: list } = await call('GET', `/conversations/${conversation}/messages?limit=10`)
    const messages: { id: string; state: string }[] = JSON.parse(list || '{}').messages ?? []
    if (messages.some((message) => message.id === id && message.state === 'sent'))
      return measured.sends.push(performance.now() - from)
    await sleep(100)
  }
  return measured.sends.push(patienceMs)
}

await Promise.all([
  every(readEveryMs, async (n) =>
    measured.reads.push((await call('GET', paths[n % paths.length] as string)).ms),
  ),
  every(awaitedEveryMs, async (n) =>
    measured.awaited.push((await call('POST', '/calendar/meetings', meeting(n))).ms),
  ),
  every(sendEveryMs, send),
])
await Promise.all(waiting)
process.stdout.write(JSON.stringify(measured))
process.exit(0)
