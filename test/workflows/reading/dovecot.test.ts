import { deepEqual } from 'node:assert/strict'
import { type Dovecot, testDovecot } from '../../support/dovecot.ts'
import { givenMailboxes } from '../../support/inbox.ts'
import { mailboxOf } from '../../support/reading.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

describe('a mailbox on a real Dovecot', function () {
  this.timeout(150_000)
  let service: TestService

  before(async function () {
    this.timeout(120_000)
    service = await startService()
    await service.work(this.test?.ctx, { mailWaitMs: 300 }, { only: ['rows', 'mail'] })
  })
  after(() => service?.close())

  async function given(dovecot: Dovecot) {
    const { call, connections } = await service.workspace()
    const [connection] = connections
    const { account } = await service.db
      .selectFrom('connections')
      .select('account')
      .where('id', '=', connection)
      .executeTakeFirstOrThrow()
    const put = (subject: string, folder?: string) => {
      const head = [`From: ${subject}@client.example`, `To: ${account}`, `Subject: ${subject}`]
      const id = `Message-ID: <${subject}-${connection}@client.example>`
      return dovecot.put(account, [...head, id, '', `${subject}.`, ''].join('\r\n'), folder)
    }
    const isRead = () => givenMailboxes(service, dovecot, [connection])
    return { ...mailboxOf(call, connection), put, isRead }
  }

  it('is read in the Inbox though a mail in Sent cannot be opened', async function () {
    const dovecot = await testDovecot(this)
    const { put, isRead, subjects, told } = await given(dovecot)
    dovecot.makeUnreadable(put('filed', 'Sent'))
    put('Hello')
    await isRead()
    await eventually(subjects, (found) => found.includes('Hello'), 45_000)
    await eventually(
      () => told('message.unreadable'),
      ({ length }) => length === 1,
      60_000,
    )
  })

  it('is read but for the one mail whose file cannot be opened', async function () {
    const dovecot = await testDovecot(this)
    const { put, isRead, subjects, told } = await given(dovecot)
    const files = ['One', 'Two', 'Three', 'Four', 'Five'].map((subject) => put(subject))
    dovecot.makeUnreadable(files[2] as string)
    await isRead()
    const others = ['Five', 'Four', 'One', 'Two']
    await eventually(subjects, (found) => others.every((one) => found.includes(one)), 60_000)
    await eventually(
      () => told('message.unreadable'),
      ({ length }) => length === 1,
      60_000,
    )
  })

  it('is read in every folder, also in one that a rule fills later', async function () {
    const dovecot = await testDovecot(this)
    const { put, isRead, subjects } = await given(dovecot)
    put('First')
    put('Second', 'Clients/North')
    await isRead()
    await eventually(subjects, ({ length }) => length === 2, 45_000)
    put('Third', 'Clients/North')
    await eventually(subjects, ({ length }) => length === 3, 75_000)
    deepEqual(await subjects(), ['First', 'Second', 'Third'])
  })
})
