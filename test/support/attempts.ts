import { equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger } from '@temporalio/worker'
import { sendMessageActivities } from '../../activities/conversations/send-message.ts'
import { findOutgoing } from '../../db/conversations/message-sending.ts'
import { findOperation } from '../../db/operations/operations.ts'
import { createLog } from '../../process/telemetry/log.ts'
import { givenClient, secretKey } from './given.ts'
import { type MailSink, testMail } from './mail.ts'
import { startService, type TestService } from './service.ts'

export const run = 'the first run'

/** Attempts to send messages, for the tests of one suite. No worker runs: they are the relay and the workflow. */
export function openAttempts() {
  let service: TestService
  let mail: MailSink
  before(async () => {
    service = await startService()
    mail = await testMail()
  })
  after(() => service.close())

  async function room(smtpPort = mail.smtpPort) {
    const { db, clock } = service
    const made = await service.workspace({ smtpPort })
    const { call, id: workspace } = made
    const at = async () => {
      const { conversation, email } = await givenClient(db, made, clock.now())
      return { path: `/conversations/${conversation}/messages`, email }
    }
    const post = async (path: string, body: object) => {
      const key = randomUUID()
      const { status, body: message } = await call('POST', path, body, { key })
      equal(status, 200)
      return { message: message.id as string, operation: `${workspace}:${key}` }
    }
    return { workspace, call, at, post }
  }

  const deps = () => ({
    ...{ db: service.db, clock: service.clock, secretKey, publicUrl: '', crash: () => {} },
    log: createLog('test', 'silent'),
    workflowState: async () => 'running' as const,
  })
  /** The activity of the message's workflow. */
  const send = (input: { operation: string; message: string }) => {
    const { sendDueMessage } = sendMessageActivities(deps())
    const given = { ...input, firstExecutionRunId: run }
    return new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') }).run(
      sendDueMessage,
      given,
    ) as ReturnType<typeof sendDueMessage>
  }
  const connectionOf = async (message: string) =>
    (await findOutgoing(service.db, message))?.connection as string
  const stateOf = async ({ message, operation }: { message: string; operation: string }) => {
    const { state, reason } = (await findOutgoing(service.db, message)) ?? {}
    const { state: ofOperation, ownerRun } = (await findOperation(service.db, operation)) ?? {}
    return [state, reason, ofOperation, ownerRun]
  }
  const textsTo = (email: string) =>
    mail.messages().flatMap(({ to, text }) => (to.includes(email) ? [text?.trim()] : []))

  return {
    get service() {
      return service
    },
    ...{ room, send, connectionOf, stateOf, textsTo },
  }
}
