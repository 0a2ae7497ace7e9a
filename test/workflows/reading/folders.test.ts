import { deepEqual, equal } from 'node:assert/strict'
import { scriptedImap } from '../../support/imap-server/index.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { givenLetter, givenReader, stopped } from '../../support/reading.ts'
import { comesTo, eventually, startService, type TestService } from '../../support/service.ts'

describe('an answer that is not in the Inbox', function () {
  this.timeout(90_000)
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

  const cases = [
    ['a rule has moved into a folder', 'dovecot', 'INBOX/Clients'],
    ['a rule has moved into a folder beside the Inbox', 'exchange', 'Kunden'],
    ['a rule has moved into a folder below another delimiter', 'courier', 'INBOX.Clients.North'],
    ['a filter has moved into Junk', 'dovecot', 'Junk'],
    ['a filter has moved into Junk that the server does not name', 'exchange', 'Junk-E-Mail'],
    ['a person has archived', 'icloud', 'Archive'],
  ] as const
  for (const [title, profile, folder] of cases)
    it(`stops the letters when ${title}, and says where it is (${profile})`, async () => {
      const imap = await scriptedImap({ profile })
      const given = await givenLetter(service, sink, imap)
      const { account, letter } = given
      const uid = await given.answer()
      imap.store.move(account, uid, 'INBOX', folder)
      await given.isRead()
      deepEqual(await given.fate(), stopped)
      const answers = await given.messages(letter.subject ?? '')
      const inbound = answers.filter(
        ({ direction }: { direction: string }) => direction === 'inbound',
      )
      deepEqual(
        inbound.map((message: { folder: string }) => message.folder),
        [folder],
      )
    })

  it('stops the letters when it is only in the folder of all mail', async () => {
    const imap = await scriptedImap({ profile: 'gmail' })
    const given = await givenLetter(service, sink, imap)
    const uid = await given.answer()
    imap.store.remove(given.account, uid)
    await given.isRead()
    deepEqual(await given.fate(), stopped)
  })

  it('is one message though the server shows it in several folders', async () => {
    const imap = await scriptedImap({ profile: 'gmail' })
    const given = await givenReader(service, imap)
    await given.mail('Twice')
    await given.isRead()
    const all = () => given.messages('Twice')
    await eventually(all, ({ length }) => length > 0, 30_000)
    await imap.deliver(given.account, {
      from: 'bo@client.example',
      subject: 'Later',
      text: 'Later.',
    })
    await eventually(given.subjects, (found) => found.includes('Later'), 30_000)
    equal((await all()).length, 1)
  })

  it('is seen when a rule moves it while the mailbox is read', async () => {
    const imap = await scriptedImap()
    const given = await givenReader(service, imap)
    await given.mail('First')
    await given.isRead()
    await comesTo(async () => (await given.subjects()).length, 1, 30_000)
    await given.mail('Second', { folder: 'INBOX/Clients' })
    await eventually(given.subjects, (found) => found.includes('Second'), 80_000)
  })

  it('from a stranger in Junk is suspect, until its owner moves it to the Inbox', async () => {
    const imap = await scriptedImap()
    const given = await givenReader(service, imap)
    const uid = await given.mail('Money', { folder: 'Junk' })
    await given.isRead()
    const isIn = async (where: string, suspect: boolean) => {
      const all = await eventually(
        () => given.messages('Money'),
        ([one]) => one?.folder === where,
        30_000,
      )
      deepEqual([all.length, all[0].suspect], [1, suspect])
    }
    await isIn('Junk', true)
    imap.store.move(given.account, uid, 'Junk', 'INBOX')
    await isIn('INBOX', false)
    equal((await given.told('message.received')).length, 1)
  })

  it('is not read in Trash, among drafts, or where the operator leaves folders out', async () => {
    const imap = await scriptedImap()
    const folders = { leaveOut: ['Private', '\\Junk'] }
    const given = await givenReader(service, imap, { folders })
    for (const folder of ['Trash', 'Drafts', 'Private', 'Junk', 'Clients'])
      await given.mail(folder, { folder })
    await given.mail('Inbox')
    await given.isRead()
    const found = await eventually(given.subjects, ({ length }) => length === 2, 30_000)
    deepEqual(found, ['Clients', 'Inbox'])
  })

  it('is read though another folder cannot be opened', async () => {
    const rows = ['SELECT', 'EXAMINE'].map((verb) => ({
      verb,
      when: { folder: 'Sent' },
      answer: { no: '[SERVERBUG] Internal error occurred' },
    }))
    const imap = await scriptedImap({ rows })
    const given = await givenReader(service, imap)
    await given.mail('Hello')
    await given.isRead()
    deepEqual(await eventually(given.subjects, ({ length }) => length > 0, 30_000), ['Hello'])
  })
})
