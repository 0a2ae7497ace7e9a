import { deepEqual, equal } from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { tryLogins } from '../../../activities/ports/mail/try-logins.ts'
import { atEnd } from '../../support/hooks.ts'

// What a login comes to, with servers on this machine that say what a test has them say.

async function listen(greeting: string, answers: (client: Socket, line: string) => void) {
  const server = createServer((client) => {
    client.on('error', () => {})
    client.write(greeting)
    createInterface({ input: client }).on('line', (line) => answers(client, line))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => void server.close())
  const { port } = server.address() as AddressInfo
  return { host: '127.0.0.1', port, secure: false, user: 'ana@firm.example' }
}

const smtp = (
  answer: string,
  greeting = '220 mail.example secret banner\r\n',
  offers = 'AUTH PLAIN',
) =>
  listen(greeting, (client, line) => {
    if (line.startsWith('EHLO')) client.write(`250-mail.example\r\n250 ${offers}\r\n`)
    else if (line.startsWith('AUTH')) client.write(`${answer}\r\n`)
    else client.end('221 Bye\r\n')
  })

const imap = (answer: string, greeting = '* OK [CAPABILITY IMAP4rev1] secret banner\r\n') =>
  listen(greeting, (client, line) => {
    const [tag = '', verb = ''] = line.split(' ')
    if (/^login$/i.test(verb)) client.write(`${tag} ${answer}\r\n`)
    else if (/^logout$/i.test(verb)) client.end(`* BYE\r\n${tag} OK\r\n`)
    else if (/^capability$/i.test(verb))
      client.write(`* CAPABILITY IMAP4rev1\r\n${tag} OK done\r\n`)
    else client.write(`${tag} OK done\r\n`)
  })

const password = 'correct horse battery'
const unreachable = { outcome: 'server_unreachable' }

describe('a login that is tried', function () {
  this.timeout(30_000)

  it('is ok where both servers let it in', async () => {
    const [one, other] = [await smtp('235 2.7.0 Accepted'), await imap('OK welcome')]
    deepEqual(
      await tryLogins({ smtp: { server: one, password }, imap: { server: other, password } }),
      { smtp: { outcome: 'ok' }, imap: { outcome: 'ok' } },
    )
  })

  it('has failed with the words of the server in answer to it, without the password', async () => {
    const [one, other] = [
      await smtp(`535 5.7.8 Wrong password: ${password}`),
      await imap(`NO [AUTHENTICATIONFAILED] Wrong password ${password}`),
    ]
    deepEqual(
      await tryLogins({ smtp: { server: one, password }, imap: { server: other, password } }),
      {
        smtp: {
          outcome: 'login_failed',
          problem: 'wrong_password',
          words: '535 5.7.8 Wrong password: …',
        },
        imap: { outcome: 'login_failed', problem: 'wrong_password', words: 'Wrong password …' },
      },
    )
  })

  it('is ok at a server on this machine that has no users', async () => {
    const one = await smtp('235 2.7.0 Accepted', '220 mail.example\r\n', 'SIZE')
    const it = await tryLogins({ smtp: { server: one, password }, imap: null })
    deepEqual(it, { smtp: { outcome: 'ok' }, imap: null })
  })

  it('is one and the same outcome, whatever else a server is or says', async () => {
    const closed = { host: '127.0.0.1', port: 1, secure: false, user: 'ana' }
    const servers = [
      closed,
      { ...closed, public: true },
      { ...closed, host: 'localhost', public: true },
      { ...closed, host: '10.0.0.1', port: 587, public: true },
      { ...closed, host: '0x7f.1', port: 587, public: true },
      { ...closed, host: 'nowhere.invalid', port: 587, public: true },
      await smtp('', '554 5.7.1 Go away, secret\r\n'),
      await listen('HTTP/1.1 200 OK\r\n\r\n', () => {}),
    ]
    for (const server of servers)
      deepEqual(await tryLogins({ smtp: { server, password }, imap: null }), {
        smtp: unreachable,
        imap: null,
      })
    const readers = [
      closed,
      { ...closed, public: true },
      await imap('', '* BYE secret reasons\r\n'),
      await imap('', '+OK POP3 ready\r\n'),
    ]
    const outcomes = await Promise.all(
      readers.map((server) => tryLogins({ smtp: null, imap: { server, password } })),
    )
    for (const { imap: one } of outcomes) equal(one?.outcome, 'server_unreachable')
  })
})
