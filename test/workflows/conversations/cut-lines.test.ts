import { deepEqual, equal, ok } from 'node:assert/strict'
import { createHash, randomBytes, randomInt } from 'node:crypto'
import PostalMime from 'postal-mime'
import { insertFiles } from '../../../db/conversations/files.ts'
import { cutLine } from '../../support/cut-line.ts'
import { givenClient } from '../../support/given.ts'
import { givenMailboxes, mailProgram } from '../../support/inbox.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { testMailboxes } from '../../support/mailboxes.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

// Letters as large as they may be, over lines that break at random places: on their way out and on their way in.

const megabyte = 1024 * 1024
const largest = 25 * megabyte
const sumOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('letters over lines that break', function () {
  this.timeout(120_000)
  let service: TestService
  before(async function () {
    this.timeout(120_000)
    service = await startService()
    await service.work(this.test?.ctx as Mocha.Context)
  })
  after(() => service?.close())

  describe('on their way out', () => {
    let mail: MailSink
    before(async () => {
      mail = await testMail()
    })

    /** Sends a message with a file of this size over a line that breaks once, and answers what became of it. */
    async function sendOver(bytes: number, way: 'up' | 'down', after: number) {
      const line = await cutLine(mail.smtpPort)
      const workspace = await service.workspace({ smtpPort: line.port })
      const { call, id } = workspace
      const client = await givenClient(service.db, workspace, service.clock.now())
      const path = `/conversations/${client.conversation}/messages`
      const sendAt = new Date(service.clock.now().getTime() + 3_000).toISOString()
      const { status, body, text } = await call('POST', path, { text: 'A large file.', sendAt })
      equal(status, 200, text)
      const content = randomBytes(bytes)
      await insertFiles(service.db as never, id, body.id, [
        { name: 'large.bin', type: 'application/octet-stream', content },
      ])
      line.cutAfter(way, after)
      const read = async () =>
        (await call('GET', path)).body.messages.find((one: { id: string }) => one.id === body.id)
      const settled = await eventually(
        read,
        ({ state, reason }) => ['sent', 'failed'].includes(state) || reason === 'unconfirmed',
        60_000,
      )
      const arrived = mail.messages().filter(({ to }) => to.includes(client.email))
      return { line, settled, arrived, content, read }
    }

    const places: [string, number, 'up' | 'down', () => number][] = [
      ['before the letter', megabyte, 'up', () => randomInt(0, 120)],
      ['within a letter of 25 MB', largest, 'up', () => randomInt(200, 34 * megabyte)],
      ['at the end of a letter of 25 MB', largest, 'up', () => 34 * megabyte + randomInt(megabyte)],
      ['in what the server says', largest, 'down', () => randomInt(0, 600)],
    ]
    for (const [what, bytes, way, place] of places)
      it(`are sent once or unconfirmed, and never twice: ${what}`, async () => {
        const after = place()
        const { line, settled, arrived, content } = await sendOver(bytes, way, after)
        const told = `cut after ${after}: ${settled.state} ${settled.reason}, ${arrived.length} arrived`
        ok(settled.state === 'sent' || settled.reason === 'unconfirmed', told)
        ok(arrived.length <= 1, told)
        if (settled.state === 'sent') equal(arrived.length, 1, told)
        ok(line.cuts() <= 1)
        for (const { raw } of arrived) {
          const { attachments } = await new PostalMime().parse(raw)
          const [file] = attachments.map((one) => sumOf(new Uint8Array(one.content as ArrayBuffer)))
          equal(file, sumOf(content))
        }
      })
  })

  describe('on their way in', () => {
    it('are stored once, however often the line to the mailbox breaks', async function () {
      const mail = await testMailboxes(this)
      const line = await cutLine(mail.imapPort)
      const { call, connections, id } = await service.workspace({ smtpPort: mail.smtpPort })
      const [connection] = connections
      const { account } = await service.db
        .selectFrom('connections')
        .select('account')
        .where('id', '=', connection)
        .executeTakeFirstOrThrow()
      const content = randomBytes(largest)
      const files = [{ filename: 'large.bin', content }]
      const from = 'ann@client.example'
      await mailProgram(mail)({
        from,
        to: account,
        subject: 'Large',
        text: 'See.',
        attachments: files,
      })
      line.cutAfter('down', randomInt(0, 34 * megabyte))
      await givenMailboxes(service, { imapPort: line.port }, [connection])
      const stored = () =>
        service.db
          .selectFrom('messages')
          .select(['id', 'text'])
          .where('connection', '=', connection)
          .execute()
      let seen = 0
      await eventually(
        async () => {
          // After each break, another one follows, up to the third.
          if (line.cuts() > seen && seen < 2) {
            seen = line.cuts()
            line.cutAfter('down', randomInt(0, 34 * megabyte))
          }
          return stored()
        },
        (all) => all.length > 0,
        90_000,
      )
      ok(line.cuts() >= 1, 'the line never broke')
      await mailProgram(mail)({ from, to: account, subject: 'Large', text: 'The last one.' })
      const all = await eventually(stored, (now) => now.length > 1, 30_000)
      equal(all.length, 2)
      const large = all.find(({ text }) => text.includes('See.'))
      const kept = await service.db
        .selectFrom('files')
        .select(['size', 'content'])
        .where('workspace', '=', id)
        .where('message', '=', large?.id ?? '')
        .execute()
      deepEqual(
        kept.map(({ size, content: bytes }) => [size, sumOf(bytes)]),
        [[content.length, sumOf(content)]],
      )
      equal((await call('GET', '/conversations')).body.conversations.length, 1)
    })
  })
})
