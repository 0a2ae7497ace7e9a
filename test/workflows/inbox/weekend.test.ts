import { deepEqual, equal, ok } from 'node:assert/strict'
import type Mail from 'nodemailer/lib/mailer'
import { givenCampaign } from '../../support/given-campaign.ts'
import { givenMailboxes, mailProgram } from '../../support/inbox.ts'
import { testMailboxes } from '../../support/mailboxes.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

// Letters go out on a Friday, and people answer over the weekend in every way that mail programs, groups, forms and ticket systems
// have. Nobody who has answered gets another letter, and everybody else does.

type Touch = { person: string; place: number; state: string; reason: string | null }
type Letter = { messageId: string; subject: string; email: string; account: string }
type Way = [
  what: string,
  mail: (letter: Letter) => Mail.Options,
  reason: 'replied' | 'unsubscribed',
]

const bare = (id: string) => id.slice(1, -1)
const domainOf = (account: string) => account.split('@')[1]
const said = 'What does it cost?'

const ways: Way[] = [
  [
    'with references',
    ({ email, messageId, subject }) => ({
      ...{ from: email, subject: `Re: ${subject}`, inReplyTo: messageId, text: said },
    }),
    'replied',
  ],
  [
    'through a group of ours',
    ({ email, account }) => ({
      from: `"'Somebody' via Team" <team@${domainOf(account)}>`,
      subject: 'A question about your sensors',
      text: said,
      headers: {
        ...{ 'X-Original-From': email, 'X-Original-Sender': email, Precedence: 'list' },
        'List-ID': `<team.${domainOf(account)}>`,
      },
    }),
    'replied',
  ],
  [
    'through a form of ours',
    ({ email, account }) => ({
      ...{ from: `Website <${account}>`, replyTo: `Nadia Roth <${email}>` },
      ...{ subject: 'Contact', text: 'Please take me off your list.' },
    }),
    'unsubscribed',
  ],
  [
    'from another spelling of their address',
    ({ email }) => ({
      ...{ from: email.replace('@', '+shop@'), subject: 'Please stop' },
      text: 'Please unsubscribe me.',
    }),
    'unsubscribed',
  ],
  [
    'under the id of our letter, as a ticket system does',
    ({ email, messageId }) => ({
      ...{ from: email, messageId, subject: 'Ticket 4711', text: 'Please do not write again.' },
    }),
    'unsubscribed',
  ],
  [
    'without references',
    ({ email, subject }) => ({ from: email, subject: `R: ${subject}`, text: said }),
    'replied',
  ],
  [
    'from an alias, with our id in capitals and without brackets',
    ({ messageId, subject }) => ({
      ...{ from: 'alias@elsewhere.example', subject: `AW: ${subject}`, text: said },
      headers: { 'In-Reply-To': bare(messageId).toUpperCase() },
    }),
    'replied',
  ],
  [
    'under an id that another mail had',
    ({ email }) => ({
      ...{ from: email, messageId: '<daily@shop.example>', subject: 'Our order', text: said },
    }),
    'replied',
  ],
  [
    'under the same id, on another day',
    ({ email }) => ({
      ...{ from: email, messageId: '<daily@shop.example>', subject: 'Our order', text: said },
      date: new Date('2026-11-28T18:00:00Z'),
    }),
    'replied',
  ],
]

describe('a weekend of answers', function () {
  this.timeout(300_000)
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service?.close())

  it('lets no further letter go to anybody who has answered, and one to everybody else', async function () {
    const { db, clock } = service
    const mail = await testMailboxes(this)
    const send = mailProgram(mail)
    await clock.set('2026-11-27T09:00:00.000Z')
    const only = ['rows', 'send', 'remote', 'mail'] as const
    await service.work(this.test?.ctx, { mailWaitMs: 300 }, { only })
    const people = ways.length + 3
    const campaign = await givenCampaign(service, mail.sink, { people })
    const { call, emails } = campaign
    await givenMailboxes(service, mail, campaign.connections)
    await campaign.move('running')
    await campaign.arrived(people)
    const letterTo = (i: number): Letter => {
      const email = emails[i] as string
      const letter = campaign.letters().find(({ to }) => to[0] === email)
      ok(letter?.messageId && letter.from)
      return {
        messageId: letter.messageId,
        subject: letter.subject ?? '',
        email,
        account: letter.from,
      }
    }
    const [silent = '', both = '', other = ''] = emails.slice(ways.length)

    // A member writes to two of them, and one of the two answers.
    const written = await call('POST', '/conversations', {
      ...{ person: campaign.people[ways.length + 1], cc: [other], via: campaign.connections[0] },
      ...{ subject: 'Two cold rooms', text: 'Which of you decides?' },
    })
    equal(written.status, 200, written.text)
    await eventually(
      async () => mail.sink.messages().filter(({ subject }) => subject === 'Two cold rooms'),
      (all) => all.length > 0,
      60_000,
    )

    await clock.set('2026-11-28T12:00:00.000Z')
    const deliver = (account: string, message: Mail.Options) =>
      send({ to: account, ...message, envelope: { from: 'bounce@client.example', to: account } })
    for (const [i, [, made]] of ways.entries()) {
      const letter = letterTo(i)
      await deliver(letter.account, made(letter))
    }
    const { account } = letterTo(0)
    await deliver(account, {
      ...{ from: other, subject: 'Re: Two cold rooms', text: 'I do.' },
      inReplyTo: written.body.message.messageId,
    })
    // Somebody who only shows the address of a silent one.
    await deliver(account, {
      ...{
        from: `"${silent}" <phish@x.example>`,
        subject: 'Hello',
        text: 'Please unsubscribe me.',
      },
      inReplyTo: letterTo(ways.length).messageId,
    })
    const received = db
      .selectFrom('messages')
      .select('id')
      .where('workspace', '=', campaign.id)
      .where('direction', '=', 'inbound')
    await eventually(
      () => received.execute(),
      (all) => all.length === ways.length + 2,
      120_000,
    )

    await clock.set('2026-12-02T10:00:00.000Z')
    // The campaign looks again when its agent is edited.
    await call('PATCH', `/agents/${campaign.agent}`, { hours: { note: 'looked after' } })
    const ended = await eventually(
      async () => (await campaign.touches()) as Touch[],
      (all) =>
        all.filter(({ place, state }) => place === 2 && state !== 'queued' && state !== 'sending')
          .length === people,
      120_000,
    )
    const outcome = (i: number) => {
      const one = ended.find(({ person, place }) => person === campaign.people[i] && place === 2)
      return one?.reason ?? one?.state
    }
    deepEqual(
      ways.map(([what], i) => [what, outcome(i)]),
      ways.map(([what, , reason]) => [what, reason]),
    )
    const of = [silent, both, other].map((email) => outcome(emails.indexOf(email)))
    deepEqual(of, ['sent', 'sent', 'replied'])
    const counts = emails.map(
      (email) =>
        campaign
          .letters()
          .filter(({ to, subject }) => to[0] === email && subject !== 'Two cold rooms').length,
    )
    deepEqual(counts, [...ways.map(() => 1), 2, 2, 1])
  })
})
