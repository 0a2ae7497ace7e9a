import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { scriptedImap } from '../../support/imap-server/index.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { givenLetter, givenReader } from '../../support/reading.ts'
import { comesTo, eventually, startService, type TestService } from '../../support/service.ts'

describe('a mailbox whose server counts a mail and hides it', function () {
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

  /** The first mail is in no answer of SEARCH and FETCH. */
  const rows = ['FETCH', 'SEARCH'].map((verb) => ({ verb, answer: { leaveOut: [1] } }))

  it('is not read to its end at first, and its member is told once in the end', async () => {
    const imap = await scriptedImap({ rows })
    const letter = await givenLetter(service, sink, imap)
    await letter.answer()
    await letter.isRead()
    const told = async () => {
      const { length } = letter.letters()
      const notices = await letter.told('message.unreadable')
      if (notices.length === 0) equal(length, 1, 'a letter has followed before somebody was told')
      return notices
    }
    const [notice] = await eventually(told, ({ length }) => length > 0, 60_000)
    match(notice?.text ?? '', /counts a message in the folder INBOX/)
    ok((imap.counts()['LOGIN'] ?? 0) >= 3, 'it was not looked for in several sessions')
    imap.end(letter.account)
    await sleep(5_000) // As long as another session needs.
    equal((await told()).length, 1)
  })

  it('has its other mails', async () => {
    const imap = await scriptedImap({ rows })
    const { mail, isRead, subjects } = await givenReader(service, imap)
    for (const subject of ['Hidden', 'Shown', 'Shown too']) await mail(subject)
    await isRead()
    await comesTo(async () => (await subjects()).length, 2, 60_000)
    deepEqual(await subjects(), ['Shown', 'Shown too'])
  })
})
