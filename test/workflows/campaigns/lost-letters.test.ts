import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import type { Client, WorkflowHandle } from '@temporalio/client'
import { reviveLetters } from '../../../activities/operations/upkeep.ts'
import { findBacklog } from '../../../db/operations/gauges.ts'
import { root } from '../../../dev/stack/services.ts'
import { createLog } from '../../../process/telemetry/log.ts'
import { resolve } from '../../../workflows/signals.ts'
import { givenConversation } from '../../support/given.ts'
import { givenCampaign } from '../../support/given-campaign.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'
import { testClient } from '../../support/temporal.ts'

type Touch = { reason: string | null }

describe('an unconfirmed letter', function () {
  this.timeout(90_000)
  let service: TestService
  let mail: MailSink
  let client: Client

  before(async function () {
    client = await testClient(this.test?.ctx)
    service = await startService()
    mail = await testMail()
    await service.work(this.test?.ctx, {}, { only: ['rows', 'send', 'remote'] })
  })
  after(() => service?.close())
  afterEach(() => mail.script({}))

  /** The server takes the first letter to one of them, and does not say so. */
  function loseFirst(emails: string[]) {
    let dropped = false
    mail.script({
      onAccepted: ({ to }) => {
        if (dropped || !emails.includes(to[0] as string)) return undefined
        dropped = true
        return 'drop'
      },
    })
  }

  async function unconfirmed() {
    const campaign = await givenCampaign(service, mail, { people: 1, places: [1] })
    loseFirst(campaign.emails)
    await campaign.move('running')
    const touch = async () => (await campaign.touches())[0]
    const until = (state: string, reason: string | null = null) =>
      eventually(touch, (now) => now?.state === state && now.reason === reason, 30_000)
    const { id, workflow } = await until('sending', 'unconfirmed')
    const handle: WorkflowHandle = client.workflow.getHandle(workflow.id)
    await eventually(
      () => details(handle),
      (text) => text.includes('resolve'),
      30_000,
    )
    const told = () =>
      service.db
        .selectFrom('notifications')
        .select(['kind', 'text'])
        .where('workspace', '=', campaign.id)
        .execute()
    return { ...campaign, touch: id as string, until, handle, told }
  }
  // The workflow is started once the letter is unconfirmed.
  const details = (handle: WorkflowHandle) =>
    handle.query<{ currentDetails: string }>('__temporal_workflow_metadata').then(
      ({ currentDetails }) => currentDetails,
      () => '',
    )
  const status = async (handle: WorkflowHandle) => (await handle.describe()).status.name
  const running = (handle: WorkflowHandle, is = true) =>
    eventually(
      () => status(handle),
      (now) => (now === 'RUNNING') === is,
    )
  /** Cancels it as the Web UI does; once it has been told of that, it still waits. */
  async function cancelInVain(handle: WorkflowHandle) {
    await handle.cancel()
    await eventually(
      async () => {
        const events = (await handle.fetchHistory()).events ?? []
        const at = events.findIndex((one) => one.workflowExecutionCancelRequestedEventAttributes)
        return at >= 0 && events.slice(at).some((one) => one.workflowTaskCompletedEventAttributes)
      },
      (told) => told,
    )
    equal(await status(handle), 'RUNNING')
  }
  const sweep = () =>
    reviveLetters(
      {
        db: service.db,
        log: createLog('test', 'silent'),
        workflowState: async (id) =>
          (await status(client.workflow.getHandle(id))) === 'RUNNING' ? 'running' : 'closed',
      },
      () => {},
    )

  for (const [outcome, copies] of [
    ['sent', 1],
    ['again', 2],
  ] as const)
    it(`that was cancelled in the Web UI keeps waiting, and is resolved with ${outcome}`, async () => {
      const { handle, until, letters, told } = await unconfirmed()
      await cancelInVain(handle)
      await handle.executeUpdate(resolve, { args: [outcome] })
      await until('sent')
      // Another copy has the Message-ID that the first one had.
      const ids = letters().map(({ messageId }) => messageId)
      deepEqual(ids, Array(copies).fill(ids[0]))
      equal((await told()).length, 1)
      await running(handle, false)
    })

  it('is sent again, under the Message-ID it had, when a caller of the API says so', async () => {
    const { handle, until, letters, call, campaign, touch } = await unconfirmed()
    const path = `/campaigns/${campaign}/touches/${touch}/resolve`
    const answer = await call('POST', path, { outcome: 'again' })
    deepEqual([answer.status, answer.body.state], [200, 'queued'])
    await running(handle, false)
    await until('sent')
    const ids = letters().map(({ messageId }) => messageId)
    deepEqual(ids, Array(2).fill(ids[0]))
  })

  it('whose workflow was terminated is resumed unconfirmed, and is resolved', async () => {
    const { handle, until, letters, told, move } = await unconfirmed()
    await move('paused')
    await handle.terminate()
    const { orphaned } = await findBacklog(service.db)
    await sweep()
    await running(handle)
    await eventually(
      () => details(handle),
      (text) => text.includes('resolve'),
      30_000,
    )
    // A second sweep leaves it as it is.
    await sweep()
    equal((await findBacklog(service.db)).orphaned, orphaned)
    equal((await told()).length, 1)
    await handle.executeUpdate(resolve, { args: ['sent'] })
    await until('sent')
    equal(letters().length, 1)
  })

  const operation = async (...args: string[]) => {
    const env = { ...process.env, DATABASE_URL: service.databaseUrl, SECRET_KEY: 'x'.repeat(16) }
    const run = promisify(execFile)
    return (await run(process.execPath, ['dev/operator/operation.ts', ...args], { cwd: root, env }))
      .stdout
  }

  it("is shown and resolved by the operator's command, whether or not its workflow exists", async () => {
    const { campaign, handle, touch, until, letters, told } = await unconfirmed()
    const [{ text } = { text: '' }] = await told()
    const shown = (await operation('show', touch)).trim().split('\t')
    deepEqual(shown.slice(0, 4), [touch, 'sending', 'unconfirmed', handle.workflowId])
    // The member's notification names what the operator needs, and the call that decides too.
    for (const word of [touch, shown[5], `/campaigns/${campaign}/touches/${touch}/resolve`])
      match(text, new RegExp(word as string))
    await handle.terminate()
    await operation('resolve', touch, 'again')
    await until('sent')
    equal(letters().length, 2)
    await rejects(operation('resolve', touch, 'sent'), /nothing to resolve/)
  })

  it('is resolved by the key of its call when it is a message', async () => {
    const { call, id, connections } = await service.workspace({ smtpPort: mail.smtpPort })
    const email = `${randomUUID()}@client.example`
    const at = service.clock.now()
    const person = (await call('POST', '/people', { name: 'Cleo', email })).body.id
    const opened = { person, connection: connections[0], from: email, at }
    const conversation = await givenConversation(service.db, id, opened)
    mail.script({ onAccepted: ({ to }) => (to[0] === email ? 'drop' : undefined) })
    const key = randomUUID()
    await call('POST', `/conversations/${conversation}/messages`, { text: 'Hello' }, { key })
    const read = async () => (await call('GET', `/operations/${key}`)).body
    await eventually(read, ({ waitingFor }) => waitingFor === 'resolve')
    const handle = client.workflow.getHandle(`${id}:${key}`)
    await cancelInVain(handle)
    await operation('resolve', key, 'sent')
    const { result } = await eventually(read, ({ state }) => state === 'done')
    equal(result.state, 'sent')
    await running(handle, false)
  })

  it('is resolved when it is an invitation, after a cancellation and after termination', async () => {
    const { call, id } = await service.workspace({ smtpPort: mail.smtpPort })
    const guest = `${randomUUID()}@client.example`
    mail.script({ onAccepted: ({ to }) => (to[0] === guest ? 'drop' : undefined) })
    const demo = { title: 'Demo', day: '2026-11-24', start: '10:00', minutes: 30, guests: [guest] }
    equal((await call('POST', '/calendar/meetings', demo)).status, 200)
    const row = () =>
      service.db
        .selectFrom('invitations')
        .select(['id', 'state', 'reason'])
        .where('workspace', '=', id)
        .executeTakeFirst()
    const invitation = (await eventually(row, (found) => found?.reason === 'unconfirmed'))?.id
    mail.script({})
    const handle = client.workflow.getHandle(invitation as string)
    await eventually(
      () => details(handle),
      (text) => text.includes('resolve'),
    )
    await cancelInVain(handle)
    await handle.terminate()
    await sweep()
    await running(handle)
    await handle.executeUpdate(resolve, { args: ['again'] })
    await eventually(row, (found) => found?.state === 'sent')
    equal(mail.messages().filter(({ to }) => to[0] === guest).length, 2)
  })

  it('shows in its details whose it is and what to send', async () => {
    const { handle, touch, connections } = await unconfirmed()
    const text = await details(handle)
    deepEqual(
      [touch, connections[0], '"sent"', '"again"'].map((word) => text.includes(`\`${word}\``)),
      [true, true, true, true],
    )
  })
  describe('whose runner is cancelled in the Web UI', () => {
    async function givenTwo() {
      const campaign = await givenCampaign(service, mail, { people: 2, places: [1] })
      return {
        ...campaign,
        async run() {
          const { operation } = await campaign.move('running')
          return client.workflow.getHandle(operation)
        },
        paused: () => eventually(campaign.read, ({ campaign }) => campaign.state === 'paused'),
      }
    }

    it('is still handed over if it is on its way, and the campaign is paused', async () => {
      const { run, paused, until, letters } = await givenTwo()
      const begun = Promise.withResolvers<void>()
      const over = Promise.withResolvers<void>()
      mail.script({
        onData: async () => {
          begun.resolve()
          await over.promise
          return undefined
        },
      })
      const runner = await run()
      await begun.promise
      await runner.cancel()
      await paused()
      over.resolve()
      const { funnel } = await until('sent', 1)
      deepEqual([funnel.sending, letters().length], [0, 1])
    })

    it('is left to be resolved', async () => {
      const { run, paused, until, read, touches, emails, letters } = await givenTwo()
      loseFirst(emails)
      const runner = await run()
      await eventually(read, ({ funnel }) => funnel.sent === 1 && funnel.sending === 1, 30_000)
      await runner.cancel()
      await paused()
      const parked = (await touches()).find(({ reason }: Touch) => reason === 'unconfirmed')
      await client.workflow.getHandle(parked.workflow.id).executeUpdate(resolve, { args: ['sent'] })
      await until('sent', 2)
      equal(letters().length, 2)
    })
  })
})
