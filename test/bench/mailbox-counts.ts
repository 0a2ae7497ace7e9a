import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withClient } from '../../dev/stack/postgres.ts'
import type { Stack } from '../faults/stack.ts'
import type { ImapProcess } from '../support/imap-server/start-process.ts'

// What mailboxes cost that no machine changes: commands, statements, and what Temporal is asked for.

/** Each is what Temporal calls an action, or brings one about: a task of a workflow may set a timer or end a local activity. */
const actions =
  /^(RecordActivityTaskHeartbeat|StartWorkflowExecution|Signal\w+|RespondActivityTask(Completed|Failed|Canceled)|RespondWorkflowTaskCompleted)$/

/** So many in a number of seconds, by what was counted. */
export type Counted = { commands: number; actions: number; verbs: Record<string, number> }

export async function countRest(stack: Stack, imap: ImapProcess, work: () => Promise<void>) {
  await imap.tell('forget', {})
  const before = await actionsOf(stack)
  const from = performance.now()
  await work()
  const days = (performance.now() - from) / 86_400_000
  const { commands: verbs } = await imap.tell('counts', {})
  const sum = Object.values(verbs).reduce((a, b) => a + b, 0)
  return { commands: sum / days, actions: ((await actionsOf(stack)) - before) / days, verbs }
}

async function actionsOf({ temporalMetrics }: Stack): Promise<number> {
  const text = await (await fetch(temporalMetrics)).text()
  let sum = 0
  for (const [, labels = '', value] of text.matchAll(/^service_requests\{(.*)\} ([\d.e+]+)$/gm)) {
    const label = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(labels)?.[1] ?? ''
    // The server's own workflows are not ours.
    const isOurs = !/temporal[-_]system/.test(label('namespace'))
    if (label('service_name') === 'frontend' && isOurs && actions.test(label('operation')))
      sum += Number(value)
  }
  return sum
}

/** How many statements the service sends to Postgres in a day, as its log has them in some seconds. */
export async function countStatements(stack: Stack, seconds: number): Promise<number> {
  const log = join(stack.folder, 'logs', 'postgres.log')
  const set = (...settings: string[]) =>
    withClient(stack.superuserUrl(), async (client) => {
      for (const setting of settings) await client.query(`alter system ${setting}`)
      await client.query('select pg_reload_conf()')
    })
  const count = () =>
    readFileSync(log, 'utf8').match(/^postroom LOG: +(statement|execute [^:]*): /gm)?.length ?? 0
  await set("set log_line_prefix = '%a '", "set log_statement = 'all'")
  await sleep(2_000) // Sessions that are open take the setting up with their next statement.
  const before = count()
  const from = performance.now()
  await sleep(seconds * 1_000)
  const sum = count() - before
  const days = (performance.now() - from) / 86_400_000
  await set('reset log_statement')
  return sum / days
}
