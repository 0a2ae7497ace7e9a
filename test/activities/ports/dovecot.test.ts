import { deepEqual, ok, rejects } from 'node:assert/strict'
import { openImap } from '../../../activities/ports/mail/imap.ts'
import { testDovecot } from '../../support/dovecot.ts'

describe('a real Dovecot', function () {
  this.timeout(30_000)

  it('is read, and does not give a mail whose file it cannot open', async function () {
    const dovecot = await testDovecot(this)
    const user = 'ana@us.example'
    const server = { host: '127.0.0.1', port: dovecot.port, secure: false, user }
    const raw = (n: number) =>
      `Subject: Number ${n}\r\nMessage-ID: <${n}@client.example>\r\n\r\nText.\r\n`
    dovecot.put(user, raw(1))
    dovecot.put(user, raw(2), 'INBOX/Clients')
    const mailbox = await openImap(server, 'secret')
    const roles = (await mailbox.folders()).map(({ role, path }) => [role, path])
    deepEqual(roles, [
      ['inbox', 'INBOX'],
      ['sent', 'Sent'],
    ])
    await mailbox.open('INBOX/Clients')
    deepEqual(
      (await mailbox.list(1)).map(({ uid }) => uid),
      [1],
    )
    await mailbox.open('INBOX')
    const news = mailbox.waitForMail(10_000, new AbortController().signal)
    const file = dovecot.put(user, raw(3))
    await news
    const uids = (await mailbox.list(1)).map(({ uid }) => uid)
    ok((await mailbox.fetch(uids, 1_000)).get(2)?.toString().includes('Number 3'))
    dovecot.makeUnreadable(file)
    await rejects(mailbox.fetch(uids, 1_000))
    await mailbox.close()
  })
})
