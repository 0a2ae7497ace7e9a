import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { readerWorkflowId } from '../../db/accounts/mailboxes.ts'
import { recordProposal } from '../../db/calendar/answers.ts'
import { enqueueStart } from '../../db/operations/outbox.ts'
import { hooksQueue, sendQueue } from '../../workflows/ids.ts'
import { givenClient, givenConversation } from './given.ts'
import { givenCampaign } from './given-campaign.ts'
import { mochaGlobalTeardown } from './hooks.ts'
import { givenMailboxes, mailProgram } from './inbox.ts'
import { testMail } from './mail.ts'
import { testMailboxes } from './mailboxes.ts'
import { eventually, startService } from './service.ts'
import { countPlannings, played, runStubs } from './stub-runner.ts'
import { testTemporal } from './temporal.ts'

// Records the histories that replay.test.ts replays: dev/run test/support/record.ts FOLDER
// A folder holds what one released version wrote. A release adds its own; one recorded is never recorded again, since
// workflows of that version may still be running somewhere.

const folder = join(import.meta.dirname, '../workflows/histories', process.argv[2] ?? 'unreleased')
const service = await startService()
const mail = await testMail()
const { address } = await testTemporal()
await service.work()
const client = new Client({ connection: await Connection.connect({ address }) })
const { db } = service

/** A campaign that is written, starts, pauses, resumes and ends; its first letter is unconfirmed, and sent again. */
async function campaign() {
  let dropped = false
  mail.script({
    onAccepted: () => {
      if (dropped) return undefined
      dropped = true
      return 'drop'
    },
  })
  const made = await givenCampaign(service, mail, { people: 3 })
  const path = `/campaigns/${made.campaign}`
  const funnel = async () => (await made.call('GET', path)).body.funnel
  const move = (to: string, key: string) => made.call('POST', `${path}/state`, { to }, { key })
  await move('running', 'start')
  await eventually(funnel, ({ sent, sending }) => sent === 2 && sending === 1)
  const [parked] = (await made.call('GET', `${path}/touches?state=sending`)).body.touches
  // The relay starts the workflow once the letter is unconfirmed.
  const resolved = () =>
    client.workflow
      .getHandle(parked.workflow.id)
      .executeUpdate('resolve', { args: ['again'] })
      .then(
        () => true,
        () => false,
      )
  await eventually(resolved, (done) => done)
  await eventually(funnel, ({ sent }) => sent === 3)
  await move('paused', 'pause')
  await move('running', 'resume')
  await move('done', 'end')
  return made
}

/**
 * A message that is sent, one that is cancelled while it waits, some that wait for their turn, a snooze that is woken, and the
 * calls that are awaited.
 */
async function inbox({
  id,
  call,
  connections,
  people,
  emails,
}: Awaited<ReturnType<typeof campaign>>) {
  const talk = async (i: number) => {
    const [person = '', from = ''] = [people[i], emails[i]]
    const given = { person, connection: connections[0], from, at: service.clock.now() }
    return `/conversations/${await givenConversation(db, id, given)}`
  }
  const path = await talk(0)
  const soon = service.clock.now().getTime() + 3_000
  for (const [i, at] of [path, await talk(1), await talk(2)].entries())
    await call('POST', `${at}/messages`, { text: 'Soon', sendAt: new Date(soon + i).toISOString() })
  await call('POST', `${path}/messages`, { text: 'Now' }, { key: 'message' })
  const later = await call(
    'POST',
    `${path}/messages`,
    { text: 'Later', sendAt: '2027-11-23T09:00:00Z' },
    { key: 'later' },
  )
  await eventually(
    () => call('GET', '/operations/later'),
    ({ body }) => body.state === 'waiting',
  )
  await call('DELETE', `/messages/${later.body.id}`)
  await call('PATCH', path, { snoozeUntil: '2027-11-23T09:00:00Z' }, { key: 'snooze' })
  await eventually(
    () => call('GET', '/operations/snooze'),
    ({ body }) => body.state === 'waiting',
  )
  await call('PATCH', path, { snoozeUntil: null })
  await call('POST', '/senders/health/check', {})
  await call('POST', '/webhooks', { url: 'http://127.0.0.1:9/', kinds: ['workspace.edited'] })
  await call('PATCH', '/workspace', { tagging: false })
  const { body: segment } = await call('POST', '/segments', { query: 'everyone' })
  await call('POST', `/segments/${segment.id}/find`, { words: 'everyone' })
  await call('POST', `/segments/${segment.id}/find/add`, {})
  const due = service.clock.now().toISOString()
  await call('POST', `${path}/tasks`, { text: 'Write: Hello.', due })
  const content = Buffer.from('name,email\nCleo,cleo@client.example\n').toString('base64')
  await call('POST', '/people/import', { file: { name: 'people.csv', content }, commit: true })
  await call('POST', '/routing/apply', {})
  await call('POST', '/archive', { do: 'start' })
}

/**
 * A meeting that is asked about, booked, moved, not moved again as a guest proposes, and cancelled; and one that a client has
 * invited to.
 */
async function calendar({ id, call }: Awaited<ReturnType<typeof campaign>>) {
  const [day] = service.clock.now().toISOString().split('T')
  const meeting = {
    title: 'Demo',
    day,
    start: '23:00',
    minutes: 30,
    guests: ['kim@client.example'],
  }
  await call('POST', '/calendar/meetings', { ...meeting, check: true })
  const { body } = await call('POST', '/calendar/meetings', meeting)
  const sent = (n: number) =>
    eventually(
      () => db.selectFrom('invitations').select('id').where('state', '=', 'sent').execute(),
      (all) => all.length === n,
    )
  await sent(1)
  await call('POST', `/calendar/meetings/${body.id}/move`, { day, start: '22:00' })
  await sent(2)
  const at = new Date(`${day}T20:00:00Z`)
  const proposal = { uid: `${body.id}@postroom`, startsAt: at, endsAt: at, at, comment: null }
  const from = { from: 'kim@client.example', named: 'kim@client.example', sentBy: null }
  const written = { workspace: id, ...from, references: [], ...proposal }
  await db.transaction().execute((trx) => recordProposal(trx, written, service.clock.now()))
  const [proposed] = (await call('GET', `/calendar/meetings/${body.id}`)).body.proposals
  await call('POST', `/calendar/meetings/${body.id}/proposals/${proposed.id}`, { accept: false })
  await sent(3)
  await call('DELETE', `/calendar/meetings/${body.id}`)
  await sent(4)
  await enqueueStart(db, {
    ...{ type: 'fileInvitation', workflowId: 'inv_record', args: [{ message: 'msg_none' }] },
    attributes: { Workspace: id },
  })
}

/** A mailbox that is read until its account has none any more. */
async function mailbox({ connections, emails }: Awaited<ReturnType<typeof campaign>>) {
  const mailboxes = await testMailboxes()
  const [connection] = connections
  const account = db.selectFrom('connections').where('id', '=', connection)
  const { account: to, workspace } = await account
    .select(['account', 'workspace'])
    .executeTakeFirstOrThrow()
  await givenMailboxes(service, mailboxes, [connection])
  await mailProgram(mailboxes)({ from: emails[1], to, subject: 'Hello', text: 'Hello.' })
  await eventually(
    () => db.selectFrom('messages').select('id').where('subject', '=', 'Hello').execute(),
    (found) => found.length === 1,
    60_000,
  )
  await db.updateTable('connections').set({ imap: null }).where('id', '=', connection).execute()
  const reader = client.workflow.getHandle(readerWorkflowId(workspace, connection))
  await reader.signal('changed')
  await reader.result()
}

/** Somebody with whom there is a conversation is erased. */
async function erasure() {
  const { id, call, connections } = await service.workspace()
  const from = 'gone@client.example'
  const { body } = await call('POST', '/people', { name: 'Kim Gone', email: from })
  const [connection] = connections
  const at = service.clock.now()
  await givenConversation(db, id, { person: body.id, connection, from, at })
  await call('DELETE', `/people/${body.id}`)
}

/** A connection is removed while a message waits to go through it; then its workspace is erased. */
async function removal() {
  const workspace = await service.workspace({ smtpPort: mail.smtpPort })
  const { id, call, connections } = workspace
  const { conversation } = await givenClient(db, workspace, service.clock.now())
  const path = `/conversations/${conversation}/messages`
  await call('POST', path, { text: 'Later', sendAt: '2027-11-23T09:00:00Z' })
  const { call: admin } = await service.administration()
  const ends = (key: string) =>
    eventually(
      () => admin('GET', `/operations/${key}?workspace=${id}`),
      ({ body }) => body.state === 'done',
    )
  const at = `/workspaces/${id}`
  await admin('DELETE', `${at}/connections/${connections[0]}`, undefined, { key: 'remove' })
  await ends('remove')
  await admin('DELETE', at, { confirm: id }, { key: 'erase-workspace' })
}

/** A runner that is woken because of people and for other reasons, and one that goes on in a new run, over stub activities. */
async function runners() {
  await countPlannings(undefined, async ({ signal, looks }) => {
    for (const reason of ['people', 'accounts', undefined, 'mailbox'] as const) {
      const before = await looks()
      await signal(reason)
      await eventually(looks, (now) => now > before)
    }
  })
  await runStubs(undefined, 110)
}

/** What schedules start. */
async function schedules(taskQueue: string) {
  for (const type of ['refillSegments', 'sweep', 'cleanUp', 'syncCalendars'])
    await client.workflow.execute(type, { taskQueue, workflowId: `record-${type}`, args: [] })
}

const made = await campaign()
await inbox(made)
await calendar(made)
await erasure()
await removal()
await mailbox(made)
const { taskQueue } = await client.workflow.getHandle(`${made.id}:start`).describe()
await schedules(taskQueue)
await runners()
await eventually(
  () =>
    db
      .selectFrom('operations')
      .select('id')
      .where('workflowType', 'is not', null)
      .where('endedAt', 'is', null)
      .execute(),
  (open) => open.length === 0,
)

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const counts = new Map<string, number>()
const queues = [taskQueue, hooksQueue(taskQueue), sendQueue(taskQueue)]
const inQueues = `TaskQueue IN (${queues.map((name) => `'${name}'`).join()})`
const ofStubs = `WorkflowId IN (${played.map((id) => `'${id}'`).join()})`
for await (const { workflowId, runId, type } of client.workflow.list({
  query: `${inQueues} OR ${ofStubs}`,
})) {
  const n = (counts.get(type) ?? 0) + 1
  counts.set(type, n)
  const history = await client.workflow.getHandle(workflowId, runId).fetchHistory()
  writeFileSync(join(folder, `${type}-${n}.json`), `${historyToJSON(history)}\n`)
}
console.error([...counts].map(([type, n]) => `${n} ${type}`).join(', '))
await client.connection.close()
await service.close()
await mochaGlobalTeardown()
process.exit(0)
