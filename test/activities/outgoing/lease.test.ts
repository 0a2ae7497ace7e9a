import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mock } from 'node:test'
import { headOf, letterOf } from '../../../activities/conversations/message-letter.ts'
import { handOver } from '../../../activities/outgoing/handover.ts'
import { leasing } from '../../../activities/outgoing/lease.ts'
import { findConnectionOf } from '../../../db/accounts/connections.ts'
import { messageKind } from '../../../db/conversations/message-life.ts'
import {
  claimMessage,
  claimOutgoing,
  type DueRow,
  findOutgoing,
  type OutgoingRow,
} from '../../../db/conversations/message-sending.ts'
import { createLog } from '../../../process/telemetry/log.ts'
import { givenClient, secretKey } from '../../support/given.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { startService, type TestService } from '../../support/service.ts'

// A process may be frozen between two lines, for longer than a lease lasts, and then go on.

describe('an attempt that was frozen after its claim', () => {
  let service: TestService
  let mail: MailSink
  before(async () => {
    service = await startService()
    mail = await testMail()
  })
  after(() => service.close())
  afterEach(() => mock.restoreAll())

  async function queued() {
    const workspace = await service.workspace({ smtpPort: mail.smtpPort })
    const { conversation, email } = await givenClient(service.db, workspace, service.clock.now())
    const path = `/conversations/${conversation}/messages`
    const { body } = await workspace.call('POST', path, { text: 'Hello' }, { key: randomUUID() })
    const run = { firstExecutionRunId: 'a run', runId: 'a run' }
    const owned = { operation: 'none', message: body.id }
    const message = (await claimOutgoing(service.db, owned, run, service.clock.now())) as DueRow
    const state = async () => {
      const { state, reason } = (await findOutgoing(service.db, body.id)) as OutgoingRow
      return [state, reason]
    }
    const arrived = () => mail.messages().filter(({ to }) => to.includes(email)).length
    return { message, state, arrived }
  }

  const claim = async (message: DueRow, attempt: string) => {
    const { connection, messageId } = message as { connection: string; messageId: string }
    const head = headOf(message, 'Ana', service.clock.now())
    const marker = { connection, attempt, messageId, head }
    return (await claimMessage(service.db, service.clock, message, marker)).claimed
  }

  function freeze() {
    const { now } = performance
    mock.method(performance, 'now', () => now.call(performance) + 60_000)
  }

  const setMessage = (id: string, values: { reason?: string; state?: 'queued'; attempt?: null }) =>
    service.db.updateTable('messages').set(values).where('id', '=', id).execute()

  const hasItsLetter = (meanwhile: (message: DueRow) => unknown) => async () => {
    const { message } = await queued()
    const attempt = randomUUID()
    return leasing(
      service.db,
      { table: 'messages', id: message.id },
      attempt,
      async ({ holds }) => {
        await claim(message, attempt)
        await meanwhile(message)
        return holds()
      },
    )
  }

  it('goes on if the letter is still its own', async () => {
    equal(await hasItsLetter(() => {})(), true)
    equal(await hasItsLetter(freeze)(), true)
  })

  it('does not if the letter is unconfirmed by now, or was queued again', async () => {
    const unconfirmed = hasItsLetter(async ({ id }) => {
      await setMessage(id, { reason: 'unconfirmed' })
      freeze()
    })
    equal(await unconfirmed(), false)
    mock.restoreAll()
    const again = hasItsLetter(async ({ id }) => {
      await setMessage(id, { state: 'queued', attempt: null })
      freeze()
    })
    equal(await again(), false)
  })

  it('sends nothing then, and its letter is queued again unless somebody else has decided about it', async () => {
    const { message, state, arrived } = await queued()
    const deps = {
      ...{ db: service.db, clock: service.clock, secretKey, publicUrl: '', crash: () => {} },
      log: createLog('test', 'silent'),
      workflowState: async () => 'running' as const,
    }
    const settled = await handOver(deps, {
      kind: messageKind,
      id: message.id,
      account: await findConnectionOf(service.db, message.id),
      claim: ({ attempt }) => claim(message, attempt),
      async letter(claimed) {
        await setMessage(message.id, { reason: 'unconfirmed' })
        freeze()
        return letterOf(deps, claimed)
      },
    })
    deepEqual([settled?.state, arrived()], ['queued', 0])
    deepEqual(await state(), ['queued', null])
  })
})
