import { deepEqual, equal, ok } from 'node:assert/strict'
import { givenCampaign } from '../../support/given-campaign.ts'
import { givenMailboxes, mailProgram } from '../../support/inbox.ts'
import { type TestMailboxes, testMailboxes } from '../../support/mailboxes.ts'
import { refusingMailbox } from '../../support/refusing-mailbox.ts'
import * as reports from '../../support/reports.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

type Touch = {
  place: number
  state: string
  reason: string | null
  code: string | null
  dueAt: string
}

describe('a mailbox', function () {
  this.timeout(60_000)
  let service: TestService
  let mail: TestMailboxes
  let send: ReturnType<typeof mailProgram>

  before(async function () {
    this.timeout(120_000)
    mail = await testMailboxes(this.test?.ctx)
    send = mailProgram(mail)
    service = await startService()
    const only = ['rows', 'send', 'remote', 'mail'] as const
    await service.work(this.test?.ctx, { mailWaitMs: 300 }, { only })
  })
  after(() => service?.close())

  async function givenInbox() {
    const workspace = await service.workspace({ smtpPort: mail.smtpPort })
    await givenMailboxes(service, mail, workspace.connections)
    const rows = await service.db
      .selectFrom('connections')
      .select(['id', 'account'])
      .where('workspace', '=', workspace.id)
      .orderBy('id')
      .execute()
    const conversations = async () =>
      (await workspace.call('GET', '/conversations')).body.conversations
    const messages = async (id: string) =>
      (await workspace.call('GET', `/conversations/${id}/messages`)).body.messages
    return { ...workspace, account: rows[0]?.account as string, conversations, messages }
  }

  /** A campaign of three letters to one person, the first of which has arrived. */
  async function givenLetter() {
    const campaign = await givenCampaign(service, mail.sink, { people: 1 })
    await givenMailboxes(service, mail, campaign.connections)
    await campaign.move('running')
    await eventually(campaign.touches, (all: Touch[]) => all.length === 2)
    const [letter] = campaign.letters()
    ok(letter)
    const [person = ''] = campaign.emails
    const from = { name: 'Client', address: person }
    const { conversation } = await service.db
      .selectFrom('touches')
      .select('conversation')
      .where('campaign', '=', campaign.campaign)
      .where('place', '=', 1)
      .executeTakeFirstOrThrow()
    const second = async (): Promise<Touch> =>
      (await campaign.touches()).find(({ place }: Touch) => place === 2)
    const inbound = async () =>
      (await campaign.call('GET', `/conversations/${conversation}/messages`)).body.messages.filter(
        ({ direction }: { direction: string }) => direction === 'inbound',
      )
    return { ...campaign, letter, person, from, conversation, second, inbound }
  }

  it('shows what arrives as a conversation within five seconds', async () => {
    const { account, conversations, messages } = await givenInbox()
    await send({
      from: { name: 'Sofía Navarro', address: 'sofia@azahar.example' },
      to: account,
      subject: 'Fridges',
      html: '<p>Do you ship to <b>Valencia</b>?</p>',
      attachments: [{ filename: 'plan.txt', content: 'cold' }],
    })
    const [conversation] = await eventually(conversations, (found) => found.length > 0, 10_000)
    equal(conversation.subject, 'Fridges')
    equal(conversation.waitingFor, 'us')
    const [message] = await messages(conversation.id)
    equal(message.text, 'Do you ship to Valencia?')
    equal(message.files, 1)
    deepEqual(message.sender, { name: 'Sofía Navarro', handle: 'sofia@azahar.example' })
  })

  it('is read from the first mail on, though its server has counted that before it shows it', async () => {
    const line = await refusingMailbox(mail.imapPort, (said) =>
      said.replace(/UIDNEXT 1\b/, 'UIDNEXT 2'),
    )
    const { call, connections } = await service.workspace({ smtpPort: mail.smtpPort })
    const [connection] = connections
    await givenMailboxes(service, { imapPort: line.port }, [connection])
    const { db } = service
    const reader = db.selectFrom('mailboxReaders').where('connection', '=', connection)
    await eventually(
      () => reader.select('caughtUpAt').executeTakeFirst(),
      (row) => Boolean(row?.caughtUpAt),
    )
    const account = db.selectFrom('connections').select('account').where('id', '=', connection)
    const { account: to } = await account.executeTakeFirstOrThrow()
    await send({ from: 'leo@client.example', to, subject: 'First', text: 'Hello.' })
    const conversations = async () => (await call('GET', '/conversations')).body.conversations
    const [first] = await eventually(conversations, (found) => found.length > 0, 10_000)
    equal(first.subject, 'First')
  })

  it('stops the letters to a person who replies', async () => {
    const { letter, from, second, inbound, read } = await givenLetter()
    await send({
      from,
      to: letter.from,
      subject: `Re: ${letter.subject}`,
      text: 'Call me.',
      inReplyTo: letter.messageId as string,
    })
    const [reply] = await eventually(inbound, (found) => found.length === 1, 10_000)
    equal(reply.text, 'Call me.')
    deepEqual({ ...(await second()) }.state, 'failed')
    equal((await second()).reason, 'replied')
    equal((await read()).campaign.progress.replied, 1)
  })

  it('recognizes a reply from another address of the person', async () => {
    const { letter, people, call, second, inbound } = await givenLetter()
    const other = `other-${people[0]}@private.example`
    await call('POST', '/people', { email: other, into: people[0] })
    await send({ from: other, to: letter.from, subject: 'Your letter', text: 'Yes, please.' })
    await eventually(second, ({ state }) => state === 'failed', 10_000)
    equal((await second()).reason, 'replied')
    // Another subject and no reference: a conversation of its own.
    equal((await inbound()).length, 0)
  })

  it('holds letters while a person is out of the office, and wakes nothing', async () => {
    const { letter, from, second, conversation, call, inbound, read } = await givenLetter()
    await call('PATCH', `/conversations/${conversation}`, { snoozeUntil: '2027-01-04T08:00:00Z' })
    await send({
      from,
      to: letter.from,
      subject: `Automatic reply: ${letter.subject}`,
      text: 'I am out of the office until 9 December 2026.',
      inReplyTo: letter.messageId as string,
      headers: { 'Auto-Submitted': 'auto-replied' },
    })
    const [reply] = await eventually(inbound, (found) => found.length === 1, 10_000)
    equal(reply.automated, true)
    const held = await second()
    deepEqual([held.state, held.dueAt], ['queued', '2026-12-08T23:00:00.000Z'])
    equal((await call('GET', `/conversations/${conversation}`)).body.state, 'snoozed')
    equal((await read()).campaign.progress.replied, 0)
  })

  it('fails a letter that bounced, with its code, and no longer writes to that address', async () => {
    const { letter, person, touches, read, inbound } = await givenLetter()
    await send(reports.bounce({ to: letter.from, recipient: person, letter, status: '5.1.1' }))
    const all: Touch[] = await eventually(
      touches,
      (found: Touch[]) => found.every(({ state }) => state === 'failed'),
      10_000,
    )
    deepEqual(
      all.map(({ place, reason, code }) => [place, reason, code]),
      [
        [1, 'bounced', '5.1.1'],
        [2, 'bounced', null],
      ],
    )
    equal((await inbound())[0].automated, true)
    equal((await read()).campaign.progress.replied, 0)
    const suppressed = await service.db
      .selectFrom('suppressions')
      .select('reason')
      .where('address', '=', person)
      .execute()
    deepEqual(suppressed, [{ reason: 'bounce' }])
  })

  it('leaves a letter that is only delayed alone', async () => {
    const { letter, person, inbound, second, touches } = await givenLetter()
    const report = { to: letter.from, recipient: person, letter, status: '4.4.1' }
    await send(reports.bounce({ ...report, action: 'delayed' }))
    await eventually(inbound, (found) => found.length === 1, 10_000)
    equal((await touches())[0].state, 'sent')
    equal((await second()).state, 'queued')
  })

  it('suppresses a person who complains', async () => {
    const { letter, person, second } = await givenLetter()
    await send(reports.complaint({ to: letter.from, recipient: person, letter }))
    await eventually(second, ({ state }) => state === 'failed', 10_000)
    equal((await second()).reason, 'suppressed')
  })

  it('writes no more campaign letters to a person who asks for that by mail', async () => {
    const { letter, from, person, second } = await givenLetter()
    await send({
      from,
      to: letter.from,
      subject: `Re: ${letter.subject}`,
      text: 'Unsubscribe',
      inReplyTo: letter.messageId as string,
    })
    await eventually(second, ({ state }) => state === 'failed', 10_000)
    const suppressed = await service.db
      .selectFrom('suppressions')
      .select('reason')
      .where('address', '=', person)
      .execute()
    deepEqual(suppressed, [{ reason: 'unsubscribe' }])
  })

  it('files what was sent, and counts what a member wrote elsewhere as outbound', async () => {
    const { account, call, conversations, messages } = await givenInbox()
    await send({ from: 'leo@client.example', to: account, subject: 'Price?', text: 'How much?' })
    const [conversation] = await eventually(conversations, (found) => found.length > 0, 10_000)
    await call('POST', `/conversations/${conversation.id}/messages`, { text: '49 EUR' })
    const sent = await reports.sentFolder(mail, account)
    const [copy] = await eventually(sent.list, (found) => found.length === 1, 45_000)
    const [filed] = await messages(conversation.id)
    const { messageId } = await service.db
      .selectFrom('messages')
      .select('messageId')
      .where('id', '=', filed.id)
      .executeTakeFirstOrThrow()
    equal(copy?.messageId, messageId)

    await sent.put({
      from: account,
      to: 'leo@client.example',
      subject: 'Re: Price?',
      text: 'Plus tax.',
      inReplyTo: messageId as string,
      messageId: `<own-${conversation.id}@us.example>`,
    })
    const [own] = await eventually(
      () => messages(conversation.id),
      (found) => found[0].text.startsWith('Plus tax.'),
      45_000,
    )
    deepEqual([own.direction, own.automated, own.state], ['outbound', false, 'sent'])
    equal((await messages(conversation.id)).length, 3)
    await sent.close()
  })

  it('counts an unconfirmed letter as sent when it is in the Sent folder, and plans the next', async () => {
    const campaign = await givenCampaign(service, mail.sink, { people: 1 })
    await givenMailboxes(service, mail, campaign.connections, { filesSent: true })
    mail.sink.script({ onAccepted: () => 'drop' })
    await campaign.move('running')
    const [unconfirmed] = await eventually(
      campaign.touches,
      ([first]: Touch[]) => first?.reason === 'unconfirmed',
      20_000,
    )
    mail.sink.script({})
    equal(unconfirmed?.state, 'sending')
    const { from, messageId } = campaign.letters()[0] as { from: string; messageId: string }
    const sent = await reports.sentFolder(mail, from)
    await sent.put({ from, to: campaign.emails[0] as string, subject: 'x', text: 'x', messageId })
    await sent.close()
    const all: Touch[] = await eventually(
      campaign.touches,
      (found: Touch[]) => found.length === 2,
      30_000,
    )
    deepEqual(
      all.map(({ place, state }) => [place, state]),
      [
        [1, 'sent'],
        [2, 'queued'],
      ],
    )
    equal(campaign.letters().length, 1)
  })

  it('counts an unconfirmed message as sent when an answer refers to it', async () => {
    const { account, call, conversations, messages } = await givenInbox()
    await send({ from: 'mia@client.example', to: account, subject: 'Hours?', text: 'When?' })
    const [conversation] = await eventually(conversations, (found) => found.length > 0, 10_000)
    mail.sink.script({ onAccepted: () => 'drop' })
    const { body } = await call('POST', `/conversations/${conversation.id}/messages`, {
      text: 'At 9',
    })
    const ours = async () =>
      (await messages(conversation.id)).find(({ id }: { id: string }) => id === body.id)
    await eventually(ours, ({ state, reason }) => state === 'sending' && reason !== null, 20_000)
    mail.sink.script({})
    await send({
      from: 'mia@client.example',
      to: account,
      subject: 'Re: Hours?',
      text: 'Thanks',
      inReplyTo: body.messageId,
    })
    equal((await eventually(ours, ({ state }) => state === 'sent', 20_000)).state, 'sent')
  })
})
