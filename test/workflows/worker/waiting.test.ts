import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { Client } from '@temporalio/client'
import type { Context } from 'mocha'
import { readerWorkflowId } from '../../../db/accounts/mailboxes.ts'
import { givenConversation, givenPeople, givenWebhook } from '../../support/given.ts'
import { givenCampaign } from '../../support/given-campaign.ts'
import { givenMailboxes } from '../../support/inbox.ts'
import { testMail } from '../../support/mail.ts'
import { testMailboxes } from '../../support/mailboxes.ts'
import { eventually, type SharedService, sharedService } from '../../support/service.ts'
import { testClient } from '../../support/temporal.ts'

// What an operator sees in Temporal of waiting workflows: which are stuck, on what, and what can be done.

// A port on which nothing listens.
const dead = 9

describe('a workflow that waits', function () {
  this.timeout(60_000)
  let service: SharedService
  let temporal: Client
  before(async function () {
    this.timeout(120_000)
    const context = this.test?.ctx as Context
    service = await sharedService(context)
    temporal = await testClient(context)
  })

  const found = async (query: string) => {
    const ids: string[] = []
    for await (const { workflowId } of temporal.workflow.list({ query })) ids.push(workflowId)
    return ids.sort()
  }
  const metadata = (id: string) =>
    temporal.workflow
      .getHandle(id)
      // biome-ignore lint/suspicious/noExplicitAny: as the server answers it.
      .query<any>('__temporal_workflow_metadata')
  const detailsOf = async (id: string): Promise<string> => (await metadata(id)).currentDetails ?? ''

  it('for its account is found by that, says why, and is retried at once by a signal to all of them', async () => {
    const mail = await testMail()
    const { db, clock } = service
    const { id, call, connections } = await service.workspace({ smtpPort: dead })
    const [connection] = connections
    for (const key of ['one', 'two']) {
      const email = `${key}@client.example`
      const [person = ''] = await givenPeople(db, id, [{ name: 'Kim', email }], clock.now())
      const given = { person, connection, from: email, at: clock.now() }
      const conversation = await givenConversation(db, id, given)
      await call('POST', `/conversations/${conversation}/messages`, { text: 'Hello' }, { key })
    }
    const query = `WaitingFor = 'connection' and Connection = '${connection}'`
    const all = [`${id}:one`, `${id}:two`]
    await eventually(
      () => found(query),
      (ids) => ids.length === 2,
      40_000,
    )
    deepEqual(await found(query), all)
    const details = await Promise.all(all.map(detailsOf))
    for (const text of details) ok(text.startsWith(`The account ${connection} cannot be opened`))
    ok(
      details.some((text) => text.includes(`ECONNREFUSED at 127.0.0.1:${dead}) since 2026-11-23T`)),
      details.join('\n'),
    )
    const { definition } = await metadata(`${id}:one`)
    for (const { name, description } of definition.signalDefinitions)
      match(description, /^[A-Z].*\.$/, name)

    await db
      .updateTable('connections')
      .set({ smtp: JSON.stringify({ host: '127.0.0.1', port: mail.smtpPort, secure: false }) })
      .where('id', '=', connection)
      .execute()
    for (const workflow of all) await temporal.workflow.getHandle(workflow).signal('retryNow')
    for (const key of ['one', 'two'])
      await eventually(
        () => call('GET', `/operations/${key}`),
        ({ body }) => body.state === 'done',
        30_000,
      )
    await eventually(
      () => found(query),
      (ids) => ids.length === 0,
    )
  })

  it('for a person is found by that', async () => {
    const mail = await testMail()
    mail.script({ onAccepted: () => 'drop' })
    const { campaign, call } = await givenCampaign(service, mail, { people: 1 })
    await call('POST', `/campaigns/${campaign}/state`, { to: 'running' })
    const [workflow = ''] = await eventually(
      () => found(`WaitingFor = 'resolve' and Campaign = '${campaign}'`),
      (ids) => ids.length === 1,
      30_000,
    )
    match(workflow, /^tch_/)
    await temporal.workflow.getHandle(workflow).executeUpdate('resolve', { args: ['sent'] })
    const { state } = (await temporal.workflow.getHandle(workflow).result()) as { state: string }
    equal(state, 'sent')
  })

  it('for its mailbox says so until it can be read, and is retried at once when told to', async function () {
    const mailboxes = await testMailboxes(this.test?.ctx)
    const { id, connections } = await service.workspace()
    const [connection] = connections
    await givenMailboxes(service, { imapPort: dead }, [connection])
    const reader = readerWorkflowId(id, connection)
    const isTold = (text: string) => text.startsWith(`The mailbox of ${connection} cannot be read`)
    await eventually(() => detailsOf(reader).catch(() => ''), isTold, 30_000)
    const query = `WaitingFor = 'connection' and WorkflowType = 'syncMailbox' and Connection = '${connection}'`
    await eventually(
      () => found(query),
      (ids) => ids.length === 1,
    )
    const { db } = service
    const row = db.selectFrom('connections').select('imap').where('id', '=', connection)
    const { imap } = await row.executeTakeFirstOrThrow()
    await db
      .updateTable('connections')
      .set({ imap: JSON.stringify({ ...imap, port: mailboxes.imapPort }) })
      .where('id', '=', connection)
      .execute()
    await temporal.workflow.getHandle(reader).executeUpdate('retryNow')
    // It says more from its next look on.
    const isRead = (text: string) => /^Reads the mailbox|^Read to its end/.test(text)
    await eventually(() => detailsOf(reader), isRead, 30_000)
    await eventually(
      () => found(query),
      (ids) => ids.length === 0,
    )
  })

  it('for what its activity cannot get past says so, whatever it is, until that is over', async () => {
    const { db, clock } = service
    const workspace = await service.workspace()
    const [webhook] = await givenWebhook(db, workspace, clock.now())
    const row = () => db.selectFrom('webhooks').select('secret').where('id', '=', webhook)
    const { secret } = await row().executeTakeFirstOrThrow()
    const set = (columns: { secret: string; kinds?: string[] }) =>
      db.updateTable('webhooks').set(columns).where('id', '=', webhook).execute()
    await set({ secret: 'v1:other:AAAA', kinds: [] })
    await workspace.call('POST', '/people', { name: 'Kim', email: 'kim@client.example' })
    const query = `WaitingFor = 'secret_unreadable' and WorkflowType = 'deliverEvents' and Workspace = '${workspace.id}'`
    const [runner = ''] = await eventually(
      () => found(query),
      (ids) => ids.length === 1,
      40_000,
    )
    match(runner, new RegExp(`^${webhook}-e`))
    const details = await detailsOf(runner)
    match(details, /\n\nAttempt \d+ has failed. The next attempt was planned for 2\d{3}-/)
    await set({ secret })
    await eventually(
      () => found(query),
      (ids) => ids.length === 0,
      40_000,
    )
    const { currentDetails = '' } = await metadata(runner)
    ok(!currentDetails.includes('Attempt'), currentDetails)
  })
})
