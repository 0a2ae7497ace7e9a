import { deepEqual, equal, match } from 'node:assert/strict'
import { scriptedImap } from '../../support/imap-server/index.ts'
import type { Answer, Row } from '../../support/imap-server/rows.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { givenLetter, givenReader, numbered, stopped } from '../../support/reading.ts'
import { comesTo, eventually, startService, type TestService } from '../../support/service.ts'

const all = numbered(20)

describe('a mailbox whose server lies', function () {
  this.timeout(120_000)
  let service: TestService
  let sink: MailSink

  before(async function () {
    this.timeout(120_000)
    sink = await testMail()
    service = await startService()
    const only = ['rows', 'send', 'remote', 'mail'] as const
    await service.work(this.test?.ctx, { mailWaitMs: 300 }, { only })
  })
  after(() => service?.close())

  /** A mailbox with so many mails, numbered from 1 as their UIDs are. */
  async function given(rows: Row[], subjects = all) {
    const imap = await scriptedImap({ rows })
    const reader = await givenReader(service, imap)
    for (const subject of subjects) await reader.mail(subject)
    await reader.isRead()
    return { imap, ...reader }
  }

  const unreadable: [title: string, answer: Answer][] = [
    ['is refused', { no: '[SERVERBUG] cannot read' }],
    ['is refused as a bad command', { bad: 'Error in IMAP command FETCH' }],
    ['ends the connection', { close: true }],
    ['ends the session', { bye: 'FETCH failed' }],
    ['breaks off in the middle', { cutAt: 20 }],
    ['is left out whenever it is asked for', { leaveOut: [7] }],
  ]
  for (const [title, answer] of unreadable)
    it(`has the other mails at once when one ${title}, keeps its head, and its member is told once`, async () => {
      const rows = [{ verb: 'FETCH', when: { uid: 7, item: 'BODY[]' }, answer }]
      const { subjects, told, messages, mail } = await given(rows)
      const others = all.filter((subject) => subject !== 'Question 07')
      await eventually(subjects, (found) => others.every((one) => found.includes(one)), 60_000)
      const [stub] = await eventually(
        () => messages('Question 07'),
        ({ length }) => length > 0,
        60_000,
      )
      match(stub.sender.handle, /question-07@client\.example$/)
      await mail('Question 21')
      await eventually(subjects, (found) => found.includes('Question 21'), 30_000)
      equal((await subjects()).length, 21)
      const [notice, ...more] = await told('message.unreadable')
      match(notice?.text ?? '', /Question 07/)
      deepEqual(more, [])
    })

  it('keeps a mail of which not even the head can be read by its number and date', async () => {
    const rows = [{ verb: 'FETCH', when: { uid: 3, item: 'BODY' }, answer: { no: '[SERVERBUG]' } }]
    const { conversations, told, subjects } = await given(rows, numbered(5))
    await eventually(conversations, ({ length }) => length === 5, 60_000)
    equal((await subjects()).includes('Question 03'), false)
    equal((await told('message.unreadable')).length, 1)
  })

  it('has a mail that an answer for several leaves out', async () => {
    const when = { uid: 12, several: true, item: 'BODY[]' }
    const { subjects, told } = await given([{ verb: 'FETCH', when, answer: { leaveOut: [12] } }])
    await comesTo(async () => (await subjects()).length, 20, 30_000)
    deepEqual(await subjects(), all)
    deepEqual(await told('message.unreadable'), [])
  })

  it('holds no follow-up to an answer that was left out, but stops it', async () => {
    const when = { uid: 2, several: true }
    const imap = await scriptedImap({ rows: [{ verb: 'FETCH', when, answer: { leaveOut: [2] } }] })
    const letter = await givenLetter(service, sink, imap)
    const other = (subject: string) =>
      imap.deliver(letter.account, { from: 'x@client.example', subject, text: subject })
    await other('Before')
    await letter.answer()
    await other('After')
    await letter.isRead()
    deepEqual(await letter.fate(), stopped)
  })

  it('is read in another session when one counts a mail that it does not show', async () => {
    const rows = ['FETCH', 'SEARCH'].map((verb) => ({
      verb,
      when: { session: 1 },
      answer: { leaveOut: 'all' as const },
    }))
    const imap = await scriptedImap({ rows })
    const letter = await givenLetter(service, sink, imap)
    await letter.answer()
    await letter.isRead()
    deepEqual(await letter.fate(), stopped)
  })

  it('has what comes after its server was set back to lower numbers', async () => {
    const { imap, account, subjects, mail } = await given([], numbered(3))
    await comesTo(async () => (await subjects()).length, 3, 30_000)
    imap.store.rewind(account)
    imap.end(account)
    await mail('Restored')
    await eventually(subjects, (found) => found.includes('Restored'), 60_000)
  })

  it('has each mail once when its server numbers them anew', async () => {
    const { imap, account, subjects, conversations, mail } = await given([], numbered(3))
    await comesTo(async () => (await subjects()).length, 3, 30_000)
    imap.store.renumber(account)
    imap.end(account)
    await mail('Renumbered')
    await eventually(subjects, (found) => found.includes('Renumbered'), 60_000)
    equal((await conversations()).length, 4)
  })

  it('is read to the end though its server counts mails that never come', async () => {
    const rows = ['SELECT', 'EXAMINE', 'NOOP', 'STATUS', 'LIST', 'IDLE'].map((verb) => ({
      verb,
      when: { session: 1 },
      answer: { exists: 1 },
    }))
    const { imap, account, subjects } = await given(rows, ['Real'])
    await comesTo(async () => (await subjects()).length, 1, 30_000)
    const { length } = imap.heard
    await new Promise((resolve) => setTimeout(resolve, 5_000)) // As long as a loop needs to show.
    const asked = imap.heard.slice(length).filter(({ login }) => login === account)
    equal(asked.length < 150, true, `${asked.length} commands in five seconds`)
  })

  it('has what a line without an end holds up, within two minutes', async () => {
    const when = { time: 1, item: 'BODY[]' }
    const { subjects } = await given([{ verb: 'FETCH', when, answer: { trickle: true } }], ['Slow'])
    await comesTo(async () => (await subjects()).length, 1, 110_000)
  })
})
