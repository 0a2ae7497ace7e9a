import { deepEqual, equal, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { inUrls, privateHosts, publicHosts } from '../../support/private-hosts.ts'
import { type Reply, startService, type TestService } from '../../support/service.ts'

// Whatever names a host: none of some thousand spellings leads to this machine or its networks.

describe('a private host', function () {
  this.timeout(580_000)
  let service: TestService
  let port: number
  let connected = 0
  const listener = createServer((socket) => {
    connected++
    socket.destroy()
  })
  before(async () => {
    service = await startService({
      ...{ webhookAllowPrivate: false, mailAllowPrivate: false, ownLinks: true },
      // The page is this machine's own.
      returnOrigins: ['https://app.example.com'],
    })
    listener.listen(0)
    await once(listener, 'listening')
    port = (listener.address() as AddressInfo).port
  })
  after(async () => {
    listener.close()
    await service.close()
  })

  const all = privateHosts()

  /** Asks for each, some at a time, and lists those that are not refused as they should be. */
  async function eachRefused<T>(items: T[], ask: (item: T) => Promise<string | undefined>) {
    const passed: string[] = []
    const left = items.entries()
    const work = async () => {
      for (const [, item] of left) {
        const wrong = await ask(item)
        if (wrong !== undefined) passed.push(`${JSON.stringify(item)}: ${wrong}`)
      }
    }
    await Promise.all(Array.from({ length: 6 }, work))
    deepEqual(passed.slice(0, 30), [])
  }

  const codes = [
    'private_address',
    'invalid_value',
    'validation_failed',
    'invalid_format',
    'custom',
    'too_big',
  ]
  const refused = ({ status, body, text }: Reply, pointer: RegExp) =>
    status === 422 &&
    body.errors?.every(
      (one: { pointer: string; code: string }) =>
        pointer.test(one.pointer) && codes.includes(one.code),
    )
      ? undefined
      : `${status} ${text.slice(0, 200)}`

  it('is one of some thousand', () => ok(all.length > 5_000, `${all.length}`))

  it('is refused by POST /webhooks, also with a user or a port', async () => {
    const { call } = await service.workspace()
    const urls = inUrls(all, port)
    await eachRefused(urls, async (url) =>
      refused(await call('POST', '/webhooks', { url }), /^\/url$/),
    )
    equal((await call('GET', '/webhooks')).body.webhooks.length, 0)
    for (const url of inUrls(publicHosts, 443).filter((url) => !url.includes('@')))
      equal((await call('POST', '/webhooks', { url })).status, 200, url)
  })

  it('is refused by POST …/connections, for SMTP and IMAP, before anything is tried', async () => {
    const { id, member } = await service.workspace()
    const { call } = await service.administration({ workspace: id })
    await eachRefused([...all.entries()], async ([i, host]) => {
      const kind = i % 2 === 0 ? 'smtp' : 'imap'
      const other = kind === 'smtp' ? 'imap' : 'smtp'
      const body = {
        ...{ account: `a${i}@firm.example`, member, password: 'x' },
        ...{ [kind]: { host }, [other]: { host: 'mail.firm.example' } },
      }
      return refused(
        await call('POST', `/workspaces/${id}/connections`, body),
        new RegExp(`^/${kind}/host$`),
      )
    })
    equal((await service.db.selectFrom('verifications').selectAll().execute()).length, 0)
  })

  it('is refused by PUT of a workspace, each by its pointer', async () => {
    const { id, member } = await service.workspace()
    const { call } = await service.administration({ workspace: id })
    const document = (await call('GET', `/workspaces/${id}`)).body
    const put = (hosts: string[], plan = false) => {
      const connections = hosts.map((host, i) => ({
        ...{ id: `con_put_${i}_${id}`, kind: 'email', account: `p${i}@firm.example`, member },
        ...(i % 2 === 0
          ? { smtp: { host, port: 465, password: 'x' } }
          : { imap: { host, port: 993, password: 'x' } }),
      }))
      const body = { ...document, connections }
      return call('PUT', `/workspaces/${id}${plan ? '?plan=true' : ''}`, body)
    }
    const pages = Array.from({ length: Math.ceil(all.length / 40) }, (_, i) =>
      all.slice(i * 40, i * 40 + 40),
    )
    await eachRefused(pages, async (hosts) => {
      const answer = await put(hosts)
      const wrong = refused(answer, /^\/connections\/\d+\/(smtp|imap)\/host$/)
      if (wrong) return wrong
      const named = new Set(
        answer.body.errors.map(({ pointer }: { pointer: string }) => Number(pointer.split('/')[2])),
      )
      const missing = hosts.filter((_, i) => !named.has(i))
      return missing.length > 0 ? `passed: ${JSON.stringify(missing)}` : undefined
    })
    const fine = await put(publicHosts, true)
    equal(fine.status, 200, fine.text.slice(0, 500))
  })

  it('is refused by the page for the owner of a mailbox', async () => {
    const { id, member } = await service.workspace()
    const { call } = await service.administration({ workspace: id })
    const some = all.filter((_, i) => i % 8 === 0)
    const { url } = (await call('POST', `/workspaces/${id}/links`, { member })).body
    const first = await fetch(url)
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? ''
    await eachRefused([...some.entries()], async ([i, host]) => {
      const form = {
        ...{ account: `l${i}@firm.example`, user: 'x', password: 'x', step: 'login' },
        ...{
          imapHost: host,
          imapPort: '993',
          smtpHost: i % 2 ? host : 'mail.firm.example',
          smtpPort: '465',
        },
      }
      const answer = await fetch(url, {
        ...{ method: 'POST', headers: { cookie }, redirect: 'manual' },
        body: new URLSearchParams(form),
      })
      const text = await answer.text()
      return answer.status === 422 && text.includes('aria-invalid')
        ? undefined
        : `${answer.status} ${text.slice(0, 300)}`
    })
    equal((await service.db.selectFrom('verifications').selectAll().execute()).length, 0)
  })

  it('gets no packet of ours', () => equal(connected, 0))
})
