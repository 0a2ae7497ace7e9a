import { deepEqual, equal, ok } from 'node:assert/strict'
import { openImap } from '../../../activities/ports/mail/imap.ts'
import { startImapProcess } from '../../support/imap-server/start-process.ts'

describe('a scripted IMAP server in a process of its own', function () {
  this.timeout(20_000)

  it('delivers, counts and follows another table as it is told', async () => {
    const server = await startImapProcess({ profile: 'yahoo' })
    const users = Array.from({ length: 20 }, (_, i) => `user-${i}@us.example`)
    const { port } = server
    const boxes = await Promise.all(
      users.map((user) => openImap({ host: '127.0.0.1', port, secure: false, user }, 'secret')),
    )
    await Promise.all(boxes.map((box) => box.open('INBOX')))
    const [first, second] = boxes
    ok(first && second)
    const news = first.waitForMail(10_000, new AbortController().signal)
    const raw = 'Subject: News\r\n\r\nText.\r\n'
    deepEqual(await server.tell('deliver', [{ login: 'user-0@us.example', raw }]), { uids: [1] })
    await news
    equal((await first.list(1)).length, 1)
    const counted = await server.tell('counts', {})
    deepEqual([counted.mailboxes, counted.sessions, counted.commands['SELECT']], [20, 20, 20])
    const own = await server.tell('counts', { login: 'user-1@us.example' })
    deepEqual([own.commands['LOGIN'], own.commands['IDLE']], [1, undefined])
    await server.tell('rows', [{ verb: 'FETCH', answer: { leaveOut: 'all' } }])
    equal((await first.list(1)).length, 0)
    await Promise.all(boxes.map((box) => box.close()))
    await server.stop()
  })
})
