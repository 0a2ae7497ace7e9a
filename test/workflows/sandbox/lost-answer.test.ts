import { deepEqual, equal, ok } from 'node:assert/strict'
import { composeLetter } from '../../../activities/ports/mail/compose.ts'
import { openSandbox } from '../../../activities/ports/mail/sandbox-smtp.ts'
import { sandboxDomain } from '../../../rules/sandbox/recipients.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

// The mail server of a sandbox: what it says, and what comes back when the worker dies between its answer and what is written of it.

describe('the mail server of a sandbox', function () {
  this.timeout(180_000)
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service?.close())

  /** A workspace that was made a sandbox; its accounts name a server that nobody runs. */
  async function sandbox() {
    const room = await service.workspace()
    const { db } = service
    await db.updateTable('workspaces').set({ mode: 'sandbox' }).where('id', '=', room.id).execute()
    const imap = JSON.stringify({ host: sandboxDomain, port: 993, secure: true })
    await db.updateTable('connections').set({ imap }).where('workspace', '=', room.id).execute()
    return room
  }
  const keptFor = (connection: string) =>
    service.db
      .selectFrom('sandboxLetters')
      .select(['recipient', 'messageId', 'uid'])
      .select((eb) => eb('answer', 'is not', null).as('answers'))
      .where('connection', '=', connection)
      .orderBy('recipient')
      .execute()

  it('answers a letter that is handed over again under its Message-ID once', async () => {
    const { id: workspace, connections } = await sandbox()
    const [connection = ''] = connections
    const mail = await composeLetter({
      from: { name: 'Ana', address: 'ana@us.example' },
      to: `reply-interested@${sandboxDomain}`,
      cc: [`bounce@${sandboxDomain}`, `quota@${sandboxDomain}`, 'kim@client.example'],
      subject: 'Hello',
      text: 'Hello',
      messageId: '<one@us.example>',
      inReplyTo: null,
      references: [],
      automated: false,
      date: service.clock.now(),
    })
    const session = openSandbox(service, { id: connection, workspace })
    const taken = {
      kind: 'accepted',
      refused: [{ address: `quota@${sandboxDomain}`, code: '5.2.2' }],
    }
    deepEqual([await session.send(mail), await session.send(mail)], [taken, taken])
    deepEqual(
      (await keptFor(connection)).map(({ recipient, answers }) => [recipient, answers]),
      [
        [`bounce@${sandboxDomain}`, true],
        [`reply-interested@${sandboxDomain}`, true],
      ],
    )
    session.close()
    ok(session.isOver())
  })

  it('proves by its answer that a letter was sent whose worker died, and answers it once', async function () {
    const room = await sandbox()
    const [connection = ''] = room.connections
    let deaths = 0
    await service.work(this.test?.ctx, {
      mailWaitMs: 500,
      crash(point) {
        if (point !== 'after-handover' || deaths > 0) return
        deaths++
        throw new Error('The worker dies here.')
      },
    })
    // Its mailbox is read once something of it has changed.
    const admin = await service.administration()
    const edited = await admin.call('PATCH', `/workspaces/${room.id}/connections/${connection}`, {
      password: 'any',
    })
    equal(edited.status, 200, edited.text)
    const opened = await room.call('POST', '/conversations', {
      ...{ to: `reply-meeting@${sandboxDomain}`, subject: 'Hello', text: 'Hello' },
      via: connection,
    })
    equal(opened.status, 200, opened.text)
    const { id } = opened.body.conversation
    const messages = async () =>
      (await room.call('GET', `/conversations/${id}/messages`)).body.messages as {
        direction: string
        state: string
      }[]
    const all = await eventually(messages, ({ length }) => length === 2, 120_000)
    deepEqual(all.map(({ direction, state }) => [direction, state]).sort(), [
      ['inbound', 'received'],
      ['outbound', 'sent'],
    ])
    equal(deaths, 1)
    equal((await keptFor(connection)).length, 1)
  })
})
