import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { givenCampaign } from '../../support/given-campaign.ts'
import { givenMailboxes, mailProgram } from '../../support/inbox.ts'
import { testMailboxes } from '../../support/mailboxes.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

type Touch = { place: number; state: string; reason: string | null }

describe('a follow-up', function () {
  this.timeout(180_000)
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service?.close())
  const work = (context: Mocha.Context, taskQueue: string) =>
    service.work(context, {}, { taskQueue, only: ['rows', 'send', 'remote', 'mail'] })

  it('waits until the mailbox has been read, since an answer may be there', async function () {
    const { db, clock } = service
    const mail = await testMailboxes(this)
    const queue = `test-${randomUUID()}`
    const worker = await work(this, queue)
    const campaign = await givenCampaign(service, mail.sink, { people: 2 })
    const [account] = campaign.connections
    await givenMailboxes(service, mail, campaign.connections)
    await campaign.move('running')
    await eventually(campaign.touches, (all: Touch[]) => all.length === 4, 60_000)
    const [letter] = campaign.letters()
    ok(letter)

    // Everything stops; one of the two people asks to stop; when it resumes, the mailbox cannot be read.
    await worker.stop()
    const [answering = ''] = letter.to
    await mailProgram(mail)({
      from: answering,
      to: letter.from,
      subject: `Re: ${letter.subject}`,
      text: 'Stop.',
      inReplyTo: letter.messageId as string,
    })
    const { imap } = await db
      .selectFrom('connections')
      .select('imap')
      .where('id', '=', account)
      .executeTakeFirstOrThrow()
    ok(imap)
    const setImap = (port: number) =>
      db
        .updateTable('connections')
        .set({ imap: JSON.stringify({ ...imap, port }) })
        .where('workspace', '=', campaign.id)
        .execute()
    await setImap(1)
    await clock.set('2026-11-30T09:00:00.000Z')
    await work(this, queue)
    await campaign.heldBy('provider')
    // Long enough for the mailbox to be tried again and again.
    await sleep(2_000)
    equal(campaign.letters().length, 2)

    await setImap(imap.port)
    const followUps = async (): Promise<Touch[]> =>
      (await campaign.touches()).filter(({ place }: Touch) => place === 2)
    const done = await eventually(
      followUps,
      (all) => all.every(({ state }) => state === 'sent' || state === 'failed'),
      60_000,
    )
    deepEqual(done.map(({ state, reason }) => reason ?? state).sort(), ['sent', 'unsubscribed'])
    equal(campaign.letters().length, 3)
    ok(campaign.letters().at(-1)?.to[0] !== answering)
  })

  it('whose account was removed goes from another, once the mailbox of that one has been read', async function () {
    const { db, clock } = service
    const mail = await testMailboxes(this)
    await clock.set('2026-11-23T09:00:00.000Z')
    const queue = `test-${randomUUID()}`
    const worker = await work(this, queue)
    const campaign = await givenCampaign(service, mail.sink, { people: 1 })
    const [first, second] = campaign.connections
    await campaign.move('running')
    await eventually(campaign.touches, (all: Touch[]) => all.length === 2, 60_000)

    await givenMailboxes(service, { imapPort: 1 }, [second])
    await campaign.call('PATCH', `/agents/${campaign.agent}`, { channels: [second] })
    await clock.set('2026-11-30T09:00:00.000Z')
    await worker.stop()
    await work(this, queue)
    await campaign.heldBy('provider')
    equal(campaign.letters().length, 1)

    await db.updateTable('connections').set({ imap: null }).where('id', '=', second).execute()
    await campaign.call('PATCH', `/agents/${campaign.agent}`, {
      channels: [second],
      hours: { note: 'looked after' },
    })
    await campaign.arrived(2)
    const [one, two] = campaign.letters()
    ok(one?.from !== two?.from, first)
  })
})
