import { deepEqual, equal, match, ok } from 'node:assert/strict'
import dns from 'node:dns'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { sql } from 'kysely'
import type { Context } from 'mocha'
import type { Ask } from '../../../activities/ports/mail/discover.ts'
import { certificate, certificateKey, certificateName } from '../../support/certificate.ts'
import { testDovecot } from '../../support/dovecot.ts'
import { guardedSmtp } from '../../support/refusing-mail.ts'
import { startService, type TestService } from '../../support/service.ts'

// An application brings the mailboxes of a large customer along, by their addresses and passwords alone.

const password = 'secret'
const domain = certificateName.replace(/^mail\./, '')
const mailboxes = 100
const atOnce = 10

describe('a hundred mailboxes of a domain', function () {
  this.timeout(590_000)
  let service: TestService
  let smtp: Awaited<ReturnType<typeof guardedSmtp>>
  const asked: string[] = []
  const ends: (() => unknown)[] = []
  /** Sessions at the IMAP server, now and at most. */
  const sessions = { now: 0, most: 0 }
  before(async function () {
    const context = this.test?.ctx as Context
    const dovecot = await testDovecot(context)
    smtp = await guardedSmtp(password)
    await serveTls(context, 993, dovecot.port, sessions)
    await serveTls(context, 465, smtp.port)
    knowHost()
    const askServers: Ask = {
      mx: async () => [],
      async srv(name) {
        asked.push(name)
        const port = { _imaps: 993, _submissions: 465 }[name.split('.')[0] ?? '']
        return port ? [{ name: certificateName, port, priority: 0, weight: 0 }] : []
      },
      document: async () => undefined,
    }
    service = await startService()
    await service.work(context, { askServers }, { only: ['rows', 'remote'] })
  })
  after(async () => {
    await service?.close()
    for (const end of ends.reverse()) await end()
  })

  it('are found, tried and kept, each once, at the pace that Retry-After gives', async () => {
    const { id, member, call } = await service.workspace()
    const admin = await service.administration({ workspace: id })
    const at = `/workspaces/${id}/connections`
    let waitedSeconds = 0
    let refusals = 0
    // The tries are counted in real time: what is waited for is added to their age. Whoever is refused meanwhile waits along.
    let passing: Promise<unknown> | undefined
    const pass = async (seconds: number) => {
      passing ??=
        sql`update verifications set created_at = created_at - ${seconds} * interval '1 s'`
          .execute(service.db)
          .finally(() => {
            waitedSeconds += seconds
            passing = undefined
          })
      await passing
    }
    const add = async (n: number) => {
      const account = `box-${n}@${domain}`
      const body = { account, member, password, discover: true }
      const key = `mailbox-${n}-of-${id}`
      for (;;) {
        const before = waitedSeconds
        const reply = await admin.call('POST', at, body, { key })
        // A call that is answered too late is asked again with its key, as clients do.
        if (reply.status >= 500 || reply.body.code === 'idempotency_in_progress') continue
        if (reply.status !== 429) return { body, key, reply }
        equal(reply.body.code, 'rate_limited')
        const seconds = Number(reply.headers.get('retry-after'))
        ok(seconds >= 1 && seconds <= 60, String(seconds))
        refusals++
        if (before === waitedSeconds) await pass(seconds)
      }
    }
    const numbers = Array.from({ length: mailboxes }, (_, n) => n)
    const done: Awaited<ReturnType<typeof add>>[] = []
    const lane = async () => {
      for (let n = numbers.shift(); n !== undefined; n = numbers.shift()) done.push(await add(n))
    }
    await Promise.all(Array.from({ length: atOnce }, lane))
    for (const { reply } of done) {
      equal(reply.status, 200, reply.text)
      deepEqual(reply.body.verified, { smtp: 'ok', imap: 'ok' })
      match(reply.body.connection.id, /^con_/)
      equal(reply.body.found.source, 'srv')
    }
    // Ten a minute: the ninth wait is over nine minutes after the first try.
    ok(waitedSeconds > 400 && waitedSeconds < 700, `${waitedSeconds} s in ${refusals} refusals`)
    // Three are tried at once, and the sessions of three before them may still be closing.
    ok(sessions.most <= 6, `${sessions.most} sessions at once`)
    equal(asked.filter((name) => name === `_imaps._tcp.${domain}`).length, mailboxes)
    equal(smtp.logins.length, mailboxes)

    const ids = done.map(({ reply }) => reply.body.connection.id).sort()
    equal(new Set(ids).size, mailboxes)
    for (const { body, key, reply } of done.slice(0, 10)) {
      const again = await admin.call('POST', at, body, { key })
      deepEqual([again.status, again.text], [200, reply.text])
    }
    await pass(60)
    const [first] = done
    const twice = await admin.call('POST', at, first?.body)
    deepEqual(
      [twice.status, twice.body.code, twice.body.connection],
      [409, 'conflict', first?.reply.body.connection.id],
    )
    equal(smtp.logins.length, mailboxes)
    const { channels } = (await call('GET', '/channels')).body
    const kept = channels.filter(({ account }: { account: string }) => account.endsWith(domain))
    deepEqual(kept.map((one: { id: string }) => one.id).sort(), ids)
    ok(kept.every((one: { alive: boolean; problem: unknown }) => one.alive && !one.problem))
  })

  /** The one name of the certificate leads to this machine, and what it signs is trusted. */
  function knowHost() {
    const { lookup } = dns
    const known = getCACertificates()
    setDefaultCACertificates([...known, certificate])
    const ours = (host: string, options: unknown, callback?: unknown) => {
      const name = host === certificateName ? '127.0.0.1' : host
      // biome-ignore lint/suspicious/noExplicitAny: its overloads are passed on as they are.
      return (lookup as any)(name, options, callback)
    }
    dns.lookup = ours as typeof lookup
    ends.push(() => {
      dns.lookup = lookup
      setDefaultCACertificates(known)
    })
  }

  /** TLS at a port of mail, in front of a server without it. Pending where such a port cannot be had. */
  async function serveTls(
    context: Context,
    port: number,
    behind: number,
    count = { now: 0, most: 0 },
  ) {
    const open = new Set<Socket>()
    const server = createServer({ key: certificateKey, cert: certificate }, (socket) => {
      const other = connect(behind, '127.0.0.1')
      count.most = Math.max(count.most, ++count.now)
      socket.on('close', () => {
        count.now--
        other.destroy()
      })
      for (const one of [socket, other]) {
        open.add(one)
        one.on('error', () => one.destroy())
        one.on('close', () => open.delete(one))
      }
      other.on('close', () => socket.destroy())
      socket.pipe(other).pipe(socket)
    })
    server.listen(port, '127.0.0.1')
    const [problem] = await Promise.race([
      once(server, 'listening'),
      new Promise<Error[]>((resolve) => server.once('error', (error) => resolve([error]))),
    ])
    if (problem) return context.skip()
    ends.push(() => {
      for (const one of open) one.destroy()
      server.close()
    })
  }
})
