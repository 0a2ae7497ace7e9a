import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import PostalMime from 'postal-mime'
import { receiveMessage } from '../../../db/inbox/receive-message.ts'
import { readMail } from '../../../rules/mail/read.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { eventually, type SharedService, sharedService } from '../../support/service.ts'

// Characters that would break a line, or reverse its direction.
const odd = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
const encoded = (text: string) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`

describe('subjects, names and addresses', function () {
  this.timeout(60_000)
  let service: SharedService
  let mail: MailSink
  before(async function () {
    this.timeout(120_000)
    mail = await testMail()
    service = await sharedService(this.test?.ctx)
  })

  async function room() {
    const workspace = await service.workspace({ smtpPort: mail.smtpPort })
    const { id, connections } = workspace
    const receive = (from: { name: string; address: string }, subject = 'A question') =>
      service.db.transaction().execute((trx) =>
        receiveMessage(
          trx,
          {
            workspace: id,
            connection: connections[0],
            externalId: `<${randomUUID()}@c>`,
            from,
            to: 'ana@us.example',
            subject,
            text: 'He\x1b[31mllo\u202e\n\tthere\u0000',
            ...{ at: service.clock.now(), references: [], files: [], automated: false },
          },
          service.clock.now(),
        ),
      )
    return { ...workspace, receive }
  }

  it('of mail contain nothing that breaks a line, however it was encoded', async () => {
    const broken = 'Hello\r\nBcc: eve@evil.example\x1b[2J\u0085\u2028\u202etfarD'
    const raw = [
      `From: ${encoded(`Eve\r\nX: y\x07`)} <eve@client.example>`,
      `To: ${encoded('An\na')} <ana@us.example>`,
      `Subject: ${encoded(broken)}`,
      'Message-ID: <a@client.example>',
      '',
      'Red: \x1b[31m, bell: \x07, tab:\there.',
    ]
    const read = await readMail(Buffer.from(raw.join('\r\n')), new Date())
    equal(read.subject, 'Hello Bcc: eve@evil.example [2J tfarD')
    equal(read.from.name, 'Eve X: y')
    equal(read.text, 'Red: [31m, bell: , tab:\there.')
    const unreadable = await readMail(
      Buffer.from(`Subject: a\x1bb\r\n\r\n${'x'.repeat(10)}`),
      new Date(),
    )
    ok(!odd.test(unreadable.subject))
  })

  it('that arrived malformed go out in headers of one line each, to nobody else', async () => {
    const { call, receive } = await room()
    const address = `cleo-${randomUUID()}@client.example`
    const subject = 'A\r\nBcc: eve@evil.example\r\n\r\nbody\x1b[2J\u202e'
    const { conversation } = await receive({ name: 'Cleo\r\nX: y\x1b\u2066', address }, subject)
    const read = (await call('GET', `/conversations/${conversation}`)).body
    const [message] = (await call('GET', `/conversations/${conversation}/messages`)).body.messages
    const { people } = (await call('GET', '/people')).body
    for (const line of [read.subject, people[0].name])
      ok(typeof line === 'string' && line !== '' && !odd.test(line), JSON.stringify(line))
    equal(message.text, 'He[31mllo\u202e\n\tthere')
    await call('POST', `/conversations/${conversation}/messages`, { text: 'Yes.' })
    const [sent] = await eventually(
      async () => mail.messages().filter(({ to }) => to.includes(address)),
      ({ length }) => length === 1,
    )
    equal(sent?.to.length, 1)
    const parsed = await PostalMime.parse(sent?.raw ?? '')
    equal(parsed.subject, 'Re: A Bcc: eve@evil.example body [2J')
    deepEqual(
      parsed.headers.filter(({ key }) => ['bcc', 'x', 'cc'].includes(key)),
      [],
    )
  })

  it('that clients give for people are single lines too', async () => {
    const { call } = await room()
    const name = 'Eve\r\nBcc: a@b.example\x1b'
    const email = `eve-${randomUUID()}@client.example`
    const made = (await call('POST', '/people', { name, company: 'A\u2028B', email })).body
    deepEqual([made.name, made.company], ['Eve Bcc: a@b.example ', 'A B'])
    const edited = (await call('PATCH', `/people/${made.id}`, { jobTitle: 'C\x07D' })).body
    equal(edited.jobTitle, 'C D')
  })

  it('go to the person the header names, whatever the address contains', async () => {
    const { call, receive } = await room()
    const tag = randomUUID().slice(0, 8)
    const others = ['b', 'c', 'd', 'x', 'y'].map((name) => `${name}@${tag}.example`)
    const [b, c, d, x, y] = others as [string, string, string, string, string]
    const plain = [`good@${tag}.example`, `o'hara+1@${tag}.example`, `gut@müller-${tag}.example`]
    const addresses = [
      ...plain,
      ...[
        `"a,b"@${tag}.example`,
        `a,${b}`,
        `"a ${c}>, <x"@${tag}.example`,
        `a@evil.example>, ${c}`,
      ],
      ...[
        `"a\\"b"@${tag}.example`,
        `"a\\\\"@${tag}.example`,
        `a..b@${tag}.example`,
        `.a@${tag}.example`,
      ],
      ...[
        `(${d})a@${tag}.example`,
        `group:${x};`,
        `group:a@q.example,${x};`,
        `a;${y}`,
        `a@[127.0.0.1]`,
      ],
      ...[
        `<${b}>`,
        `a@b@${tag}.example`,
        `=?utf-8?Q?a,b?=@${tag}.example`,
        `a\t${d}`,
        `jörg@${tag}.example`,
      ],
    ]
    const operations: string[] = []
    const write = async (conversation: string, text: string) => {
      const key = randomUUID()
      const path = `/conversations/${conversation}/messages`
      if ((await call('POST', path, { text }, { key })).status !== 200) return
      operations.push(key)
      await eventually(
        async () => (await call('GET', `/operations/${key}`)).body,
        ({ state }) => ['done', 'failed'].includes(state),
        30_000,
      )
    }
    const usual = await receive({ name: '', address: `usual@${tag}.example` })
    for (const address of addresses) {
      const { conversation } = await receive({ name: '', address })
      await write(conversation, 'Hi.')
      // An account whose letters are refused one after the other rests.
      await write(usual.conversation, 'In between.')
    }
    ok(operations.length >= plain.length + addresses.length)
    const sent = mail.messages().filter(({ raw }) => raw.includes('Hi.'))
    for (const { to, raw } of sent) {
      equal(to.length, 1)
      const head = (await PostalMime.parse(raw)).to ?? []
      deepEqual(
        head.flatMap(({ address }) => (address ? [inAscii(address)] : [])),
        to.map(inAscii),
        raw.slice(0, 400),
      )
      ok(!others.some((other) => to.includes(other) && !addresses.includes(`<${other}>`)), to[0])
    }
    for (const address of plain)
      ok(
        sent.some(({ to }) => inAscii(to[0] ?? '') === inAscii(address)),
        address,
      )
    // With and without quotes it is the same address.
    equal(sent.filter(({ to }) => to.includes(`"a,b"@${tag}.example`)).length, 2)
  })
})

const inAscii = (address: string) => {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  const ascii = URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : domain
  return `${address.slice(0, at)}@${ascii}`
}
