import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Context } from 'mocha'
import { givenCampaign as givenDraft } from '../../support/campaigns.ts'
import { givenCampaign } from '../../support/given-campaign.ts'
import { type MailSink, type Message, testMail } from '../../support/mail.ts'
import {
  eventually,
  type SharedService,
  sharedService,
  startService,
  type TestService,
} from '../../support/service.ts'

const header = (message: Message | undefined, name: string) =>
  message?.headers.find((header) => header.name === name)?.value ?? null

describe('a follow-up', function () {
  this.timeout(60_000)
  let service: SharedService
  let mail: MailSink
  before(async function () {
    service = await sharedService(this.test?.ctx)
    mail = await testMail()
  })

  /** A running campaign whose first letter went through the first account; the second is due once `fall` is called. */
  async function given() {
    const campaign = await givenCampaign(service, mail, { people: 1, places: [1, 2] })
    const { connections, call } = campaign
    const patch = async (senders: string[]) => equal((await campaign.edit({ senders })).status, 200)
    await patch([connections[0]])
    await campaign.move('running')
    await eventually(campaign.read, ({ funnel }) => funnel.sent === 1 && funnel.queued === 1)
    const [first, second] = (await call('GET', '/channels')).body.channels.map(
      ({ account }: { account: string }) => account,
    )
    return {
      ...campaign,
      accounts: [first as string, second as string],
      patch,
      /** A day passes, so that the person may be written to again. */
      async fall() {
        await campaign.fallDue(2)
        await call('PATCH', `/agents/${campaign.agent}`, { hours: { note: randomUUID() } })
      },
    }
  }

  it('goes through the same account in its thread while that account is a sender', async () => {
    const { fall, arrived, accounts, patch, connections } = await given()
    await patch(connections)
    await fall()
    const [first, second] = await arrived(2)
    equal(second?.from, accounts[0])
    equal(header(second, 'in-reply-to'), header(first, 'message-id'))
    match(second?.subject ?? '', /^Re: /)
  })

  it('goes through another account, in a thread of its own, once that account is no longer a sender', async () => {
    const { fall, arrived, accounts, patch, connections, touches, read, call } = await given()
    await patch([connections[1]])
    await fall()
    const [first, second] = await arrived(2)
    deepEqual([first?.from, second?.from], [accounts[0], accounts[1]])
    deepEqual([header(second, 'in-reply-to'), header(second, 'references')], [null, null])
    doesNotMatch(second?.subject ?? '', /^re:/i)
    await eventually(read, ({ funnel }) => funnel.sent === 2)
    const sent = (await touches()).find(({ place }: { place: number }) => place === 2)
    equal(sent.connection, connections[1])
    const { conversations } = (await call('GET', '/conversations')).body
    deepEqual(
      conversations.map(({ channel }: { channel: string }) => channel).toSorted(),
      connections.toSorted(),
    )
  })

  it('keeps its account when that becomes a sender again before the letter is due', async () => {
    const { fall, arrived, accounts, patch, connections } = await given()
    await patch([connections[1]])
    await patch(connections)
    await fall()
    const [, second] = await arrived(2)
    equal(second?.from, accounts[0])
  })
})

describe('an agreement and an edit of the brief that cross', function () {
  this.timeout(60_000)
  let service: TestService
  beforeEach(async function () {
    this.timeout(120_000)
    service = await startService()
  })
  afterEach(() => service.close())

  const agreed = ({ body }: { body: { letters: { agreed: boolean }[] } }) =>
    body.letters.map((letter) => letter.agreed)

  it('leave the letters withdrawn when the edit comes later', async function () {
    const { letters, call, id, patch } = await givenDraft(service)
    await letters(false)
    const [path, key] = [`/campaigns/${id}/letters`, randomUUID()]
    equal((await call('POST', path, { agree: [1, 2, 3] }, { key })).status, 504)
    equal((await patch({ goal: 'Something else' })).status, 200)
    await service.work(this as unknown as Context, {}, { only: ['rows', 'send', 'remote'] })
    const answer = await eventually(
      () => call('POST', path, { agree: [1, 2, 3] }, { key }),
      ({ status }) => status === 200,
    )
    deepEqual(agreed(answer), [false, false, false])
    // Only what was read is agreed to: these letters belong to the earlier brief.
    const old = await call('POST', path, { agree: [1, 2, 3] })
    equal(`${old.status} ${old.body.code}`, '409 letter_not_written')
    const anew = { write: [1, 2, 3], agree: [1, 2, 3] }
    deepEqual(agreed(await call('POST', path, anew)), [true, true, true])
  })

  it('leave them agreed when the agreement comes later, or the edit changes only the senders', async function () {
    const { letters, call, id, patch, connections } = await givenDraft(service)
    await letters(false)
    const [path, key] = [`/campaigns/${id}/letters`, randomUUID()]
    equal((await patch({ goal: 'Something else' })).status, 200)
    const anew = { write: [1, 2], agree: [1, 2] }
    equal((await call('POST', path, anew, { key })).status, 504)
    equal((await patch({ senders: connections })).status, 200)
    await service.work(this as unknown as Context, {}, { only: ['rows', 'send', 'remote'] })
    const answer = await eventually(
      () => call('POST', path, anew, { key }),
      ({ status }) => status === 200,
    )
    deepEqual(agreed(answer), [true, true, false])
  })
})
