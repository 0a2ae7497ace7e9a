import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type GivenLetter, givenLetter, mailRoom } from '../../support/given-letter.ts'
import * as reports from '../../support/reports.ts'
import { eventually } from '../../support/service.ts'

// A message went to one address and, in copy, to others. What servers report about a copy is about that address alone.

describe('a report about a copy of a message', function () {
  this.timeout(90_000)
  const room = mailRoom()

  /** A message with copies that has arrived, and the card of the person who got one openly. */
  async function givenCopies(given: GivenLetter) {
    const [cc, bcc] = ['cc', 'bcc'].map((name) => `${name}-${randomUUID()}@client.example`) as [
      string,
      string,
    ]
    const { body: card } = await given.call('POST', '/people', { name: 'Cora', email: cc })
    const path = `/conversations/${given.conversation}/messages`
    const said = await given.call('POST', path, { text: 'The offer.', cc: [cc], bcc: [bcc] })
    equal(said.status, 200, said.text)
    const { id, messageId } = said.body as { id: string; messageId: string }
    const shown = async () => (await given.call('GET', `/messages/${id}`)).body
    await eventually(shown, ({ state }) => state === 'sent', 20_000)
    const suppressed = async () =>
      (await given.suppressed()).map(({ address, reason }) => `${reason} ${address}`).toSorted()
    const ofCora = () => given.call('GET', `/people/${card.id}`)
    return { cc, bcc, id, letter: { messageId }, shown, suppressed, ofCora }
  }

  for (const copy of ['cc', 'bcc'] as const)
    it(`suppresses that address and leaves the message sent: ${copy}`, async () => {
      const given = await givenLetter(room)
      const { to } = given
      const { [copy]: recipient, id, letter, shown, suppressed } = await givenCopies(given)
      const { report } = await given.bring(
        reports.bounce({ to, recipient: recipient.toUpperCase(), letter, status: '5.1.1' }),
      )
      deepEqual(
        [report?.['kind'], report?.['proven'], report?.['recipient'], report?.['message']],
        ['bounce', true, recipient, id],
      )
      deepEqual(await suppressed(), [`bounce ${recipient}`])
      equal((await shown()).state, 'sent')
      deepEqual(await given.counted(), { bounced: 0, complaints: 0 })
      deepEqual(await given.states(), ['sent', 'queued'])
      equal(await given.held(), null)
      equal(await given.notified('message.failed'), 1)
      deepEqual((await shown()).refused, [{ address: recipient, code: '5.1.1' }])
      equal((await given.reply()).status, 200)
    })

  it('that may pass suppresses nobody', async () => {
    const given = await givenLetter(room)
    const { to } = given
    const { cc, letter, shown, suppressed } = await givenCopies(given)
    const full = await given.bring(
      reports.bounce({
        to,
        recipient: cc,
        letter,
        status: '5.2.2',
        text: '552 5.2.2 mailbox full',
      }),
    )
    deepEqual([full.report?.['proven'], full.report?.['permanent']], [true, false])
    deepEqual(await suppressed(), [])
    equal((await shown()).state, 'sent')
  })

  it('that comes with one about the message itself acts on both', async () => {
    const given = await givenLetter(room)
    const { to, email } = given
    const { cc, bcc, letter, shown, suppressed } = await givenCopies(given)
    const { report } = await given.bring(
      reports.bounce({ to, recipient: cc, others: [email, bcc], letter, status: '5.1.1' }),
    )
    equal(report?.['recipient'], email)
    deepEqual(await suppressed(), [cc, bcc, email].map((one) => `bounce ${one}`).toSorted())
    deepEqual([(await shown()).state, (await shown()).reason], ['failed', 'bounced'])
  })

  it('that is a complaint ends the letters to the person who complained', async () => {
    const given = await givenLetter(room)
    const { to } = given
    const { cc, letter, shown, suppressed, ofCora } = await givenCopies(given)
    await given.bring(reports.complaint({ to, recipient: cc, letter }))
    deepEqual(await suppressed(), [`complaint ${cc}`])
    deepEqual((await ofCora()).body.suppressed, [{ address: cc, reason: 'complaint' }])
    equal((await shown()).state, 'sent')
    deepEqual(await given.states(), ['sent', 'queued'])
  })

  it('proves nothing about an address that got no copy, nor without naming one of several', async () => {
    const given = await givenLetter(room)
    const { to } = given
    const { letter, shown, suppressed } = await givenCopies(given)
    const stranger = `x-${randomUUID()}@client.example`
    for (const recipient of [stranger, '']) {
      const shownReport = await given.bring(
        reports.bounce({ to, recipient, letter, status: '5.1.1' }),
      )
      equal(shownReport.report?.['proven'], false)
    }
    deepEqual(await suppressed(), [])
    equal((await shown()).state, 'sent')
    // It knows a letter to them, so it may be about them.
    deepEqual(await given.states(), ['sent', 'queued held'])
    equal(await given.notified('bounce.unclear'), 1)
  })
})
