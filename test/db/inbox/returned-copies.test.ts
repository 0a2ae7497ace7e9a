import { deepEqual, equal } from 'node:assert/strict'
import { claimOutgoing } from '../../../db/conversations/message-sending.ts'
import { findThread } from '../../../db/conversations/messages.ts'
import { givenSender } from '../../support/inbound.ts'
import { startService, type TestService } from '../../support/service.ts'

// A letter went to several recipients, and its copy for one of them comes back.

const hour = 60 * 60 * 1000

describe('a bounce of a copy', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  async function given() {
    const sender = await givenSender(service)
    const { call, receive, email } = sender
    const { conversation } = await receive()
    const path = `/conversations/${conversation}/messages`
    const cc = [`copy-${email}`, `other-${email}`]
    const bcc = [`blind-${email}`]
    const { body } = await call('POST', path, { text: 'To all of you.', cc, bcc })
    const sentAt = new Date(service.clock.now().getTime() - hour)
    await service.db
      .updateTable('messages')
      .set({ state: 'sent', sentAt, at: sentAt })
      .where('id', '=', body.id)
      .execute()
    const bounce = (recipients: string[], code = '5.1.1', ids: string[] = [body.messageId]) =>
      receive({
        automated: true,
        from: { name: '', address: 'mailer-daemon@mx.example' },
        report: {
          kind: 'bounce',
          permanent: code.startsWith('5.1'),
          code,
          recipients,
          refersTo: ids,
        },
      })
    const read = async () => (await call('GET', `/messages/${body.id}`)).body
    const suppressed = async () =>
      (await call('GET', '/suppressions')).body.suppressions.map(
        (one: { address: string }) => one.address,
      )
    return { ...sender, conversation, path, cc, bcc, id: body.id, bounce, read, suppressed }
  }

  it('is refused for that recipient alone: the letter to the others stays sent', async () => {
    const { call, conversation, cc, id, bounce, read, suppressed, path, email } = await given()
    const [copy = ''] = cc
    const shown = await bounce([copy.toUpperCase()])
    equal(shown.conversation, conversation)
    const { report } = (await call('GET', `/messages/${shown.message}`)).body
    deepEqual([report.recipient, report.message, report.proven], [copy, id, true])
    const { state, reason, code, refused } = await read()
    deepEqual(
      [state, reason, code, refused],
      ['sent', null, null, [{ address: copy, code: '5.1.1' }]],
    )
    deepEqual(await suppressed(), [copy])
    const again = await call('POST', path, { text: 'Again', cc })
    deepEqual([again.status, again.body.errors?.[0]?.pointer], [422, '/cc/0'])
    equal((await call('POST', path, { text: 'Again', to: email })).status, 200)
    // Another report about the same copy adds nothing.
    await bounce([copy], '5.1.2')
    deepEqual((await read()).refused, [{ address: copy, code: '5.1.1' }])
  })

  it('does not suppress a copy that only comes back for now, and counts for a blind copy too', async () => {
    const { bcc, bounce, read, suppressed } = await given()
    const [blind = ''] = bcc
    await bounce([blind], '4.2.2')
    const { state, refused } = await read()
    deepEqual([state, refused], ['sent', [{ address: blind, code: '4.2.2' }]])
    deepEqual(await suppressed(), [])
  })

  it('is told to the owner once a copy, and fails the letter only when its recipient is named too', async () => {
    const { call, cc, email, bounce, read, suppressed, conversation } = await given()
    const [copy = '', other = ''] = cc
    await bounce([copy])
    const { notifications } = (await call('GET', '/notifications')).body
    const told = notifications.filter(
      (one: { kind: string; conversation: string | null }) =>
        one.kind === 'message.failed' && one.conversation === conversation,
    )
    equal(told.length, 1)
    await bounce([other, email])
    const { state, reason, code, refused } = await read()
    deepEqual([state, reason, code], ['failed', 'bounced', '5.1.1'])
    deepEqual(
      refused.map((one: { address: string }) => one.address),
      [copy, other],
    )
    deepEqual((await suppressed()).sort(), [copy, email, other].sort())
  })

  it('is not believed of an address that the letter did not go to', async () => {
    const { bounce, read, suppressed, email } = await given()
    await bounce([`stranger-${email}`])
    const { state, refused } = await read()
    deepEqual([state, refused, await suppressed()], ['sent', [], []])
  })

  it('is not what the next message answers, nor what a task goes on from', async () => {
    const { call, path, cc, bounce, receive, conversation, email } = await given()
    const { db, clock } = service
    const said = await receive({
      references: [(await findThread(db, conversation)).inReplyTo ?? ''],
    })
    equal(said.conversation, conversation)
    const before = await findThread(db, conversation)
    const report = await bounce(cc.slice(0, 1))
    const thread = await findThread(db, conversation)
    deepEqual([thread.inReplyTo, thread.subject], [before.inReplyTo, before.subject])
    const answer = (await call('POST', path, { text: 'Thank you.', to: email })).body.id
    const run = { firstExecutionRunId: 'a run', runId: 'a run' }
    const dueOf = (message: string) =>
      claimOutgoing(db, { operation: 'none', message }, run, clock.now())
    equal((await dueOf(answer))?.thread[0], before.inReplyTo)
    equal((await call('GET', `/messages/${answer}`)).body.inReplyTo, said.message)
    // A caller may choose it all the same.
    const chosen = { text: 'Look at this.', replyTo: report.message }
    const other = (await call('POST', path, chosen)).body.id
    const { externalId } = await db
      .selectFrom('messages')
      .select('externalId')
      .where('id', '=', report.message)
      .executeTakeFirstOrThrow()
    equal((await dueOf(other))?.thread[0], externalId)
  })
})
