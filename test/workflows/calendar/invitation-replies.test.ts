import { deepEqual, equal } from 'node:assert/strict'
import { givenMailboxes, mailProgram } from '../../support/inbox.ts'
import { testMailboxes } from '../../support/mailboxes.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

describe('an answer to an invitation', function () {
  this.timeout(60_000)
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service?.close())

  it("is shown with the meeting, and filed as automated in the guest's conversation", async function () {
    const mail = await testMailboxes(this)
    const { call, connections } = await service.workspace({ smtpPort: mail.smtpPort })
    await givenMailboxes(service, mail, connections.slice(0, 1))
    const only = ['rows', 'send', 'remote', 'mail'] as const
    await service.work(this, { mailWaitMs: 300 }, { only })
    const { account } = await service.db
      .selectFrom('connections')
      .select('account')
      .where('id', '=', connections[0])
      .executeTakeFirstOrThrow()
    const send = mailProgram(mail)
    const guest = { name: 'Kim Roth', address: 'kim@client.example' }
    await send({ from: guest, to: account, subject: 'A demo?', text: 'Next week?' })
    const conversations = async () => (await call('GET', '/conversations')).body.conversations
    const [{ id }] = await eventually(conversations, (all) => all.length === 1, 20_000)
    await service.db
      .updateTable('conversations')
      .set({ state: 'closed', reason: 'meeting_booked' })
      .where('id', '=', id)
      .execute()

    const booked = await call('POST', '/calendar/meetings', {
      title: 'Demo',
      day: '2026-11-25',
      start: '10:00',
      minutes: 30,
      guests: [guest.address, 'bo@client.example'],
    })
    equal(booked.status, 200, booked.text)
    const meeting = async () =>
      (await call('GET', '/calendar')).body.meetings.find(
        (one: { id: string }) => one.id === booked.body.id,
      )
    const reply = (address: string, answer: string, stamp: string, comment?: string) =>
      send({
        from: { ...guest, address },
        to: account,
        subject: `${answer}: Demo`,
        text: comment ?? answer,
        icalEvent: {
          method: 'REPLY',
          content: [
            ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'METHOD:REPLY', 'BEGIN:VEVENT'],
            ...[`UID:${booked.body.id}@postroom`, `DTSTAMP:${stamp}`, 'DTSTART:20261125T090000Z'],
            `ATTENDEE;PARTSTAT=${answer.toUpperCase()};CN=Kim:mailto:${address}`,
            ...(comment === undefined ? [] : [`COMMENT;LANGUAGE=en-GB:${comment}`]),
            ...['END:VEVENT', 'END:VCALENDAR', ''],
          ].join('\r\n'),
        },
      })
    await reply('Kim@client.example', 'Tentative', '20261123T080000Z')
    await reply('kim@client.example', 'Accepted', '20261123T080100Z')
    await reply('eve@client.example', 'Accepted', '20261123T080200Z')
    await eventually(conversations, (all) => all.length === 2, 20_000)
    deepEqual((await meeting()).replies, [{ address: 'kim@client.example', answer: 'accepted' }])
    const { messages } = (await call('GET', `/conversations/${id}/messages`)).body
    deepEqual(
      messages.map(({ subject, automated }: { subject: string; automated: boolean }) => [
        subject,
        automated,
      ]),
      [
        ['Accepted: Demo', true],
        ['Tentative: Demo', true],
        ['A demo?', false],
      ],
    )
    const { state } = (await call('GET', `/conversations/${id}`)).body
    equal(state, 'closed')

    await reply('kim@client.example', 'Declined', '20261123T080300Z', 'Let us not meet at all.')
    const newest = async () => (await call('GET', `/conversations/${id}/messages`)).body.messages[0]
    const { automated, text } = await eventually(newest, (one) => one.subject === 'Declined: Demo')
    deepEqual([automated, text.trim()], [false, 'Let us not meet at all.'])
    deepEqual((await meeting()).replies, [{ address: 'kim@client.example', answer: 'declined' }])
    equal((await call('GET', `/conversations/${id}`)).body.state, 'open')
  })
})
