import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { givenLetter, mailRoom, refused, server } from '../../support/given-letter.ts'
import { eventually } from '../../support/service.ts'

// Mail whose sender is unclear, and mail of strangers in a conversation or about an invitation.

describe('mail that anybody could forge', function () {
  this.timeout(90_000)
  const room = mailRoom()

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
      const given = await givenLetter(room)
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
    const given = await givenLetter(room)
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
    const given = await givenLetter(room)
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
    const due = room.service.clock.now().toISOString()
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
    const arrived = () => room.mail.messages().filter((one) => one.to.includes(stranger))
    await eventually(
      async () => arrived(),
      (all) => all.length > 0,
    )
    equal(arrived().length, 1)
  })

  it('answers an invitation only when its guest wrote it', async () => {
    const given = await givenLetter(room)
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
    deepEqual(await replies(), [{ address: bo, answer: 'accepted', unverified: true }])
    await answer(bo.toUpperCase(), bo, {}, bo)
    deepEqual(await eventually(replies, ([one]) => !one.unverified), [
      { address: bo, answer: 'accepted' },
    ])
  })
})
