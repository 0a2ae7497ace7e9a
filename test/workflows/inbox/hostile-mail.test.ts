import { deepEqual, equal } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { openImap } from '../../../activities/ports/mail/imap.ts'
import { hostileMails } from '../../support/hostile-mails.ts'
import { givenMailboxes, mailProgram } from '../../support/inbox.ts'
import { testMailboxes } from '../../support/mailboxes.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

describe('mail crafted to stop the service', function () {
  this.timeout(240_000)
  let service: TestService

  before(async () => {
    service = await startService()
  })
  after(() => service?.close())

  it('is stored once, and delays neither what follows it nor another workspace', async function () {
    const mail = await testMailboxes(this)
    const target = await service.workspace({ smtpPort: mail.smtpPort })
    const other = await service.workspace({ smtpPort: mail.smtpPort })
    const [connection = ''] = target.connections
    const { account } = await service.db
      .selectFrom('connections')
      .select('account')
      .where('id', '=', connection)
      .executeTakeFirstOrThrow()
    const server = { host: '127.0.0.1', port: mail.imapPort, secure: false, user: account }
    const mailbox = await openImap(server, 'secret')
    const mails = hostileMails()
    for (const { raw } of mails) await mailbox.append('INBOX', raw)
    await mailbox.close()
    await mailProgram(mail)({ from: 'last@client.example', to: account, text: 'After all that.' })
    await givenMailboxes(service, mail, target.connections.slice(0, 1))
    await service.work(this, { mailWaitMs: 300 }, { only: ['rows', 'remote', 'mail'] })

    const stored = () =>
      service.db
        .selectFrom('messages')
        .select(['id', 'subject', 'text'])
        .where('connection', '=', connection)
        .orderBy('seq')
        .execute()
    let reading = true
    const statuses: number[] = []
    const calls = (async () => {
      // A workflow's result answers it: 504 when the worker does not get to it.
      for (; reading; await sleep(100))
        statuses.push((await other.call('POST', '/senders/health/check', {})).status)
    })()
    const all = await eventually(
      stored,
      (found) => found.some(({ text }) => text.trim() === 'After all that.'),
      120_000,
    )
    reading = false
    await calls

    deepEqual(
      statuses.filter((status) => status !== 200),
      [],
    )
    deepEqual(
      all.map(({ subject }) => subject).filter((subject) => subject !== ''),
      mails.map(({ name }) => name),
    )
    for (const { name, readable } of mails) {
      const { id } = all.find(({ subject }) => subject === name) ?? {}
      const { text } = await service.db
        .selectFrom('messages')
        .select('text')
        .where('id', '=', id ?? '')
        .executeTakeFirstOrThrow()
      equal(text.startsWith('This message could not be read'), !readable, name)
    }
  })
})
