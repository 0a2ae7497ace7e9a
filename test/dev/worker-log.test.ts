import { deepEqual, equal, ok } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { ended } from '../../dev/stack/processes.ts'
import { sendQueue } from '../../workflows/ids.ts'
import { givenConversation, givenPeople, secretKey } from '../support/given.ts'
import { givenMailboxes } from '../support/inbox.ts'
import { eventually, startService } from '../support/service.ts'
import { testClient, testTemporal } from '../support/temporal.ts'

// The worker's own log while accounts and webhooks are down, as its operator reads it.

// A port on which nothing listens.
const dead = 9
const messages = 6

describe('the log of a worker', function () {
  this.timeout(180_000)
  let worker: ChildProcess | undefined
  afterEach(async () => {
    if (!worker) return
    worker.kill('SIGKILL')
    await ended(worker)
  })

  it('names a mailbox, a mail server and a webhook that are down, but not at every attempt', async function () {
    const temporal = await testTemporal(this.test?.ctx)
    const client = await testClient()
    // A process uses the clock of the machine.
    const service = await startService({ now: new Date().toISOString() })
    const { db, clock } = service
    const { id, call, connections } = await service.workspace({ smtpPort: dead })
    const [, mailbox] = connections
    await givenMailboxes(service, { imapPort: dead }, [mailbox])
    await call('POST', '/webhooks', { url: `http://127.0.0.1:${dead}/`, kinds: [] })
    const email = 'kim@client.example'
    for (let i = 0; i < messages; i++) {
      const at = clock.now()
      const [person = ''] = await givenPeople(db, id, [{ name: 'Kim', email: `${i}${email}` }], at)
      const given = { person, connection: connections[0], from: email, at }
      const conversation = await givenConversation(db, id, given)
      const sent = await call('POST', `/conversations/${conversation}/messages`, { text: 'Hello' })
      equal(sent.status, 200, sent.text)
    }
    for (const tagging of [true, false, true]) await call('PATCH', '/workspace', { tagging })

    const taskQueue = `log-${id}`
    let said = ''
    worker = spawn(process.execPath, ['activities/worker.ts'], {
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: '/nowhere',
        WEBHOOK_ALLOW_PRIVATE: 'true',
        DATABASE_URL: service.databaseUrl,
        SECRET_KEY: secretKey.current,
        TEMPORAL_ADDRESS: temporal.address,
        TEMPORAL_NAMESPACE: temporal.namespace,
        TEMPORAL_TASK_QUEUE: taskQueue,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [worker.stdout, worker.stderr])
      stream?.on('data', (text) => {
        said += text
      })
    const lines = () => said.split('\n').filter(Boolean)
    /** How often each activity that has not ended was attempted. */
    const tries = async () => {
      const attempts: Record<string, number> = {}
      for await (const { workflowId } of client.workflow.list({
        query: `TaskQueue in ('${taskQueue}', '${sendQueue(taskQueue)}') and ExecutionStatus = 'Running'`,
      })) {
        const { raw } = await client.workflow.getHandle(workflowId).describe()
        for (const { activityType, attempt } of raw.pendingActivities ?? []) {
          const name = activityType?.name ?? ''
          attempts[name] = (attempts[name] ?? 0) + (attempt ?? 0)
        }
      }
      return attempts
    }
    const tried = await eventually(
      tries,
      ({ sendDueMessage = 0 }) => sendDueMessage >= 4 * messages,
      120_000,
    )
    const records = lines().map((line) => JSON.parse(line))
    // Only lines about what went wrong; a busy machine adds lines of its own.
    const troubles = records.filter(({ level, code }) => level >= 40 && code)
    ok(Object.values(tried).reduce((sum, n) => sum + n) > 4 * messages, JSON.stringify(tried))
    // Each cause once; for the account also that its other letters wait for the one that is retried.
    ok(troubles.length <= 8, said)
    const of = (activity: string) => troubles.find((line) => line.activity === activity)
    const sending = of('sendDueMessage')
    equal(sending.code, 'smtp_unreachable')
    ok(sending.msg.startsWith(`The account ${connections[0]} cannot be opened (smtp_unreachable, `))
    ok(sending.msg.includes(`ECONNREFUSED at 127.0.0.1:${dead}) since 20`), sending.msg)
    // One activity reads many mailboxes: what goes wrong with one of them is no failure of the activity.
    const reading = troubles.find(({ connection }) => connection === mailbox)
    equal(reading?.code, 'imap_unreachable')
    for (const { nextTryAt, since, times, err } of [sending, reading]) {
      ok(Date.parse(nextTryAt) > Date.now() - 120_000)
      ok(Date.parse(since))
      ok(times >= 1)
      equal(err, undefined)
    }
    const webhook = troubles.find((line) => line.webhook)
    deepEqual([webhook?.code, Boolean(webhook?.nextTryAt)], ['unreachable', true])

    // It ends with one line, however many letters wait.
    const before = lines().length
    worker.kill('SIGINT')
    equal(await ended(worker), 'exit code 0')
    await sleep(100)
    deepEqual(
      lines()
        .slice(before)
        .map((line) => JSON.parse(line).msg),
      ['stopped'],
    )
    await service.close()
  })
})
