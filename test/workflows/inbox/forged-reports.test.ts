import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type Mail from 'nodemailer/lib/mailer'
import {
  type GivenLetter,
  givenLetter,
  mailRoom,
  nothingIsStopped,
  type Touch,
} from '../../support/given-letter.ts'
import * as reports from '../../support/reports.ts'
import { eventually } from '../../support/service.ts'

// Bounces and complaints that a stranger may write to stop somebody's letters, and the same mail when it is genuine.

const day = 24 * 60 * 60 * 1000

describe('mail that anybody could forge', function () {
  this.timeout(90_000)
  const room = mailRoom()

  const guessed = () => ({ messageId: `<tch_${randomUUID()}@us.example>` })

  describe('a report without proof', () => {
    const forged: [string, (given: GivenLetter) => Mail.Options][] = [
      [
        'a bounce with a guessed id',
        ({ to, email }) =>
          reports.bounce({ to, recipient: email, letter: guessed(), status: '5.1.1' }),
      ],
      [
        'a bounce of the letter of somebody else',
        ({ to, letter, email }) =>
          // It names one of our ids, and an address to which the letter may have been forwarded.
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
        const given = await givenLetter(room)
        const people = async () => (await given.call('GET', '/people')).body.people.length
        const before = await people()
        const shown = await given.bring(make(given))
        equal(shown.automated, true)
        deepEqual([shown.report?.['proven'], shown.report?.['message']], [false, null])
        deepEqual(await given.counted(), { bounced: 0, complaints: 0 })
        await nothingIsStopped(given, 'queued held')
        const held = await given.held()
        equal(held?.why, 'bounce_unclear')
        equal(await given.notified('bounce.unclear'), 1)
        equal(await people(), before)
        const left = Date.parse(held.until) - room.service.clock.now().getTime()
        ok(left > 2 * day && left <= 3 * day, String(left))
      })

    it('does not extend a hold, however many arrive, nor renew it after a release', async () => {
      const given = await givenLetter(room)
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
      const given = await givenLetter(room)
      const ceo = `ceo-${randomUUID()}@bigcustomer.test`
      const { to } = given
      await given.bring(reports.bounce({ to, recipient: ceo, letter: guessed(), status: '5.1.1' }))
      await given.bring(reports.complaint({ to, recipient: ceo, letter: guessed() }))
      equal((await given.call('GET', `/people?q=${ceo}`)).body.people.length, 0)
      await nothingIsStopped(given)
    })

    it('is not believed about a letter older than a fortnight, or of another account', async () => {
      const given = await givenLetter(room)
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
        .set({ sentAt: new Date(room.service.clock.now().getTime() - 15 * day) })
        .where('conversation', '=', given.conversation)
        .where('direction', '=', 'outbound')
        .execute()
      const late = await given.bring(reports.bounce({ ...report, to }))
      equal(late.report?.['proven'], false)
      await nothingIsStopped(given)
    })
  })

  it('is not believed about what a member sent from a mail program, whoever was copied', async () => {
    const given = await givenLetter(room)
    const { db, to, email } = given
    const messageId = `<${randomUUID()}@program.example>`
    await given.sentElsewhere([
      ...[`From: ${to}`, `To: ${email}`, 'Cc: evil@evil.example', `Message-ID: ${messageId}`],
      ...['Subject: Offer', '', 'As we said.'],
    ])
    const stored = db.selectFrom('messages').select('id').where('messageId', '=', messageId)
    equal((await stored.execute()).length, 1)
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
    const genuine: [string, (given: GivenLetter) => Mail.Options, string, string][] = [
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
        const given = await givenLetter(room)
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
      const given = await givenLetter(room)
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
      const invited = () => room.mail.messages().find((one) => one.to.includes(guest))
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
      const gone = () => room.mail.messages().find((one) => one.to.includes(colleague))
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
      const given = await givenLetter(room)
      const { to, email: recipient, letter } = given
      const { report } = await given.bring(
        reports.complaint({ to, recipient, letter, kind: 'not-spam' }),
      )
      equal(report?.['kind'], 'delivery')
      await nothingIsStopped(given)
    })
  })
})
