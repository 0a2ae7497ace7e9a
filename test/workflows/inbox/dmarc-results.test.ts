import { deepEqual, equal } from 'node:assert/strict'
import type Mail from 'nodemailer/lib/mailer'
import {
  type GivenLetter,
  givenLetter,
  headed,
  mailRoom,
  nothingIsStopped,
  refused,
  server,
} from '../../support/given-letter.ts'
import * as reports from '../../support/reports.ts'
import { eventually } from '../../support/service.ts'

// Mail from the recipient of a letter has its effect unless our own server has refused its sender.

describe('mail that anybody could forge', function () {
  this.timeout(90_000)
  const room = mailRoom()

  /** What the recipient of the letter may write that stops, holds or moves something. */
  const words: [string, (given: GivenLetter) => Mail.Options, string[], string][] = [
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
      const given = await givenLetter(room)
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
      const given = await givenLetter(room)
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
    const given = await givenLetter(room)
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

  /** The name that the server of the account is learnt to use. */
  async function learntOf({ db, connections: [account] }: GivenLetter) {
    const row = await db
      .selectFrom('mailboxReaders')
      .select('authserv')
      .where('connection', '=', account)
      .executeTakeFirst()
    return row?.authserv ?? null
  }

  it('is judged by the name that its server is learnt to use, and by no other', async () => {
    const given = await givenLetter(room, { authserv: [] })
    const { to } = given
    const learnt = () => learntOf(given)
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
    const given = await givenLetter(room, { authserv: [] })
    const { to } = given
    const learnt = () => learntOf(given)
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
    const given = await givenLetter(room, { authserv: [] })
    const { to, email } = given
    const odd = ['mx\0.example', `${'x'.repeat(254)}😀`, 'mx\u0001']
    for (const [n, id] of odd.entries()) {
      const lines = [
        ...[`Authentication-Results: ${id}; dmarc=pass`, `From: a@d${n}.example`, `To: ${to}`],
        ...['Subject: x', '', `Number ${n}`],
      ]
      await given.deliver({ envelope: { from: '', to }, raw: lines.join('\r\n') })
    }
    await given.deliver({ from: email, to, subject: 'last', text: 'x' })
    equal((await given.received()).length, odd.length + 1)
  })
})
