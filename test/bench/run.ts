import { randomUUID } from 'node:crypto'
import { givenConversation, givenPeople } from '../support/given.ts'
import { mochaGlobalTeardown } from '../support/hooks.ts'
import { testMail } from '../support/mail.ts'
import { eventually, startService } from '../support/service.ts'

// npm run bench: ratios measured side by side in one run, round by round, so that a noisy machine is noisy for both. No
// figure here is a promise; the ratio is what is worth comparing between versions.

const rounds = 60
const service = await startService()
const mail = await testMail()
await service.work()
const workspace = await service.workspace({ smtpPort: mail.smtpPort })
const { call } = workspace

const median = (times: number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] as number
async function timed(work: () => Promise<unknown>) {
  const from = performance.now()
  await work()
  return performance.now() - from
}

/** Runs two things in turn and prints the medians and the ratio of the first to the second. */
async function compare(
  name: string,
  a: () => Promise<unknown>,
  b: () => Promise<unknown>,
  n = rounds,
) {
  const times: [number, number][] = []
  for (let i = 0; i < n; i++) times.push([await timed(a), await timed(b)])
  const [first, second] = [median(times.map(([t]) => t)), median(times.map(([, t]) => t))]
  const ratio = median(times.map(([x, y]) => x / y))
  console.log(
    `${name.padEnd(64)} ${first.toFixed(1).padStart(8)} ms ${second.toFixed(1).padStart(8)} ms ${ratio.toFixed(2).padStart(8)}`,
  )
}

async function conversation() {
  const email = `${randomUUID()}@client.example`
  const [person] = await givenPeople(
    service.db,
    workspace.id,
    [{ name: 'Cleo', email }],
    service.clock.now(),
  )
  const from = {
    person: person as string,
    connection: workspace.connections[0],
    from: email,
    at: service.clock.now(),
  }
  return givenConversation(service.db, workspace.id, from)
}

const place = `/conversations/${await conversation()}`
const later = { text: 'Hello', sendAt: '2027-06-01T09:00:00Z' }
const key = randomUUID()
await call('POST', `${place}/messages`, later, { key })
const person = () => ({ name: 'Cleo', email: `${randomUUID()}@client.example` })
const csv = (rows: number) => ({
  file: {
    name: 'people.csv',
    content: Buffer.from(
      `name,email\n${Array.from({ length: rows }, () => Object.values(person()).join(',')).join('\n')}\n`,
    ).toString('base64'),
  },
  commit: true,
})

console.log(
  `${'a against b'.padEnd(64)} ${'a'.padStart(11)} ${'b'.padStart(11)} ${'a / b'.padStart(8)}`,
)
await compare(
  'accept a message (one transaction) against reading a conversation',
  () => call('POST', `${place}/messages`, later),
  () => call('GET', place),
)
await compare(
  'accept a message against a repeat of one (replay)',
  () => call('POST', `${place}/messages`, later),
  () => call('POST', `${place}/messages`, later, { key }),
)
await compare(
  'import 1,000 people in a file against 100 people by POST',
  () => call('POST', '/people/import', csv(1000)),
  async () => {
    for (let i = 0; i < 100; i++) await call('POST', '/people', person())
  },
  4,
)
await compare(
  'POST of a message until its SMTP accept against the POST alone',
  async () => {
    const sent = mail.messages().length
    await call('POST', `/conversations/${await conversation()}/messages`, { text: 'Now' })
    await eventually(
      async () => mail.messages().length,
      (n) => n > sent,
    )
  },
  () => call('POST', `${place}/messages`, later),
  20,
)
await service.close()
await mochaGlobalTeardown()
process.exit(0)
