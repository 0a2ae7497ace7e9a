import { deepEqual, equal, ok } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from 'mocha'
import type { Deps } from '../../../activities/deps.ts'
import { receiveMessage } from '../../../db/inbox/receive-message.ts'
import { type GivenCampaign, givenCampaign } from '../../support/given-campaign.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

// One activity sends many letters. What ends it, and what it finds when it begins again.

describe('a sitting of a campaign', function () {
  this.timeout(90_000)
  let service: TestService
  let mail: MailSink
  let worker: { stop(): Promise<void> }
  let crashAt: string | undefined
  const taskQueue = `sitting-${Date.now()}`
  const deps: Partial<Deps> = {
    crash(point) {
      if (point !== crashAt) return
      crashAt = undefined
      throw new Error('the attempt died')
    },
  }

  const work = (context?: Context) =>
    service.work(context, deps, { taskQueue, only: ['rows', 'send', 'remote'] })

  before(async function () {
    service = await startService()
    mail = await testMail()
    worker = await work(this.test?.ctx)
  })
  after(() => service?.close())
  afterEach(() => mail.script({}))

  const funnel = async (campaign: GivenCampaign) => (await campaign.read()).funnel
  const sent = async (campaign: GivenCampaign, n: number) =>
    (await campaign.until('sent', n)).funnel
  const once = (campaign: GivenCampaign) => {
    const to = campaign.letters().map((letter) => letter.to[0])
    equal(new Set(to).size, to.length)
  }

  it('sends nothing after a pause, and the rest once it is resumed', async () => {
    const campaign = await givenCampaign(service, mail, { people: 12, places: [1] })
    let taken = 0
    let pausing: Promise<unknown> | undefined
    mail.script({
      onData: async ({ to }) => {
        if (campaign.emails.includes(to[0] as string) && ++taken === 3)
          pausing = campaign.move('paused')
        await pausing
        return undefined
      },
    })
    await campaign.move('running')
    await eventually(campaign.read, ({ campaign }) => campaign.state === 'paused')
    await sent(campaign, 3)
    // Long enough for a fourth letter, if one were sent.
    await sleep(300)
    equal(campaign.letters().length, 3)
    await campaign.move('running')
    await sent(campaign, 12)
    once(campaign)
  })

  for (const point of ['before-claim', 'after-claim', 'after-handover', 'after-settle'])
    it(`that dies ${point.replace('-', ' ')} of a letter is begun again, and no letter goes twice`, async () => {
      const campaign = await givenCampaign(service, mail, { people: 5, places: [1] })
      crashAt = point
      await campaign.move('running')
      const lost = point === 'after-claim' || point === 'after-handover' ? 1 : 0
      const { sending } = await sent(campaign, 5 - lost)
      equal(sending, lost)
      once(campaign)
      if (lost === 0) return
      const [letter] = (
        await campaign.call('GET', `/campaigns/${campaign.campaign}/touches?state=sending`)
      ).body.touches
      deepEqual([letter.reason, letter.workflow.id], ['unconfirmed', `${letter.id}-e1`])
    })

  /** What happens while each letter is with its server: `then` is called with the number of the letter. */
  const whileSending = (
    campaign: GivenCampaign,
    then: (n: number, to: string) => Promise<void>,
  ) => {
    let n = 0
    mail.script({
      onData: async ({ to }) => {
        if (campaign.emails.includes(to[0] as string)) await then(++n, to[0] as string)
        return undefined
      },
    })
  }
  const touchTo = (campaign: GivenCampaign, to: string) =>
    service.db
      .selectFrom('touches')
      .select(['id', 'state', 'reason', 'text'])
      .where('campaign', '=', campaign.campaign)
      .where('toAddress', '=', to)
      .executeTakeFirstOrThrow()

  /** Locks a letter, so that it cannot be settled. */
  const lockTouch = async (id: string) => {
    const trx = await service.db.startTransaction().execute()
    await trx.selectFrom('touches').select('id').where('id', '=', id).forUpdate().execute()
    return trx
  }
  type Lock = Awaited<ReturnType<typeof lockTouch>>

  it('that dies while one letter is written down and the next is with its server loses and doubles neither', async () => {
    const campaign = await givenCampaign(service, mail, { people: 5, places: [1] })
    const { db } = service
    const cancelled = Promise.withResolvers<void>()
    let first = ''
    let lock: Lock | undefined
    let firstState = ''
    whileSending(campaign, async (n, to) => {
      if (n === 1) {
        first = to
        lock = await lockTouch((await touchTo(campaign, to)).id)
      }
      if (n !== 2) return
      firstState = (await touchTo(campaign, first)).state
      crashAt = 'after-handover'
      // Postgres ends the settlement of the first letter while the second is with its server.
      await eventually(
        async () =>
          (
            await sql<{
              ended: boolean
            }>`select pg_cancel_backend(pid) as ended from pg_stat_activity
              where application_name = 'postroom' and datname = current_database() and wait_event_type = 'Lock'`.execute(
              db,
            )
          ).rows,
        (rows) => rows.length > 0,
      )
      cancelled.resolve()
    })
    await campaign.move('running')
    await cancelled.promise
    await lock?.rollback().execute()
    equal(firstState, 'sending')
    // The first is written down once its row is free; of the second, nobody knows.
    const { sending } = await sent(campaign, 4)
    equal(sending, 1)
    const { body } = await campaign.call(
      'GET',
      `/campaigns/${campaign.campaign}/touches?state=sending`,
    )
    deepEqual(
      body.touches.map(({ reason }: { reason: string }) => reason),
      ['unconfirmed'],
    )
    once(campaign)
  })

  it('does not send the letter that it has prepared if its person unsubscribes meanwhile', async () => {
    const campaign = await givenCampaign(service, mail, { people: 2, places: [1] })
    let other = ''
    whileSending(campaign, async (n, to) => {
      if (n !== 1) return
      await sleep(300)
      other = campaign.emails.find((email) => email !== to) as string
      await service.db
        .insertInto('suppressions')
        .values({
          workspace: campaign.id,
          address: other,
          reason: 'unsubscribe',
          at: service.clock.now(),
        })
        .execute()
    })
    await campaign.move('running')
    const { skipped } = await eventually(
      () => funnel(campaign),
      ({ sent, skipped }) => sent === 1 && skipped === 1,
      30_000,
    )
    equal(skipped, 1)
    equal(campaign.letters().length, 1)
    const touch = await touchTo(campaign, other)
    deepEqual([touch.state, touch.reason], ['failed', 'unsubscribed'])
    ok(touch.text)
  })

  it('does not send the letter that it has prepared through settings that have changed meanwhile', async () => {
    const campaign = await givenCampaign(service, mail, { people: 4, places: [1] })
    const elsewhere = await testMail()
    whileSending(campaign, async (n) => {
      if (n !== 1) return
      await sleep(300)
      await service.db
        .updateTable('connections')
        .set({
          smtp: sql`jsonb_set(smtp::jsonb, '{port}', to_jsonb(${elsewhere.smtpPort}::int))`,
        })
        .where('workspace', '=', campaign.id)
        .where('kind', '=', 'email')
        .execute()
    })
    await campaign.move('running')
    await sent(campaign, 4)
    equal(campaign.letters().length, 1)
    equal(elsewhere.messages().length, 3)
  })

  it('stops follow-ups to people who reply while it sends', async () => {
    const campaign = await givenCampaign(service, mail, { people: 4, places: [1, 2] })
    const { db, clock } = service
    await campaign.move('running')
    await sent(campaign, 4)
    let replied: string | undefined
    mail.script({
      onData: async ({ to }) => {
        if (replied || !campaign.emails.includes(to[0] as string)) return undefined
        replied = campaign.emails.find((email) => email !== to[0])
        const touch = await db
          .selectFrom('touches')
          .innerJoin('addresses', 'addresses.person', 'touches.person')
          .select(['touches.connection', 'touches.workspace'])
          .where('addresses.value', '=', replied as string)
          .executeTakeFirstOrThrow()
        const inbound = {
          workspace: touch.workspace,
          connection: touch.connection as string,
          externalId: `<${replied}>`,
          from: { name: 'Person', address: replied as string },
          to: 'ana@us.example',
          subject: 'Re: Hello',
          text: 'Let us talk.',
          at: clock.now(),
          references: [],
          files: [],
          automated: false,
        }
        await db.transaction().execute((trx) => receiveMessage(trx, inbound, clock.now()))
        return undefined
      },
    })
    await campaign.fallDue(2)
    await campaign.edit({ senders: campaign.connections })
    await sent(campaign, 7)
    equal(campaign.letters().filter(({ to }) => to[0] === replied).length, 1)
  })

  it('goes on with the accounts that work while another cannot be opened', async () => {
    const campaign = await givenCampaign(service, mail, { people: 4, places: [1] })
    const { connections, db } = campaign
    await campaign.edit({ senders: connections })
    await db
      .updateTable('connections')
      .set({ smtp: JSON.stringify({ host: '127.0.0.1', port: 9, secure: false, user: 'ana' }) })
      .where('id', '=', connections[0])
      .execute()
    await campaign.move('running')
    await sent(campaign, 4)
    const account = await db
      .selectFrom('connections')
      .select('problem')
      .where('id', '=', connections[0])
      .executeTakeFirstOrThrow()
    ok(account.problem)
  })

  it('ends when its worker stops, and another worker sends the rest', async function () {
    const campaign = await givenCampaign(service, mail, { people: 8, places: [1] })
    mail.script({
      onData: async () => {
        await sleep(150)
        return undefined
      },
    })
    await campaign.move('running')
    await eventually(
      () => funnel(campaign),
      ({ sent }) => sent > 1,
    )
    await worker.stop()
    const left = (await funnel(campaign)).queued
    ok(left > 0, 'the worker stopped too late')
    worker = await work(this)
    const { sending } = await sent(campaign, 8)
    equal(sending, 0)
    once(campaign)
  })
})
