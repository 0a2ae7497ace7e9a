import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import type { Client, WorkflowHandle } from '@temporalio/client'
import { reviveLetters } from '../../../activities/operations/revive-letters.ts'
import { findBacklog } from '../../../db/operations/alarms.ts'
import { root } from '../../../dev/stack/services.ts'
import { createLog } from '../../../telemetry/log.ts'
import { resolve } from '../../../workflows/signals.ts'
import { givenConversation } from '../../support/given.ts'
import { givenCampaign } from '../../support/given-campaign.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'
import { testClient } from '../../support/temporal.ts'

describe('an unconfirmed letter', function () {
  this.timeout(90_000)
  let service: TestService
  let mail: MailSink
  let client: Client

  before(async function () {
    client = await testClient(this.test?.ctx as Mocha.Context)
    service = await startService()
    mail = await testMail()
    await service.work(this.test?.ctx as Mocha.Context)
  })
  after(() => service?.close())
  afterEach(() => mail.script({}))

  async function unconfirmed() {
    const campaign = await givenCampaign(service, mail, { people: 1, places: [1] })
    let dropped = false
    mail.script({
      onAccepted: ({ to }) => {
        if (dropped || to[0] !== campaign.emails[0]) return undefined
        dropped = true
        return 'drop'
      },
    })
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

  for (const [outcome, letters] of [
    ['sent', 1],
    ['again', 2],
  ] as const)
    it(`that was cancelled in the Web UI keeps waiting, and is resolved with ${outcome}`, async () => {
      const { handle, until, letters: arrived, told } = await unconfirmed()
      await handle.cancel()
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      equal(await status(handle), 'RUNNING')
      await handle.executeUpdate(resolve, { args: [outcome] })
      await until('sent')
      equal(arrived().length, letters)
      equal((await told()).length, 1)
      await eventually(
        () => status(handle),
        (now) => now !== 'RUNNING',
      )
    })

  it('whose workflow was terminated is resumed unconfirmed, and is resolved', async () => {
    const { handle, until, letters, told, move } = await unconfirmed()
    await move('paused')
    await handle.terminate()
    const { orphaned } = await findBacklog(service.db)
    await sweep()
    await eventually(
      () => status(handle),
      (now) => now === 'RUNNING',
    )
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
    await handle.cancel()
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    equal(await status(handle), 'RUNNING')
    await operation('resolve', key, 'sent')
    const { result } = await eventually(read, ({ state }) => state === 'done')
    equal(result.state, 'sent')
    await eventually(
      () => status(handle),
      (now) => now !== 'RUNNING',
    )
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
    await handle.cancel()
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    equal(await status(handle), 'RUNNING')
    await handle.terminate()
    await sweep()
    await eventually(
      () => status(handle),
      (now) => now === 'RUNNING',
    )
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
})
