import { deepEqual, equal, rejects } from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { openImap } from '../../../activities/ports/mail/imap.ts'
import { openSmtp } from '../../../activities/ports/mail/smtp.ts'
import { atEnd } from '../../support/hooks.ts'

// What the servers of Google, Microsoft and others say to a login with a token, word for word.

type Answers = (client: Socket, line: string) => void

async function listen(greeting: string, answers: Answers) {
  const server = createServer((client) => {
    client.on('error', () => {})
    client.write(greeting)
    createInterface({ input: client }).on('line', (line) => answers(client, line))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => void server.close())
  const { port } = server.address() as AddressInfo
  return { host: '127.0.0.1', port, secure: false }
}

const login = { user: 'ana@firm.example', accessToken: 'token' }

/** Answers the login by `first`, and whatever is said after that by `second`. */
function smtp(first: string, second = '', offers = '250 AUTH LOGIN PLAIN XOAUTH2') {
  let asked = 0
  return listen('220 mail.example\r\n', (client, line) => {
    if (line.startsWith('EHLO')) client.write(`250-mail.example\r\n${offers}\r\n`)
    else if (line.startsWith('QUIT')) client.end('221 Bye\r\n')
    else {
      client.write([first, second][Math.min(asked++, 1)] ?? '')
      if (/^421|^$/.test(first)) client.end()
    }
  })
}

function imap(first: string, offers = 'IMAP4rev1 SASL-IR AUTH=XOAUTH2') {
  let tag = ''
  return listen(`* OK [CAPABILITY ${offers}] ready\r\n`, (client, line) => {
    const [given = '', command = ''] = line.split(' ')
    if (/^logout$/i.test(command)) return client.end(`* BYE\r\n${given} OK\r\n`)
    if (/^capability$/i.test(command))
      return client.write(`* CAPABILITY ${offers}\r\n${given} OK\r\n`)
    if (/^(id|noop)$/i.test(command)) return client.write(`${given} OK\r\n`)
    if (/^authenticate$/i.test(command)) {
      tag = given
      if (first.startsWith('+')) return client.write(`${first.split('\n')[0]}\r\n`)
    }
    const said = first.split('\n').at(-1) ?? ''
    if (said.startsWith('*') || said === '') return client.end(said && `${said}\r\n`)
    return client.write(`${tag} ${said}\r\n`)
  })
}

const challenge =
  'eyJzdGF0dXMiOiI0MDAiLCJzY2hlbWVzIjoiQmVhcmVyIiwic2NvcGUiOiJodHRwczovL21haWwuZ29vZ2xlLmNvbS8ifQ=='

describe('an answer to a login with a token over SMTP', () => {
  const bad =
    '535-5.7.8 Username and Password not accepted. For more information, go to\r\n535 5.7.8  https://support.google.com/mail/?p=BadCredentials\r\n'
  for (const [what, first, second] of [
    ['of Google, over two lines after its challenge', `334 ${challenge}\r\n`, bad],
    ['of Google, at once', bad, ''],
    ['after an empty challenge', '334 \r\n', '535 5.7.8 No\r\n'],
    ['of Microsoft', '535 5.7.3 Authentication unsuccessful [AM0PR01CA0001.eurprd01]\r\n', ''],
    [
      'of Microsoft, whose SMTP is off',
      '535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Mailbox.\r\n',
      '',
    ],
  ] as const)
    it(`${what}, refuses the token`, async () => {
      const settings = await smtp(first, second)
      await rejects(openSmtp(settings, login), { code: 'smtp_login_refused', failure: 'refused' })
    })

  for (const [what, first, code, failure] of [
    [
      'of too many logins',
      '454 4.7.0 Too many login attempts, please try again later.\r\n',
      'smtp_error_454',
      'passing',
    ],
    [
      'of too many sessions',
      '421 4.7.0 Too many concurrent SMTP connections; please try again later.\r\n',
      'smtp_error_421',
      'passing',
    ],
    [
      'of a server that is busy',
      '432 4.3.2 Concurrent connections limit exceeded.\r\n',
      'smtp_error_432',
      'passing',
    ],
    ['of nothing, but the end of the connection', '', 'smtp_unreachable', 'unreachable'],
  ] as const)
    it(`${what}, says nothing of the token`, async () => {
      const settings = await smtp(first)
      await rejects(openSmtp(settings, login), { code, failure })
    })

  it('that lets it in over two lines is one', async () => {
    const settings = await smtp('235-2.7.0 Welcome\r\n235 2.7.0 Accepted\r\n')
    const session = await openSmtp(settings, login)
    equal(session.isOver(), false)
    session.close()
  })

  it('that cannot be given, as the server offers no login or none with tokens, is a refusal', async () => {
    const unknown = '504 5.5.4 Unrecognized authentication type\r\n'
    for (const offers of ['250 SIZE 1000', '250 AUTH LOGIN PLAIN']) {
      const settings = await smtp(unknown, '', offers)
      await rejects(openSmtp(settings, login), { code: 'smtp_login_refused', failure: 'refused' })
    }
  })
})

describe('an answer to a login with a token over IMAP', () => {
  for (const [what, said] of [
    ['of Google', `+ ${challenge}\nNO [AUTHENTICATIONFAILED] Invalid credentials (Failure)`],
    ['of Microsoft', 'NO AUTHENTICATE failed.'],
    ['of a server that knows no such tokens', 'BAD Invalid SASL argument'],
  ] as const)
    it(`${what}, refuses the token`, async () => {
      await rejects(openImap(await imap(said), login), { code: 'imap_login_refused' })
    })

  for (const [what, said, code] of [
    [
      'of too many sessions at Google',
      'NO [ALERT] Too many simultaneous connections. (Failure)',
      'imap_too_many_sessions',
    ],
    [
      'of a server that is away',
      'NO [UNAVAILABLE] Temporary authentication failure.',
      'imap_unavailable',
    ],
    ['of a limit', 'NO [LIMIT] Maximum number of connections reached', 'imap_too_many_sessions'],
    ['of Microsoft, busy', 'NO Server Unavailable. 15', 'imap_unavailable'],
    ['of a session that ends', '* BYE Connection is closed. 13', 'imap_unreachable'],
    ['of nothing, but the end of the connection', '', 'imap_unreachable'],
  ] as const)
    it(`${what}, says nothing of the token`, async () => {
      await rejects(openImap(await imap(said), login), { code })
    })

  it('that cannot be given, as the server takes no tokens, is a refusal', async () => {
    const settings = await imap('OK', 'IMAP4rev1 AUTH=PLAIN')
    await rejects(openImap(settings, login), { code: 'imap_login_refused' })
  })

  it('that ends the session in the midst of the greeting is none', async () => {
    const settings = await listen('* BYE Too many connections\r\n', () => {})
    const { code } = await openImap(settings, login).then(
      () => ({ code: 'open' }),
      (error) => error,
    )
    deepEqual(code, 'imap_too_many_sessions')
  })
})
