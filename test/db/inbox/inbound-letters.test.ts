import { deepEqual, equal, ok } from 'node:assert/strict'
import { sql } from 'kysely'
import { deliverTouchActivities } from '../../../activities/campaigns/deliver-touch.ts'
import { findRefusal, lockForClaim } from '../../../db/campaigns/touch-sending.ts'
import { findTouch, type TouchRow } from '../../../db/campaigns/touches.ts'
import type { Trx } from '../../../db/database.ts'
import { receiveMessage } from '../../../db/inbox/receive-message.ts'
import { createLog } from '../../../process/telemetry/log.ts'
import { secretKey } from '../../support/given.ts'
import { givenSender, lettersTo } from '../../support/inbound.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

// What it does to letters and messages that were sent before it, and to letters that are to follow.

const hour = 60 * 60 * 1000

describe('a message that comes in', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  it('stops the remaining letters of a campaign that has written to the sender, and wakes its runner', async () => {
    const given = await givenSender(service)
    const { states, messageId, runner } = await lettersTo(service, given)
    await given.receive({ references: [messageId] })
    deepEqual(await states(), ['sent', 'failed replied', 'failed replied'])
    const signals = await service.db
      .selectFrom('outbox')
      .select('id')
      .where('workflowId', '=', runner)
      .execute()
    equal(signals.length, 1)
  })

  it('stops them from any conversation and from any address of the person', async () => {
    const given = await givenSender(service)
    const { states } = await lettersTo(service, given)
    await given.receive({ subject: 'Nothing to do with it', connection: given.connections[1] })
    deepEqual(await states(), ['sent', 'failed replied', 'failed replied'])
  })

  it('does not stop letters when it is automatic, or when it is older than they are', async () => {
    const given = await givenSender(service)
    const { states, messageId } = await lettersTo(service, given)
    await given.receive({ references: [messageId], automated: true })
    await given.receive({ at: new Date(service.clock.now().getTime() - 3 * hour) })
    deepEqual(await states(), ['sent', 'queued', 'review'])
  })

  it('prevails over a simultaneous claim, and waits for one that was first', async () => {
    const { db, clock } = service
    const given = await givenSender(service)
    const { states, ids } = await lettersTo(service, given)
    // In an existing conversation and on another account: otherwise the reference alone would lock the person or the account.
    const elsewhere = { connection: given.connections[1] }
    await given.receive({ ...elsewhere, automated: true })
    const touch = (await findTouch(db, ids[1] ?? '')) as TouchRow
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let received = () => {}
    const inHand = new Promise<void>((resolve) => {
      received = resolve
    })
    const reply = db.transaction().execute(async (trx: Trx) => {
      await receiveMessage(trx, given.mail(elsewhere), clock.now())
      received()
      await held
    })
    await inHand
    let claimed: string | undefined = 'not yet'
    const claim = db.transaction().execute(async (trx) => {
      await lockForClaim(
        trx,
        { ...touch, toAddress: given.email },
        {
          ...{ epoch: 0, connection: touch.connection as string, brief: null },
          ...{ day: '2026-11-23', monday: '2026-11-23', now: clock.now() },
        },
      )
      claimed = await findRefusal(trx, touch, given.email)
    })
    const blocked = () =>
      sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    await eventually(blocked, ({ rows }) => rows.length > 0 || claimed !== 'not yet')
    release()
    await Promise.all([reply, claim])
    equal(claimed, 'replied')
    deepEqual(await states(), ['sent', 'failed replied', 'failed replied'])
  })

  it('confirms an unconfirmed letter, and joins its conversation', async () => {
    const given = await givenSender(service)
    const { states, messageId, campaign } = await lettersTo(service, given, 'sending')
    const { conversation } = await given.receive({ references: [messageId] })
    deepEqual(await states(), ['sent', 'failed replied', 'failed replied'])
    const messages = await given.messages(conversation)
    deepEqual(
      messages.map(({ direction }: { direction: string }) => direction),
      ['inbound', 'outbound'],
    )
    const { body } = await given.call('GET', `/campaigns/${campaign}`)
    deepEqual([body.funnel.sent, body.funnel.replied], [1, 1])
  })

  it('does not stop the letter that an automatic answer confirms', async () => {
    const { db, clock } = service
    const given = await givenSender(service)
    const { states, messageId, ids } = await lettersTo(service, given, 'sending')
    const [first = '', ...later] = ids
    await db.updateTable('touches').set({ workflow: 'wf' }).where('id', '=', first).execute()
    await db.deleteFrom('touches').where('id', 'in', later).execute()
    await given.receive({ references: [messageId], automated: true })
    deepEqual(await states(), ['sending unconfirmed'])
    const { settleTouch } = deliverTouchActivities({
      db,
      clock,
      secretKey,
      publicUrl: service.url,
      log: createLog('test', 'silent'),
      crash: () => {},
      workflowState: async () => 'running' as const,
    })
    const { campaign } = await db
      .selectFrom('touches')
      .select('campaign')
      .where('id', '=', first)
      .executeTakeFirstOrThrow()
    equal((await settleTouch({ campaign, touch: first })).inHand, null)
    deepEqual(await states(), ['sent', 'queued'])
  })

  it('confirms an unconfirmed message', async () => {
    const { call, receive, id } = await givenSender(service)
    const { conversation } = await receive()
    const { body } = await call('POST', `/conversations/${conversation}/messages`, { text: 'Yes.' })
    const { db, clock } = service
    await db
      .updateTable('messages')
      .set({
        state: 'sending',
        reason: 'unconfirmed',
        attempt: 'a',
        claimedAt: clock.now(),
        claimedDay: '2026-11-23',
      })
      .where('workspace', '=', id)
      .where('id', '=', body.id)
      .execute()
    await receive({ references: [body.messageId] })
    const row = await db
      .selectFrom('messages')
      .selectAll()
      .where('id', '=', body.id)
      .executeTakeFirstOrThrow()
    deepEqual([row.state, row.reason], ['sent', null])
  })

  it('holds letters while somebody is away', async () => {
    const given = await givenSender(service)
    const { ids } = await lettersTo(service, given)
    const until = new Date(service.clock.now().getTime() + 5 * 24 * hour)
    await given.receive({ automated: true, outOfOfficeUntil: until })
    const rows = await service.db
      .selectFrom('touches')
      .select(['state', 'dueAt'])
      .where('id', 'in', ids.slice(1))
      .execute()
    deepEqual(new Set(rows.map(({ dueAt }) => dueAt.toISOString())), new Set([until.toISOString()]))
    ok(rows.every(({ state }) => state !== 'failed'))
  })

  it('ends the follow-ups as unsubscribed when an answer asks for that', async () => {
    const given = await givenSender(service)
    const { states, messageId, runner } = await lettersTo(service, given)
    await given.receive({ references: [messageId], text: 'Please unsubscribe me.' })
    deepEqual(await states(), ['sent', 'failed unsubscribed', 'failed unsubscribed'])
    const signals = await service.db
      .selectFrom('outbox')
      .select('workflowId')
      .where('workflowId', '=', runner)
      .execute()
    equal(signals.length, 1)
  })

  it('unsubscribes whoever asks for it in their language, and nobody who only declines', async () => {
    const answers: [string, string, string][] = [
      ['Bitte melden Sie mich ab.', 'unsubscribed', 'unsubscribe'],
      ['Proszę mnie wypisać z listy', 'unsubscribed', 'unsubscribe'],
      ['配信を停止してください', 'unsubscribed', 'unsubscribe'],
      ['Nee, bedankt, geen interesse.', 'replied', 'not_interested'],
      ['Ik wil me niet afmelden voor het event, maar kom later.', 'replied', 'other'],
    ]
    for (const [text, reason, intent] of answers) {
      const given = await givenSender(service)
      const { states } = await lettersTo(service, given)
      const { conversation } = await given.receive({ text })
      deepEqual(await states(), ['sent', `failed ${reason}`, `failed ${reason}`], text)
      const marked = await service.db
        .selectFrom('conversations')
        .select('intent')
        .where('id', '=', conversation)
        .executeTakeFirstOrThrow()
      equal(marked.intent, intent, text)
    }
  })

  it('unsubscribes its sender on request, and refuses replies after a complaint', async () => {
    const one = await givenSender(service)
    const first = await lettersTo(service, one)
    await one.receive({ text: 'Unsubscribe me, please.' })
    deepEqual(await first.states(), ['sent', 'failed unsubscribed', 'failed unsubscribed'])
    const other = await givenSender(service)
    const { conversation } = await other.receive()
    const second = await lettersTo(service, other, 'sending')
    const from = { name: '', address: 'fbl@provider.example' }
    const about = { kind: 'complaint' as const, permanent: true, code: null }
    const complain = (id: string) =>
      other.receive({
        automated: true,
        from,
        report: { ...about, recipients: [other.email], refersTo: [id] },
      })
    const reply = () => other.call('POST', `/conversations/${conversation}/messages`, { text: 'x' })
    await complain('<guessed@us.example>')
    equal((await reply()).status, 200)
    await complain(second.messageId)
    equal((await reply()).body.code, 'recipient_suppressed')
    deepEqual(await second.states(), ['sent', 'failed suppressed', 'failed suppressed'])
  })
})
