import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import { runnerWorkflowId } from '../../db/events/webhook-runners.ts'
import { givenClient } from '../support/given.ts'
import { type HistoryCounts, historyOf } from '../support/histories.ts'
import type { MailSink } from '../support/mail.ts'
import { startReceiver } from '../support/receiver.ts'
import { eventually, type TestService } from '../support/service.ts'
import { countStatements, type Statement } from '../support/statements.ts'

// Counts what one unit of work costs in a service of this process: SQL statements, and what Temporal keeps of it. A unit is
// counted after one like it, because what a process does for the first time is not what it does again.

export type Cost = { statements: number } & Partial<HistoryCounts> & { list: Statement[] }
export type Counting = { service: TestService; mail: MailSink; client: Client }

// A worker says every few seconds that it is alive, whatever else it does.
const isOfUnit = ({ unit, idle }: Statement) => !idle && !unit.endsWith('worker/start.ts')

export const costOf = (list: Statement[], history?: HistoryCounts): Cost => ({
  ...history,
  statements: list.filter(isOfUnit).length,
  list: list.filter(isOfUnit),
})

const later = '2027-06-01T09:00:00Z'
// What a loop still does for a unit that has ended.
const restMs = 300

/** A message that is accepted, one that is accepted again, and one that is sent at once. */
export async function countMessage({ service, mail, client }: Counting) {
  const workspace = await service.workspace({ smtpPort: mail.smtpPort })
  const at = async () => {
    const { conversation } = await givenClient(service.db, workspace, service.clock.now())
    return `/conversations/${conversation}/messages`
  }
  const counter = countStatements(service.databaseUrl)
  const post = async (path: string, body: { text: string; sendAt?: string }, key: string) => {
    counter.take()
    const { status, text } = await workspace.call('POST', path, body, { key })
    if (status !== 200) throw new Error(text)
  }
  const counted = async (...call: Parameters<typeof post>) => {
    await sleep(restMs)
    await post(...call)
    await sleep(restMs)
    return costOf(counter.take().filter(({ unit }) => unit.startsWith('POST')))
  }

  const [first, second] = [await at(), await at()]
  const key = randomUUID()
  await post(first, { text: 'Hello', sendAt: later }, randomUUID())
  const accepted = await counted(second, { text: 'Hello', sendAt: later }, key)
  const repeated = await counted(second, { text: 'Hello', sendAt: later }, key)

  const send = async () => {
    const path = await at()
    const own = randomUUID()
    await sleep(restMs)
    await post(path, { text: 'Hello' }, own)
    const id = `${workspace.id}:${own}`
    await ended(client, id)
    await sleep(restMs)
    return costOf(counter.take(), await historyOf(client, id))
  }
  // It does not go at once.
  const sentFirst = await send()
  const sent = await send()
  counter.stop()
  return { accepted, repeated, sent, sentFirst }
}

/** A list, a read of one, and a change without a key. */
export async function countCalls({ service, mail }: Counting) {
  const workspace = await service.workspace({ smtpPort: mail.smtpPort })
  const { conversation } = await givenClient(service.db, workspace, service.clock.now())
  const counter = countStatements(service.databaseUrl)
  const count = async (method: string, path: string, body?: unknown) => {
    const again = async () => {
      counter.take()
      const { status, text } = await workspace.call(method, path, body, { key: null })
      if (status !== 200) throw new Error(text)
      return counter.take().filter(({ unit }) => unit.startsWith(method))
    }
    await again()
    return costOf(await again())
  }
  const list = await count('GET', '/conversations?limit=50')
  const single = await count('GET', `/conversations/${conversation}`)
  const content = Buffer.from('name,email\nCleo,cleo@client.example\n').toString('base64')
  const keyless = await count('POST', '/people/import', { file: { name: 'people.csv', content } })
  counter.stop()
  return { list, single, keyless }
}

/** One event that one webhook is told of. */
export async function countDelivery({ service, client }: Counting) {
  const workspace = await service.workspace()
  const { url, got } = await startReceiver()
  const { body: webhook } = await workspace.call('POST', '/webhooks', { url })
  const counter = countStatements(service.databaseUrl)
  const happen = async (goal: string) => {
    const before = got.length
    counter.take()
    await workspace.call('PATCH', `/products/${workspace.product}`, { goal })
    await eventually(
      async () => got.length,
      (n) => n > before,
    )
    const row = await service.db
      .selectFrom('webhooks')
      .select('epoch')
      .where('id', '=', webhook.id)
      .executeTakeFirstOrThrow()
    const id = runnerWorkflowId(webhook.id, row.epoch)
    await ended(client, id)
    await sleep(restMs)
    const list = counter.take().filter(({ unit }) => !/^(PATCH|GET)/.test(unit))
    return costOf(list, await historyOf(client, id))
  }
  await happen('sale')
  const delivery = await happen('demo')
  counter.stop()
  return { delivery }
}

/** Waits for the end of a workflow that the relay is about to start. */
const ended = (client: Client, id: string) =>
  eventually(
    () =>
      client.workflow
        .getHandle(id)
        .describe()
        .then(({ status }) => status.name)
        .catch(() => 'NONE'),
    (status) => status !== 'NONE' && status !== 'RUNNING',
  )
