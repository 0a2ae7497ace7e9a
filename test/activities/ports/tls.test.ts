import { deepEqual, equal, ok, rejects, throws } from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { openCalendar } from '../../../activities/ports/calendar/caldav.ts'
import { openImap } from '../../../activities/ports/mail/imap.ts'
import { seal } from '../../../db/secrets.ts'
import { parseConfig } from '../../../process/config.ts'
import { isInClear, isLoopback } from '../../../process/network/loopback.ts'
import { certificate, certificateKey, certificateName } from '../../support/certificate.ts'
import { secretKey } from '../../support/given.ts'
import { startReceiver } from '../../support/receiver.ts'
import { startService, type TestService } from '../../support/service.ts'

// 0.0.0.0 leads to this machine too, but by its number it may be any: what counts for it counts for a host far away.
const elsewhere = '0.0.0.0'
const here = '127.0.0.1'

describe('a password', function () {
  this.timeout(60_000)
  let service: TestService
  const ends: (() => unknown)[] = []
  before(async function () {
    service = await startService()
    const deps = { lookUpTxt: async () => [] }
    await service.work(this.test?.ctx, deps, { only: ['rows', 'send', 'remote', 'mail'] })
  })
  after(() => service.close())
  afterEach(() => Promise.all(ends.splice(0).map((end) => end())))

  /** A mail server, and who has logged in to it. */
  async function smtpServer(options: SMTPServerOptions) {
    const users: string[] = []
    const server = new SMTPServer({
      authOptional: true,
      allowInsecureAuth: true,
      disableReverseLookup: true,
      onAuth({ username = '' }, _, callback) {
        users.push(username)
        callback(null, { user: username })
      },
      ...options,
    })
    server.on('error', () => {})
    server.listen(0, here)
    await once(server.server, 'listening')
    ends.push(() => new Promise<void>((resolve) => server.close(() => resolve())))
    return { port: (server.server.address() as AddressInfo).port, users }
  }
  const plain: SMTPServerOptions = { disabledCommands: ['STARTTLS'] }
  const ownSigned: SMTPServerOptions = { key: certificateKey, cert: certificate }

  /** What a check of the account's health finds. */
  async function checked(port: number, smtp: object) {
    const { call, connections } = await service.workspace()
    await service.db
      .updateTable('connections')
      .set({ smtp: JSON.stringify({ port, secure: false, user: 'ana', ...smtp }) })
      .where('id', '=', connections[0])
      .execute()
    equal((await call('POST', '/senders/health/check', {})).status, 200)
    const { channels } = (await call('GET', '/channels')).body
    const { alive, problem } = channels.find(({ id }: { id: string }) => id === connections[0])
    return { alive, problem }
  }
  const refused = { alive: false, problem: 'smtp_tls' }
  const taken = { alive: true, problem: null }

  it('is not sent to a mail server elsewhere that offers no TLS', async () => {
    const { port, users } = await smtpServer(plain)
    deepEqual(await checked(port, { host: elsewhere }), refused)
    deepEqual(users, [])
  })

  it('is not sent to one on this machine either where the file says that TLS is required', async () => {
    const { port, users } = await smtpServer(plain)
    deepEqual(await checked(port, { host: here, tls: 'required' }), refused)
    deepEqual(users, [])
  })

  it('is sent in the clear to this machine, and where the file says so', async () => {
    const { port, users } = await smtpServer(plain)
    deepEqual(await checked(port, { host: here }), taken)
    deepEqual(await checked(port, { host: elsewhere, tls: 'none' }), taken)
    deepEqual(users, ['ana', 'ana'])
  })

  it('is sent only under a certificate that verifies', async () => {
    const { port, users } = await smtpServer(ownSigned)
    deepEqual(await checked(port, { host: elsewhere }), refused)
    // Rows of earlier versions may ask for what no file can say any more.
    const unverified = { host: elsewhere, tls: { rejectUnauthorized: false } }
    deepEqual(await checked(port, unverified), refused)
    const otherName = { host: elsewhere, tls: { ca: certificate, servername: 'other.example' } }
    deepEqual(await checked(port, otherName), refused)
    deepEqual(users, [])
    const verified = { ca: certificate, servername: certificateName }
    deepEqual(await checked(port, { host: elsewhere, tls: verified }), taken)
    deepEqual(users, ['ana'])
  })

  it('is not sent to a mailbox elsewhere without TLS', async () => {
    const { port, lines } = await imapServer()
    const server = { port, secure: false, user: 'ana' }
    await rejects(openImap({ ...server, host: elsewhere }, 'S3cret'), { code: 'imap_tls' })
    const required = { ...server, host: here, tls: 'required' as const }
    await rejects(openImap(required, 'S3cret'), { code: 'imap_tls' })
    ok(!/LOGIN|AUTHENTICATE|S3cret/i.test(lines.join('\n')), lines.join('\n'))
    for (const allowed of [{ host: here }, { host: elsewhere, tls: 'none' as const }])
      await (await openImap({ ...server, ...allowed }, 'S3cret')).close()
    equal(lines.filter((line) => /LOGIN|AUTHENTICATE/i.test(line)).length, 2)
  })

  /** As much of IMAP as a login takes, and what it was told. */
  async function imapServer() {
    const lines: string[] = []
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.write('* OK [CAPABILITY IMAP4rev1] here\r\n')
      socket.on('data', (data) => {
        for (const line of data.toString().split('\r\n').filter(Boolean)) {
          lines.push(line)
          const [tag, command] = line.split(' ')
          if (command === 'CAPABILITY') socket.write('* CAPABILITY IMAP4rev1\r\n')
          if (command === 'NAMESPACE') socket.write('* NAMESPACE (("" "/")) NIL NIL\r\n')
          socket.write(`${tag} OK done\r\n`)
        }
      })
    })
    server.listen(0, here)
    await once(server, 'listening')
    ends.push(() => server.close())
    return { port: (server.address() as AddressInfo).port, lines }
  }

  it('is sent to a calendar over http only on this machine', async () => {
    const receiver = await startReceiver([404])
    const secrets = seal(secretKey, { caldav: 'S3cret' }, { in: 'calendars.secrets', id: 'cal_1' })
    const calendar = (host: string, more: object = {}) =>
      openCalendar(secretKey, {
        id: 'cal_1',
        workspace: 'wsp_1',
        member: 'mem_1',
        timezone: 'UTC',
        secrets,
        caldav: { url: `http://${host}:${receiver.port}/ana/`, user: 'ana', ...more },
      } as never)
    throws(() => calendar(elsewhere), { code: 'caldav_tls' })
    await calendar(here).remove('a')
    await calendar(elsewhere, { tls: 'none' }).remove('a')
    equal(receiver.got.length, 2)
  })

  it('and the key of a model go over https, except to this machine or where the operator allows it', () => {
    const start = (env: object) => () => parseConfig({ MODEL_NAME: 'm', MODEL_KEY: 'k', ...env })
    throws(start({ MODEL_URL: 'http://model:8080/v1' }), /MODEL_URL: must be https/)
    for (const env of [
      { MODEL_URL: 'http://model:8080/v1', MODEL_TLS: 'none' },
      { MODEL_URL: 'http://model:8080/v1', MODEL_KEY: '' },
      { MODEL_URL: 'http://localhost:8080/v1' },
      { MODEL_URL: 'https://model.example/v1' },
    ])
      ok(start(env)())
  })

  it('counts as sent to this machine for loopback addresses and the name localhost', () => {
    for (const host of ['127.0.0.1', '127.8.9.10', '::1', '[::1]', 'localhost', 'LocalHost'])
      ok(isLoopback(host), host)
    for (const host of [
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      '0.0.0.0',
      '::',
      'a',
      '',
    ])
      ok(!isLoopback(host), host)
    ok(!isInClear('http://[::1]/'))
    ok(isInClear('http://[::2]/'))
  })
})
