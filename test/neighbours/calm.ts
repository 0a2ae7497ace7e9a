import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { type Kind, kinds, type Measured, type Quiet } from './quiet.ts'

// The quiet tenant, in a process of its own: at a steady pace whether or not earlier ones were answered, it reads, awaits an
// answer, sends a message, adds a person to a running campaign, gets a mail and hears of an edit. Prints how long each took, in
// milliseconds.

const everyMs = { reads: 50, awaited: 1_000, messages: 2_000, letters: 3_000, others: 1_000 }
const patienceMs = 60_000

const quiet: Quiet = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const measured: Measured = {
  ...(Object.fromEntries(kinds.map((kind) => [kind, []])) as unknown as Record<Kind, number[]>),
  refused: {},
  slowest: '',
}
const paths = ['/conversations', '/people', '/campaigns', '/senders/health', '/dashboard', '']
let slowestMs = 0

async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) {
  const from = performance.now()
  const response = await fetch(`${quiet.url}/api/v1${path}`, {
    method,
    signal: AbortSignal.timeout(patienceMs),
    headers: {
      authorization: `Bearer ${quiet.token}`,
      ...(method !== 'GET' && {
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

const waiting: Promise<unknown>[] = []
const every = async (ms: number, work: (n: number) => Promise<unknown>) => {
  const end = performance.now() + quiet.seconds * 1_000
  for (let n = 0; performance.now() < end; n++) {
    waiting.push(work(n))
    await sleep(ms)
  }
}

// Who waits to be told of what happened to which thing.
const heard = new Map<string, () => void>()
const hook = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  response.writeHead(204).end()
  const { type, data } = JSON.parse(text)
  for (const id of [data.person, data.resource]) heard.get(`${type} ${id}`)?.()
})
await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`
const webhook = JSON.parse((await call('POST', '/webhooks', { url })).text).id

/** Until the webhook has told of it, from now on. */
async function untilHeard(kind: Kind, event: string, from = performance.now()) {
  const told = new Promise<void>((resolve) => heard.set(event, resolve))
  await Promise.race([told, sleep(patienceMs, undefined, { ref: false })])
  measured[kind].push(performance.now() - from)
  heard.delete(event)
}

async function read(n: number) {
  const path = paths[n % paths.length] as string
  const { ms } = await call('GET', path)
  measured.reads.push(ms)
  if (ms > slowestMs) [slowestMs, measured.slowest] = [ms, path]
}

async function awaitMeeting(n: number) {
  const day = { day: '2026-11-30', start: '10:00', minutes: 30 }
  const body = { title: `Meeting ${n}`, ...day, check: true }
  measured.awaited.push((await call('POST', '/calendar/meetings', body)).ms)
}

/** From the acceptance of a message until it was sent. */
async function sendMessage(n: number) {
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
      return measured.messages.push(performance.now() - from)
    await sleep(100)
  }
  return measured.messages.push(patienceMs)
}

/** From the call that has somebody join the segment until the program hears that the letter went. */
async function getLetter() {
  const email = `${randomUUID()}@client.example`
  const made = await call('POST', '/people', { name: 'A Reader', email })
  if (made.status !== 200) return
  const { id } = JSON.parse(made.text)
  const told = untilHeard('letters', `touch.sent ${id}`)
  await call('POST', `/segments/${quiet.segment}/people`, { people: [id] })
  await told
}

const transport = createTransport({ host: '127.0.0.1', port: quiet.smtpPort, ignoreTLS: true })

/** From the moment at which somebody hands in a mail until the program hears of it. */
async function getReply(n: number) {
  const email = `${randomUUID()}@client.example`
  const made = await call('POST', '/people', { name: 'A Writer', email })
  if (made.status !== 200) return
  const told = untilHeard('replies', `message.received ${JSON.parse(made.text).id}`)
  const [from, to] = [email, quiet.account]
  await transport.sendMail({ from, to, subject: `Reply ${n}`, text: 'What does it cost?' })
  await told
}

/** From the answer to an edit until the program hears of it. */
async function hearOfEdit(n: number) {
  const { text, status } = await call('GET', '/people?limit=10')
  if (status !== 200) return
  const { people } = JSON.parse(text)
  const { id } = people[n % people.length]
  const told = untilHeard('webhooks', `person.edited ${id}`)
  await call('PATCH', `/people/${id}`, { city: randomUUID() })
  await told
}

await Promise.all([
  every(everyMs.reads, read),
  every(everyMs.awaited, awaitMeeting),
  every(everyMs.messages, sendMessage),
  every(everyMs.letters, getLetter),
  every(everyMs.letters, getReply),
  every(everyMs.others, hearOfEdit),
])
await Promise.all(waiting)
await call('DELETE', `/webhooks/${webhook}`)
process.stdout.write(JSON.stringify(measured))
process.exit(0)
