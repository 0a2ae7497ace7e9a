import { ok } from 'node:assert/strict'
import { givenMailboxes, mailProgram } from '../../support/inbox.ts'
import { type TestMailboxes, testMailboxes } from '../../support/mailboxes.ts'
import { sentFolder } from '../../support/reports.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

const day = 24 * 60 * 60 * 1000

// What is asked of mail servers, and read from them, is of their time, which no CLOCK moves.
describe('a copy in the Sent folder, while the business clock is years behind', function () {
  this.timeout(60_000)
  let service: TestService
  let mail: TestMailboxes

  before(async function () {
    this.timeout(120_000)
    mail = await testMailboxes(this.test?.ctx)
    service = await startService({ now: '2020-01-06T09:00:00.000Z' })
    const only = ['rows', 'send', 'mail'] as const
    await service.work(this.test?.ctx, { mailWaitMs: 300 }, { only })
  })
  after(() => service?.close())

  it('has today as its day, and is read again like any other mail', async () => {
    const { call, connections, id } = await service.workspace({ smtpPort: mail.smtpPort })
    await givenMailboxes(service, mail, connections)
    const { account } = await service.db
      .selectFrom('connections')
      .select('account')
      .where('workspace', '=', id)
      .orderBy('id')
      .executeTakeFirstOrThrow()
    const send = mailProgram(mail)
    await send({ from: 'leo@client.example', to: account, subject: 'Price?', text: 'How much?' })
    const [conversation] = await eventually(
      async () => (await call('GET', '/conversations')).body.conversations,
      (found) => found.length > 0,
      20_000,
    )
    await call('POST', `/conversations/${conversation.id}/messages`, { text: '49 EUR' })

    const sent = await sentFolder(mail, account)
    const [copy] = await eventually(sent.list, (found) => found.length === 1, 45_000)
    await sent.close()
    // GreenMail reads the hour from 12:00 to 12:59 as midnight's (its issue 211).
    ok(copy && Math.abs(Date.now() - copy.arrivedAt.getTime()) < day, String(copy?.arrivedAt))
    await eventually(
      () => service.db.selectFrom('sentEvidence').selectAll().where('workspace', '=', id).execute(),
      (found) => found.length === 1,
      30_000,
    )
  })
})
