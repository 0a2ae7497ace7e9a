import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { operationId } from '../../db/operations/operations.ts'
import { eventually } from '../support/service.ts'
import { faultClient } from './client.ts'
import { withoutTemporal } from './pending.ts'
import { workspaceFile } from './scenario.ts'
import { type Stack, startStack } from './stack.ts'

const patienceMs = 120_000

describe('a stack of real processes', function () {
  this.timeout(300_000)
  const workspace = 'wsp_faults'
  let stack: Stack
  let token: string
  let client: ReturnType<typeof faultClient>
  let conversation = 0

  before(async function () {
    stack = await startStack('named').catch(withoutTemporal(this.test?.ctx))
    token = await stack.workspace(workspaceFile(workspace, 'named', stack.mail.smtpPort, 1_000))
    client = faultClient(stack.url, token)
  })
  after(() => stack?.stop())
  afterEach(() => stack?.mail.script({}))

  /** A message, in a new conversation unless one is given, and how to follow it. */
  function letter(index = conversation++) {
    const [key, text] = [randomUUID() as string, `A word of ${randomUUID()}`]
    const path = `/conversations/cnv_${index}/messages`
    const operation = () => client.read(`/operations/${key}`)
    return {
      key,
      text,
      path,
      send: () => client.change('POST', path, { text }, { key }),
      operation,
      settled: () =>
        eventually(
          operation,
          ({ state, waitingFor }) => state === 'done' || waitingFor === 'resolve',
          patienceMs,
        ),
      arrived: () => stack.mail.messages().filter((message) => message.text.includes(text)),
      row: () =>
        stack.db
          .selectFrom('messages')
          .select(['state', 'reason', 'messageId'])
          .where('operation', '=', operationId(workspace, key))
          .executeTakeFirstOrThrow(),
      resolve: (outcome: 'sent' | 'again') =>
        stack.client.workflow
          .getHandle(operationId(workspace, key))
          .executeUpdate('resolve', { args: [outcome] }),
    }
  }

  it('answers reads and accepts work while Temporal is away, and carries it out once Temporal is back', async () => {
    const message = letter()
    const [segments, people] = [randomUUID(), randomUUID()]
    const file = {
      name: 'a.csv',
      content: Buffer.from('name,email\nAda,ada@a.example').toString('base64'),
    }
    await stack.down('temporal')
    ok((await client.read('/conversations')).conversations.length > 0)
    const queued = await client.once('POST', message.path, { text: message.text }, message.key)
    equal(queued.status, 200, queued.text)
    const judged = await client.once('POST', '/segments', { query: 'everyone' }, segments)
    equal(judged.status, 504, judged.text)
    equal(JSON.parse(judged.text).code, 'still_running')
    const imported = await client.once('POST', '/people/import', { file, commit: true }, people)
    equal(imported.status, 200, imported.text)
    equal(JSON.parse(imported.text).state, 'accepted')
    await stack.up('temporal')
    equal((await message.settled()).result.state, 'sent')
    equal(message.arrived().length, 1)
    const answer = await client.persistently(
      'POST',
      '/segments',
      { query: 'everyone' },
      segments,
      patienceMs,
    )
    equal(answer.status, 200, answer.text)
    ok(JSON.parse(answer.text).judged >= 10)
    const importing = () => client.read(`/operations/${people}`)
    const { result } = await eventually(importing, ({ state }) => state === 'done', patienceMs)
    equal(result.rows.new, 1)
  })

  it('answers 503 unavailable while Postgres is away, and recovers by itself', async () => {
    const message = letter()
    const deaths = { ...stack.deaths }
    // It goes away in the middle of transactions of the API and the worker.
    const others = Array.from({ length: 20 }, (_, i) => letter(i % 10))
    const busy = Promise.all(others.map((other) => other.send()))
    await stack.down('postgres')
    const call = () => client.once('POST', message.path, { text: message.text }, message.key)
    for (const reply of [await client.once('GET', '/people', undefined, undefined), await call()]) {
      equal(reply.status, 503, reply.text)
      equal(JSON.parse(reply.text).code, 'unavailable')
      equal(JSON.parse(reply.text).retryable, true)
    }
    const status = async (path: string) => (await fetch(`${stack.url}${path}`)).status
    equal(await status('/livez'), 200)
    equal(await status('/readyz'), 503)
    await stack.up('postgres')
    await Promise.all([busy, message.send()])
    equal((await message.settled()).result.state, 'sent')
    equal(message.arrived().length, 1)
    // If the claim was just being committed, nobody knows whether the message was handed over.
    for (const other of others) {
      const { state } = await other.settled()
      if (state === 'done') equal(other.arrived().length, 1)
      else ok(other.arrived().length <= 1)
    }
    equal(await status('/readyz'), 200)
    deepEqual(stack.deaths, deaths)
  })

  for (const [where, taken] of [
    ['onData', 0],
    ['onAccepted', 1],
  ] as const)
    it(`leaves a message unconfirmed when the connection breaks ${taken ? 'after' : 'before'} it is accepted, and resends it when told`, async () => {
      const message = letter()
      stack.mail.script({ [where]: () => 'drop' })
      await message.send()
      equal((await message.settled()).waitingFor, 'resolve')
      const { state, reason, messageId } = await message.row()
      deepEqual([state, reason], ['sending', 'unconfirmed'])
      equal(message.arrived().length, taken)

      stack.mail.script({})
      await message.resolve('again')
      const over = await eventually(message.operation, ({ endedAt }) => endedAt, patienceMs)
      equal(over.result.state, 'sent')
      deepEqual(
        message.arrived().map((arrived) => arrived.messageId),
        Array.from({ length: taken + 1 }, () => messageId),
      )
    })

  it('leaves a message sent or unconfirmed, depending on where the worker dies', async () => {
    // In this order no repeated attempt passes the point of a later death.
    const points = ['after-settle', 'after-handover', 'after-claim', 'before-claim'] as const
    const messages = points.map(() => letter())
    const died = (deaths: number) =>
      eventually(
        async () => stack.deaths['worker'] ?? 0,
        (n) => n >= deaths,
        patienceMs,
      )
    const before = stack.deaths['worker'] ?? 0
    stack.crashWorkerAt(...points)
    for (const [i, message] of messages.entries()) {
      await message.send()
      await died(before + 2 + i)
    }
    const ends = await Promise.all(
      messages.map(async (message) => {
        await message.settled()
        const { state, reason } = await message.row()
        return [reason ?? state, message.arrived().length]
      }),
    )
    deepEqual(Object.fromEntries(points.map((point, i) => [point, ends[i]])), {
      'after-settle': ['sent', 1],
      'after-handover': ['unconfirmed', 1],
      'after-claim': ['unconfirmed', 0],
      'before-claim': ['sent', 1],
    })
  })

  it('answers fifty identical calls byte for byte although the API dies meanwhile', async () => {
    const message = letter()
    const calls = Array.from({ length: 50 }, () =>
      client.persistently('POST', message.path, { text: message.text }, message.key, patienceMs),
    )
    await Promise.race(calls.map((call) => call.catch(() => {})))
    stack.kill('api')
    const replies = await Promise.all(calls)
    deepEqual([...new Set(replies.map(({ status }) => status))], [200])
    equal(new Set(replies.map(({ text }) => text)).size, 1)
    await message.settled()
    equal(message.arrived().length, 1)
  })

  it('imports all of a 3 MB file although the worker dies twice', async () => {
    const key = randomUUID()
    const { csv, rows } = largestFile()
    equal(csv.length, 3 * 1024 * 1024)
    const file = { name: 'people.csv', content: csv.toString('base64') }
    const importing = client.change('POST', '/people/import', { file, commit: true }, { key })
    const progress: number[] = []
    const read = async () => {
      const operation = await client.read(`/operations/${key}`)
      const done = operation.progress?.done ?? 0
      if (done !== progress.at(-1)) progress.push(done)
      return { ...operation, done }
    }
    const known = (operation: { kind?: string }) => operation.kind !== undefined
    await eventually(() => read().catch(() => ({}) as { kind?: string }), known, patienceMs)
    for (const share of [0.2, 0.5]) {
      await eventually(read, ({ done }) => done > share * rows, patienceMs)
      stack.kill('worker')
    }
    const { state, result } = await eventually(read, (o) => o.endedAt !== null, patienceMs)
    equal(state, 'done')
    equal((await importing).operation, key)
    deepEqual(
      { ...result.rows },
      { total: rows, new: rows, update: 0, same: 0, duplicate: 0, invalid: 0 },
    )
    ok(progress.length > 3, progress.join())
    const { people } = await stack.db
      .selectFrom('addresses')
      .select(({ fn }) => fn.count<string>('person').distinct().as('people'))
      .where('value', 'like', '%@import.example')
      .executeTakeFirstOrThrow()
    equal(Number(people), rows)
  })
})

/** A CSV file of exactly the largest size that is accepted. */
function largestFile() {
  const size = 3 * 1024 * 1024
  const lines = ['name,email,company']
  let length = (lines[0] as string).length
  for (let i = 0; ; i++) {
    const line = `Person Number ${i},p${i}@import.example,Company ${i % 100}`
    if (length + 1 + line.length > size) break
    lines.push(line)
    length += 1 + line.length
  }
  const csv = lines.join('\n')
  return { csv: Buffer.from(csv + 'x'.repeat(size - csv.length)), rows: lines.length - 1 }
}
