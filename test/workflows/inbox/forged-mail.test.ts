import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type Mail from 'nodemailer/lib/mailer'
import { openImap } from '../../../activities/ports/mail/imap.ts'
import { findSendingRecord } from '../../../db/accounts/sending-record.ts'
import { givenCampaign } from '../../support/given-campaign.ts'
import { givenMailboxes, mailProgram } from '../../support/inbox.ts'
import { type TestMailboxes, testMailboxes } from '../../support/mailboxes.ts'
import * as reports from '../../support/reports.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

// What a stranger may send to stop somebody's letters, and the same mail when it is genuine.

type Touch = { place: number; state: string; reason: string | null; dueAt: string }
type Shown = {
  automated: boolean
  suspect: boolean
  report: Record<string, unknown> | null
  subject: string
  direction: string
}

const server = 'mx.us.example'
const day = 24 * 60 * 60 * 1000

describe('mail that anybody could forge', function () {
  this.timeout(90_000)
  let service: TestService
  let mail: TestMailboxes
  let send: ReturnType<typeof mailProgram>

  before(async function () {
    this.timeout(120_000)
    mail = await testMailboxes(this.test?.ctx)
    send = mailProgram(mail)
    service = await startService()
    await service.work(this.test?.ctx)
  })
  after(() => service?.close())

  /** A campaign whose first letter has reached one person; its account's server calls itself mx.us.example. */
  async function givenLetter(authserv: string[] = [server]) {
    const campaign = await givenCampaign(service, mail.sink, { people: 1 })
    const { call, connections, db, id } = campaign
    await db.updateTable('connections').set({ authserv }).where('id', 'in', connections).execute()
    await givenMailboxes(service, mail, connections)
    await campaign.move('running')
    await eventually(campaign.touches, (all: Touch[]) => all.length === 2, 20_000)
    const [letter] = campaign.letters()
    ok(letter)
    const [person = ''] = campaign.people
    const [email = ''] = campaign.emails
    const conversations = async () =>
      (await call('GET', '/conversations?limit=200')).body.conversations as { id: string }[]
    const received = async () => {
      const all = await conversations()
      const pages = await Promise.all(
        all.map(async (one) => (await call('GET', `/conversations/${one.id}/messages`)).body),
      )
      return pages
        .flatMap(({ messages }) => messages as Shown[])
        .filter(({ direction }) => direction === 'inbound')
    }
    const touches = async () =>
      ((await campaign.touches()) as Touch[])
        .sort((a, b) => a.place - b.place)
        .map(({ state, reason }) => (reason ? `${state} ${reason}` : state))
    const suppressed = async () =>
      (await call('GET', '/suppressions')).body.suppressions as {
        address: string
        reason: string
      }[]
    const { conversation } = await db
      .selectFrom('touches')
      .select('conversation')
      .where('campaign', '=', campaign.campaign)
      .where('place', '=', 1)
      .executeTakeFirstOrThrow()
    return {
      ...campaign,
      letter,
      person,
      email,
      conversation: conversation as string,
      workspace: id,
      received,
      suppressed,
      conversations,
      states: touches,
      to: letter.from,
      /** Sends it and returns how it is shown. */
      async bring(message: Mail.Options) {
        const before = (await received()).length
        await send(message)
        const all = await eventually(received, (now) => now.length > before, 30_000)
        return all[0] as Shown
      },
      /** What counts against the account. */
      async counted() {
        const since = new Date(service.clock.now().getTime() - 7 * day)
        const [account = ''] = connections
        const record = await findSendingRecord(db, account, since, '2026-11-23')
        return { bounced: record.bounced, complaints: record.complaints }
      },
      reply: () => call('POST', `/conversations/${conversation}/messages`, { text: 'Hello.' }),
      held: async () => (await call('GET', `/people/${person}`)).body.held,
      notified: async (kind: string) =>
        (await call('GET', '/notifications')).body.notifications.filter(
          (one: { kind: string }) => one.kind === kind,
        ).length as number,
    }
  }
  type Given = Awaited<ReturnType<typeof givenLetter>>

  const guessed = () => ({ messageId: `<tch_${randomUUID()}@us.example>` })

  /** Whoever sent it, the letter stays sent, the next one is still to go, and its person may be written to. */
  async function nothingIsStopped(given: Given, next = 'queued') {
    deepEqual(await given.states(), ['sent', next])
    deepEqual(await given.suppressed(), [])
    equal((await given.reply()).status, 200)
    equal((await given.call('GET', '/people')).body.people.length >= 1, true)
  }

  describe('a report without proof', () => {
    const forged: [string, (given: Given) => Mail.Options][] = [
      [
        'a bounce with a guessed id',
        ({ to, email }) =>
          reports.bounce({ to, recipient: email, letter: guessed(), status: '5.1.1' }),
      ],
      [
        'a bounce of the letter of somebody else',
        ({ to, letter, email }) =>
          // It names one of our ids, and a person to whom the letter never went.
          reports.bounce({ to, recipient: `x-${email}`, letter, status: '5.1.1' }),
      ],
      [
        'a bounce in plain words with a guessed id',
        ({ to, email }) => reports.plainBounce({ to, recipient: email, letter: guessed() }),
      ],
      [
        'a bounce in plain words without an id',
        ({ to, email }) => reports.plainBounce({ to, recipient: email }),
      ],
      [
        'a complaint with a guessed id',
        ({ to, email }) => reports.complaint({ to, recipient: email, letter: guessed() }),
      ],
    ]
    for (const [what, make] of forged)
      it(`stops nothing: ${what}`, async () => {
        const given = await givenLetter()
        const people = async () => (await given.call('GET', '/people')).body.people.length
        const before = await people()
        const shown = await given.bring(make(given))
        equal(shown.automated, true)
        deepEqual([shown.report?.['proven'], shown.report?.['message']], [false, null])
        deepEqual(await given.counted(), { bounced: 0, complaints: 0 })
        const known = !what.includes('somebody else')
        await nothingIsStopped(given, known ? 'queued held' : 'queued')
        const held = await given.held()
        equal(held?.why, known ? 'bounce_unclear' : undefined)
        equal(await given.notified('bounce.unclear'), known ? 1 : 0)
        if (!known) return
        equal(await people(), before)
        const left = Date.parse(held.until) - service.clock.now().getTime()
        ok(left > 2 * day && left <= 3 * day, String(left))
      })

    it('does not extend a hold, however many arrive, nor renew it after a release', async () => {
      const given = await givenLetter()
      const { to, email, call, person } = given
      const forge = () =>
        given.bring(reports.bounce({ to, recipient: email, letter: guessed(), status: '5.1.1' }))
      await forge()
      const { until } = await given.held()
      await forge()
      equal((await given.held()).until, until)
      equal(await given.notified('bounce.unclear'), 1)
      const [, queued] = (await given.touches()).sort((a: Touch, b: Touch) => a.place - b.place)
      const released = await call('PATCH', `/people/${person}`, { held: null })
      equal(released.body.held, null)
      await forge()
      equal(await given.held(), null)
      await nothingIsStopped(given)
      // Planned for Thursday, which a hold until Thursday does not bring forward.
      const [, later] = (await given.touches()).sort((a: Touch, b: Touch) => a.place - b.place)
      ok(Date.parse(later.dueAt) <= Date.parse(queued.dueAt))
    })

    it('about an unknown person creates no card and no suppression', async () => {
      const given = await givenLetter()
      const ceo = `ceo-${randomUUID()}@bigcustomer.test`
      const { to } = given
      await given.bring(reports.bounce({ to, recipient: ceo, letter: guessed(), status: '5.1.1' }))
      await given.bring(reports.complaint({ to, recipient: ceo, letter: guessed() }))
      equal((await given.call('GET', `/people?q=${ceo}`)).body.people.length, 0)
      await nothingIsStopped(given)
    })

    it('is not believed about a letter older than a fortnight, or of another account', async () => {
      const given = await givenLetter()
      const { db, to, email, letter, connections } = given
      const [, other = ''] = connections
      const { account } = await db
        .selectFrom('connections')
        .select('account')
        .where('id', '=', other)
        .executeTakeFirstOrThrow()
      const report = { recipient: email, letter, status: '5.1.1' }
      const elsewhere = await given.bring(reports.bounce({ ...report, to: account }))
      equal(elsewhere.report?.['proven'], false)
      await db
        .updateTable('messages')
        .set({ sentAt: new Date(service.clock.now().getTime() - 15 * day) })
        .where('conversation', '=', given.conversation)
        .where('direction', '=', 'outbound')
        .execute()
      const late = await given.bring(reports.bounce({ ...report, to }))
      equal(late.report?.['proven'], false)
      await nothingIsStopped(given)
    })
  })

  it('is not believed about what a member sent from a mail program, whoever was copied', async () => {
    const given = await givenLetter()
    const { db, to, email } = given
    const messageId = `<${randomUUID()}@program.example>`
    const server = { host: '127.0.0.1', port: mail.imapPort, secure: false, user: to }
    const mailbox = await openImap(server, 'secret')
    const folder = (await mailbox.sentPath()) ?? (await mailbox.createSent())
    const sent = [
      ...[`From: ${to}`, `To: ${email}`, 'Cc: evil@evil.example', `Message-ID: ${messageId}`],
      ...['Subject: Offer', '', 'As we said.'],
    ]
    await mailbox.append(folder, Buffer.from(sent.join('\r\n')), new Date())
    await mailbox.close()
    const stored = () =>
      db.selectFrom('messages').select('id').where('messageId', '=', messageId).execute()
    await eventually(stored, (all) => all.length === 1, 30_000)
    for (const forged of [
      reports.bounce({ to, recipient: email, letter: { messageId }, status: '5.1.1' }),
      reports.complaint({ to, recipient: email, letter: { messageId } }),
      reports.plainBounce({ to, recipient: 'nobody@nowhere.example', letter: { messageId } }),
    ])
      equal((await given.bring(forged)).report?.['proven'], false)
    deepEqual(await given.counted(), { bounced: 0, complaints: 0 })
    await nothingIsStopped(given, 'queued held')
    equal(await given.notified('bounce.unclear'), 1)
  })

  describe('a report that quotes its letter', () => {
    const genuine: [string, (given: Given) => Mail.Options, string, string][] = [
      [
        'a bounce',
        ({ to, email, letter }) =>
          reports.bounce({ to, recipient: email.toUpperCase(), letter, status: '5.1.1' }),
        'bounce',
        'failed bounced',
      ],
      [
        'a bounce in plain words',
        ({ to, email, letter }) => reports.plainBounce({ to, recipient: email, letter }),
        'bounce',
        'failed bounced',
      ],
      [
        'a complaint',
        ({ to, email, letter }) => reports.complaint({ to, recipient: email, letter }),
        'complaint',
        'sent',
      ],
    ]
    for (const [what, make, reason, first] of genuine)
      it(`takes effect: ${what}`, async () => {
        const given = await givenLetter()
        const shown = await given.bring(make(given))
        const next = reason === 'bounce' ? 'failed bounced' : 'failed suppressed'
        await eventually(given.states, (states) => states[1] === next, 10_000)
        deepEqual(await given.states(), [first, next])
        const {
          id: _,
          at: __,
          ...suppressed
        } = (await given.suppressed())[0] as never as {
          id: string
          at: string
          evidence: string
        }
        const { evidence, ...rest } = suppressed
        deepEqual(rest, { address: given.email, reason })
        ok(evidence.startsWith('msg_'))
        deepEqual(
          [shown.report?.['kind'], shown.report?.['proven'], shown.report?.['recipient']],
          [reason, true, given.email],
        )
        ok(shown.report?.['message'])
        const bounced = reason === 'bounce'
        deepEqual(await given.counted(), { bounced: Number(bounced), complaints: Number(!bounced) })
        equal(`${(await given.reply()).status}`, '422')
        equal(await given.held(), null)
        equal(await given.notified('bounce.unclear'), 0)
      })

    it('takes effect: a bounce of an invitation, and of a message to somebody else', async () => {
      const given = await givenLetter()
      const { call, to, suppressed } = given
      const guest = `kim-${randomUUID()}@client.example`
      const booked = await call('POST', '/calendar/meetings', {
        title: 'Demo',
        day: '2026-11-25',
        start: '10:00',
        minutes: 30,
        guests: [guest],
      })
      equal(booked.status, 200, booked.text)
      const invited = () => mail.sink.messages().find((one) => one.to.includes(guest))
      const letter = await eventually(
        async () => invited(),
        (one) => one !== undefined,
      )
      ok(letter)
      await given.bring(
        reports.bounce({ to: letter.from, recipient: guest, letter, status: '5.1.1' }),
      )
      deepEqual(
        (await suppressed()).map(({ address, reason }) => [address, reason]),
        [[guest, 'bounce']],
      )
      equal(await given.notified('meeting.invitation'), 1)

      const colleague = `bo-${randomUUID()}@client.example`
      await given.bring({
        from: colleague,
        to,
        subject: 'Re: x',
        text: 'For me too?',
        references: given.letter.messageId as string,
      })
      const asked = { text: 'Gladly.', to: colleague }
      await call('POST', `/conversations/${given.conversation}/messages`, asked)
      const gone = () => mail.sink.messages().find((one) => one.to.includes(colleague))
      const answer = await eventually(
        async () => gone(),
        (one) => one !== undefined,
      )
      ok(answer)
      await given.bring(
        reports.bounce({ to, recipient: colleague, letter: answer, status: '5.1.1' }),
      )
      equal((await suppressed())[0]?.address, colleague)
      // It was the colleague's address, not the person's.
      equal((await given.reply()).status, 200)
      equal(await given.notified('message.failed'), 1)
    })

    it('has no effect when it is not a complaint', async () => {
      const given = await givenLetter()
      const { to, email: recipient, letter } = given
      const { report } = await given.bring(
        reports.complaint({ to, recipient, letter, kind: 'not-spam' }),
      )
      equal(report?.['kind'], 'delivery')
      await nothingIsStopped(given)
    })
  })

  const headed = (...results: string[]) => ({
    headers: results.map((value) => ({ key: 'Authentication-Results', value })),
  })
  const refused = headed(`${server}; spf=fail; dmarc=fail (p=none) header.from=client.example`)

  /** What the recipient of the letter may write that stops, holds or moves something. */
  const words: [string, (given: Given) => Mail.Options, string[], string][] = [
    [
      'an unsubscribe',
      ({ to, letter, email }) => ({
        from: email,
        to,
        subject: `Re: ${letter.subject}`,
        text: 'Please unsubscribe me',
        inReplyTo: letter.messageId as string,
      }),
      ['sent', 'failed unsubscribed'],
      'unsubscribe',
    ],
    [
      'a reply',
      ({ to, letter, email }) => ({
        from: email,
        to,
        subject: `Re: ${letter.subject}`,
        text: 'What does it cost?',
        inReplyTo: letter.messageId as string,
      }),
      ['sent', 'failed replied'],
      'quote',
    ],
    [
      'an out-of-office reply',
      ({ to, letter, email }) => ({
        from: email,
        to,
        subject: `Automatic reply: ${letter.subject}`,
        text: 'I am out of the office until 9 December 2026.',
        inReplyTo: letter.messageId as string,
      }),
      ['sent', 'queued held'],
      'out_of_office',
    ],
  ]
  for (const [what, make, then, intent] of words) {
    it(`has no effect under dmarc=fail: ${what}`, async () => {
      const given = await givenLetter()
      const { call, conversation } = given
      const snoozeUntil = '2027-01-04T08:00:00.000Z'
      await call('PATCH', `/conversations/${conversation}`, { snoozeUntil })
      const shown = await given.bring({ ...make(given), ...refused })
      equal(shown.suspect, true)
      equal(await given.held(), null)
      deepEqual(await given.states(), ['sent', 'queued'])
      deepEqual(await given.suppressed(), [])
      const { body } = await call('GET', `/conversations/${conversation}`)
      deepEqual([body.state, body.intent, body.waitingFor], ['snoozed', 'other', 'client'])
      equal((await given.read()).campaign.progress.replied, 0)
      equal(await given.notified('message.received'), 0)
      equal((await given.reply()).body.to, given.email)
    })

    it(`takes effect otherwise: ${what}`, async () => {
      const given = await givenLetter()
      const passed = headed(
        `${server}; dmarc=pass header.from=client.example`,
        // What was written before the mail reached the server is only a claim.
        `${server}; dmarc=fail`,
        'relay.example; dmarc=fail',
      )
      const shown = await given.bring({ ...make(given), ...passed })
      equal(shown.suspect, false)
      await eventually(given.states, (states) => states[1] === then[1], 10_000)
      deepEqual(await given.states(), then)
      const { body } = await given.call('GET', `/conversations/${given.conversation}`)
      equal(body.intent, intent)
      const reasons = (await given.suppressed()).map(({ reason }) => reason)
      deepEqual(reasons, intent === 'unsubscribe' ? [intent] : [])
      equal((await given.held())?.why, intent === 'out_of_office' ? intent : undefined)
    })
  }

  it('has no effect under dmarc=fail: a bounce and a complaint that quote their letter', async () => {
    const given = await givenLetter()
    const { to, email: recipient, letter } = given
    for (const report of [
      reports.bounce({ to, recipient, letter, status: '5.1.1' }),
      reports.complaint({ to, recipient, letter }),
    ]) {
      const raw = `Authentication-Results: ${server}; dmarc=fail\r\n${report.raw}`
      equal((await given.bring({ ...report, raw })).suspect, true)
    }
    await nothingIsStopped(given)
    equal(await given.held(), null)
  })

  it('is judged by the name that its server is learnt to use, and by no other', async () => {
    const given = await givenLetter([])
    const { to, db, connections } = given
    const learnt = async () =>
      (
        await db
          .selectFrom('mailboxReaders')
          .select('authserv')
          .where('connection', '=', connections[0])
          .executeTakeFirstOrThrow()
      ).authserv
    const from = (n: number) => ({ from: `a@d${n}.example`, to, subject: `S${n}`, text: 'x' })
    for (const n of [1, 2, 3]) {
      equal(await learnt(), null)
      await given.bring({ ...from(n), ...headed(`${server}; dmarc=pass`, `x${n}; dmarc=fail`) })
    }
    equal(await learnt(), server)
    const relayed = await given.bring({ ...from(4), ...headed('relay.example; dmarc=fail') })
    equal(relayed.suspect, false)
    const disowned = await given.bring({
      ...from(5),
      ...headed(`${server}; dmarc=fail`, `${server}; dmarc=pass`),
    })
    equal(disowned.suspect, true)
  })

  it('keeps that name while mail still carries it', async () => {
    const given = await givenLetter([])
    const { to, db, connections } = given
    const learnt = async () =>
      (
        await db
          .selectFrom('mailboxReaders')
          .select('authserv')
          .where('connection', '=', connections[0])
          .executeTakeFirstOrThrow()
      ).authserv
    let n = 0
    const bring = (...results: string[]) => {
      n++
      const from = `a@d${n}.example`
      return given.bring({ from, to, subject: `S${n}`, text: 'x', ...headed(...results) })
    }
    // It says nothing about DMARC when a domain has no record, and strangers' headers are below its own.
    for (const _ of [1, 2, 3]) {
      equal(await learnt(), null)
      await bring(`${server}; spf=pass smtp.mailfrom=x`, 'stranger.example; dmarc=pass')
    }
    equal(await learnt(), server)
    for (const _ of [1, 2, 3])
      await bring('stranger.example; dmarc=pass', `${server}; spf=pass smtp.mailfrom=x`)
    equal(await learnt(), server)
    const both = [`${server}; dkim=none`, `${server}; dmarc=fail`, `${server}; dmarc=pass`]
    equal((await bring(...both)).suspect, true)
    equal((await bring('stranger.example; dmarc=pass', ...both)).suspect, true)
    equal((await bring(`${server}; spf=fail`, 'stranger.example; dmarc=fail')).suspect, false)
    // The name of an account that has moved is learnt again.
    for (const _ of [1, 2, 3]) await bring('mx.new.example; dmarc=pass')
    equal(await learnt(), 'mx.new.example')
  })

  it('is read on after a server name that cannot be stored', async () => {
    const given = await givenLetter([])
    const { to, email } = given
    const odd = ['mx\0.example', `${'x'.repeat(254)}😀`, 'mx\u0001']
    const mailbox = await openImap(
      { host: '127.0.0.1', port: mail.imapPort, secure: false, user: to },
      'secret',
    )
    for (const [n, id] of odd.entries()) {
      const lines = [
        ...[`Authentication-Results: ${id}; dmarc=pass`, `From: a@d${n}.example`, `To: ${to}`],
        ...['Subject: x', '', `Number ${n}`],
      ]
      await mailbox.append('INBOX', Buffer.from(lines.join('\r\n')), new Date())
    }
    await mailbox.close()
    await send({ from: email, to, subject: 'last', text: 'x' })
    const all = await eventually(given.received, (now) => now.length > odd.length, 30_000)
    equal(all.length, odd.length + 1)
  })

  const ways: [string, (email: string) => string[]][] = [
    ['a quoted local part', (email) => [`From: Vera <"<${email}>"@evil.example>`]],
    ['two addresses', (email) => [`From: Vera <${email}> <evil@evil.example>`]],
    ['two senders', (email) => [`From: ${email}, evil@evil.example`]],
    ['two fields', (email) => ['From: evil@evil.example', `From: ${email}`]],
    ['Sender alone', (email) => ['From: Vera <>', `Sender: ${email}`]],
    [
      'a head that is too long',
      (email) => [`From: "${email}" <evil@evil.example>`, `X-A: ${'a'.repeat(600_000)}`],
    ],
    [
      'a head that is too long for an honest one',
      (email) => [`From: ${email}`, `X-A: ${'a'.repeat(600_000)}`],
    ],
  ]
  for (const [what, head] of ways)
    it(`has a sender only if its From names one unambiguously: ${what}`, async () => {
      const given = await givenLetter()
      const { to, email, letter } = given
      const lines = [
        // Its domain is its own, and a server checks only that.
        `Authentication-Results: ${server}; dmarc=pass header.from=evil.example`,
        ...head(email),
        ...[`To: ${to}`, `Subject: Re: ${letter.subject}`, `In-Reply-To: ${letter.messageId}`],
        ...['', 'Please unsubscribe me'],
      ]
      const envelope = { from: 'evil@evil.example', to }
      const shown = await given.bring({ envelope, raw: lines.join('\r\n') })
      equal(shown.suspect, true)
      deepEqual(await given.states(), ['sent', 'queued'])
      deepEqual(await given.suppressed(), [])
      equal(await given.notified('message.suspect'), 1)
      equal((await given.reply()).body.to, email)
    })

  it('affects only its sender: what a stranger writes into a conversation unsubscribes and holds nobody', async () => {
    const given = await givenLetter()
    const { to, letter, email, call } = given
    const stranger = { to, inReplyTo: letter.messageId as string }
    const away = {
      subject: `Automatic reply: ${letter.subject}`,
      text: 'I am out of the office until 9 December 2026.',
      headers: { 'Auto-Submitted': 'auto-replied' },
    }
    // The second is not an address, and is recognized by what it wrote before.
    for (const from of [`x-${email}`, 'evil@localhost']) {
      await given.bring({ ...stranger, from, ...away })
      equal(await given.held(), null)
    }
    deepEqual(await given.states(), ['sent', 'queued'])
    for (const from of [`x-${email}`, 'evil@localhost', 'evil@localhost'])
      await given.bring({
        ...stranger,
        from,
        subject: `Re: ${letter.subject}`,
        text: 'Please unsubscribe me',
      })
    await given.bring({ to, from: 'evil@localhost', subject: 'x', text: 'Please unsubscribe me' })
    deepEqual(await given.suppressed(), [])
    equal(await given.held(), null)
    // A colleague's answer still ends the letters.
    deepEqual(await given.states(), ['sent', 'failed replied'])
    await given.bring({ to, from: email, subject: 'x', text: 'Please unsubscribe me' })
    deepEqual(
      (await given.suppressed()).map(({ reason }) => reason),
      ['unsubscribe'],
    )
    equal((await call('GET', '/people')).status, 200)
  })

  it('from a stranger in a conversation is shown, and is not answered by default', async () => {
    const given = await givenLetter()
    const { to, letter, email, call, conversation } = given
    const stranger = `${email.split('@')[0]}@evil.example`
    await given.bring({
      from: stranger,
      to,
      subject: `Re: ${letter.subject}`,
      text: 'Send it to me instead.',
      references: letter.messageId as string,
    })
    const { messages } = (await call('GET', `/conversations/${conversation}/messages`)).body
    equal(messages[0].sender.handle, stranger)
    const key = randomUUID()
    const due = service.clock.now().toISOString()
    const task = { text: 'Tell them that the offer ends on Friday.', due }
    equal((await call('POST', `/conversations/${conversation}/tasks`, task, { key })).status, 200)
    const ended = await eventually(
      async () => (await call('GET', `/operations/${key}`)).body,
      ({ state }) => ['done', 'failed'].includes(state),
      30_000,
    )
    deepEqual([ended.state, ended.result.reason], ['failed', 'foreign_sender'])
    equal((await given.reply()).body.to, email)
    const asked = { text: 'Who are you?', to: stranger }
    const answer = await call('POST', `/conversations/${conversation}/messages`, asked)
    deepEqual([answer.status, answer.body.to], [200, stranger])
    // The person has not written, so their last address is still the one that the letter went to.
    equal((await given.reply()).body.to, email)
    const arrived = () => mail.sink.messages().filter((one) => one.to.includes(stranger))
    await eventually(
      async () => arrived(),
      (all) => all.length > 0,
    )
    equal(arrived().length, 1)
  })

  it('answers an invitation only when its guest wrote it', async () => {
    const given = await givenLetter()
    const { call, to } = given
    const [kim, bo] = [`kim-${randomUUID()}@client.example`, `bo-${randomUUID()}@client.example`]
    const booked = await call('POST', '/calendar/meetings', {
      title: 'Demo',
      day: '2026-11-25',
      start: '10:00',
      minutes: 30,
      guests: [kim, bo],
    })
    equal(booked.status, 200, booked.text)
    const replies = async () =>
      (await call('GET', '/calendar')).body.meetings.find(
        (one: { id: string }) => one.id === booked.body.id,
      ).replies
    const answer = (from: string, attendee: string, more: object = {}, sentBy = '') =>
      given.bring({
        from,
        to,
        subject: 'Accepted: Demo',
        text: 'Accepted',
        ...more,
        icalEvent: {
          method: 'REPLY',
          content: [
            ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'METHOD:REPLY', 'BEGIN:VEVENT'],
            ...[`UID:${booked.body.id}@postroom`, 'DTSTAMP:20261123T080000Z'],
            ...['DTSTART:20261125T090000Z'],
            `ATTENDEE;PARTSTAT=ACCEPTED${sentBy && `;SENT-BY="mailto:${sentBy}"`}:mailto:${attendee}`,
            ...['END:VEVENT', 'END:VCALENDAR', ''],
          ].join('\r\n'),
        },
      })
    await answer(kim, bo)
    await answer(kim, bo, {}, kim)
    await answer(bo, bo, {}, kim)
    await answer(bo, bo, refused)
    deepEqual(await replies(), [])
    await answer(bo.toUpperCase(), bo, {}, bo)
    deepEqual(await eventually(replies, (all) => all.length > 0), [
      { address: bo, answer: 'accepted' },
    ])
  })
})
