import { deepEqual, equal, ok } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { openImap } from '../../activities/ports/mail/imap.ts'
import { reap } from '../../dev/stack/processes.ts'
import { atEnd } from '../support/hooks.ts'
import { mailProgram } from '../support/inbox.ts'
import { type TestMailboxes, testMailboxes } from '../support/mailboxes.ts'
import { caller, eventually } from '../support/service.ts'

// A whole letter through `npm start`: to a mail program, and back as a reply.

const root = join(import.meta.dirname, '../..')
const account = 'joe@acme.example'
const image = () => ({ type: 'image/png', content: randomBytes(2_000) })
const images = [
  { name: 'logo.png', ...image() },
  { name: 'chart.png', ...image() },
]
const files = ['見積書.pdf', '契約書 最終版.pdf', `${'長い名前'.repeat(49)}.pdf`].map((name) => ({
  name,
  type: 'application/pdf',
  content: randomBytes(20_000),
}))

const workspaceFile = ({ smtpPort, imapPort }: TestMailboxes) => `
workspace: { id: wsp_acme, name: Acme, timezone: Europe/Berlin }
members: [{ id: mem_joe, name: Joe, email: ${account} }]
connections:
  - { id: con_joe, kind: email, account: ${account}, member: mem_joe,
      smtp: { host: 127.0.0.1, port: ${smtpPort} },
      imap: { host: 127.0.0.1, port: ${imapPort}, secure: false, user: ${account}, password: secret } }
`

describe('a whole letter through npm start', function () {
  this.timeout(240_000)
  let mail: TestMailboxes
  let child: ChildProcess
  let out = ''
  before(async function () {
    mail = await testMailboxes(this.test?.ctx)
    const folder = mkdtempSync(join(tmpdir(), 'postroom-letter-'))
    atEnd(async () => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'acme.yml')
    writeFileSync(path, workspaceFile(mail))
    const ports = ['PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT', 'MAIL_SMTP_PORT', 'MAIL_HTTP_PORT']
    child = spawn(process.execPath, [join(root, 'dev/up.ts')], {
      env: {
        ...process.env,
        ...Object.fromEntries(ports.map((name) => [name, '0'])),
        ...{ DATA_DIR: join(folder, 'data'), WORKSPACE_FILE: path },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    reap(child)
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => {
        out += text
      })
    await eventually(
      async () => out,
      (text) => text.includes('Ctrl-C stops everything.') || child.exitCode !== null,
      200_000,
    )
    equal(child.exitCode, null, out)
  })
  after(async () => {
    if (!child || child.exitCode !== null) return
    child.kill('SIGINT')
    await once(child, 'exit')
  })

  it('arrives whole, is filed byte for byte, and is answered with a file', async () => {
    const call = caller(
      /API +(\S+)\/api\/v1/.exec(out)?.[1] ?? '',
      /\bprm_\w+/.exec(out)?.[0] ?? '',
    )
    const [to, cc, bcc] = ['to', 'cc', 'bcc'].map(
      (name) => `${name}-${randomUUID().slice(0, 8)}@client.example`,
    ) as [string, string, string]
    const opened = await call('POST', '/conversations', {
      ...{ to, cc: [cc], bcc: [bcc], via: account, subject: '御見積の件' },
      html: '<p>Our offer</p><img src="cid:logo.png"><img src="cid:chart.png">',
      files: [...images, ...files].map((file) => ({
        ...file,
        content: file.content.toString('base64'),
      })),
    })
    equal(opened.status, 200, opened.text)
    const message = `/messages/${opened.body.message.id}`
    await eventually(
      async () => (await call('GET', message)).body,
      ({ state }) => state === 'sent',
      60_000,
    )

    const [letter, ...more] = mail.sink.messages().filter((one) => one.to.includes(to))
    deepEqual([more, letter?.to.toSorted()], [[], [to, cc, bcc].toSorted()])
    ok(letter && !letter.raw.includes(bcc))
    const read = await PostalMime.parse(letter.raw)
    equal(read.subject, '御見積の件')
    deepEqual(
      read.attachments.map(({ filename, content }) => [
        filename,
        Buffer.from(content as ArrayBuffer).toString('hex'),
      ]),
      [...images, ...files].map(({ name, content }) => [name, content.toString('hex')]),
    )
    for (const { contentId } of read.attachments.slice(0, 2))
      ok(read.html?.includes(`cid:${contentId?.slice(1, -1)}`), contentId)

    const sent = await copies()
    deepEqual(
      sent.map((copy) => copy.equals(Buffer.from(letter.raw))),
      [true],
    )

    const answer = { filename: '発注書.pdf', content: randomBytes(30_000) }
    await mailProgram(mail)({
      ...{ from: to, to: account, subject: 'Re: 御見積の件', text: 'Agreed.' },
      inReplyTo: letter.messageId ?? '',
      attachments: [answer],
    })
    const path = `/conversations/${opened.body.conversation.id}/messages`
    const { messages } = await eventually(
      async () => (await call('GET', path)).body,
      ({ messages }) => messages.length > 1,
      60_000,
    )
    const reply = messages.find(({ direction }: { direction: string }) => direction === 'inbound')
    deepEqual([reply.files, reply.inReplyTo], [1, opened.body.message.id])
    const [file] = (await call('GET', `/messages/${reply.id}/files`)).body.files
    deepEqual([file.name, file.size], [answer.filename, answer.content.length])
  })

  /** The mails in the Sent folder as they are there, once there is one. */
  async function copies() {
    const server = { host: '127.0.0.1', port: mail.imapPort, secure: false, user: account }
    const mailbox = await openImap(server, 'secret')
    try {
      return await eventually(
        async () => {
          const folder = await mailbox.sentPath()
          if (!folder) return []
          await mailbox.open(folder)
          const uids = (await mailbox.list(1)).map(({ uid }) => uid)
          return [...(await mailbox.fetch(uids, 50_000_000)).values()]
        },
        (found) => found.length > 0,
        60_000,
      )
    } finally {
      await mailbox.close()
    }
  }
})
