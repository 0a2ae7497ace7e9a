import { deepEqual, equal, ok } from 'node:assert/strict'
import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { Context } from 'mocha'
import PostalMime from 'postal-mime'
import type { Queue } from '../../activities/worker/start.ts'
import { insertFiles } from '../../db/conversations/files.ts'
import { enqueueSignal } from '../../db/operations/outbox.ts'
import { cutLine } from './cut-line.ts'
import { givenClient } from './given.ts'
import { givenMailboxes, mailProgram } from './inbox.ts'
import { type MailSink, testMail } from './mail.ts'
import { testMailboxes } from './mailboxes.ts'
import { eventually, startService, type TestService } from './service.ts'

// Letters over lines that break at random places: on their way out and on their way in.

const hour = 3_600_000
const sumOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** How many bytes a letter with a file of this size has, in base64, in lines of 76 characters; and those that are its end. */
function bytesWith(size: number) {
  const sent = Math.round((size * 4 * 78) / (3 * 76))
  return { sent, end: Math.round(sent / 70) }
}

async function startWorking(context: Context, only: Queue[]) {
  const service = await startService()
  await service.work(context, { mailWaitMs: 300 }, { only })
  return service
}

/** What is shown of letters with a file of this size that are sent. */
export function lettersOut(size: number) {
  const { sent, end } = bytesWith(size)
  describe('on their way out', () => {
    let service: TestService
    let mail: MailSink
    before(async function () {
      service = await startWorking(this, ['rows', 'send', 'remote'])
      mail = await testMail()
    })
    after(() => service?.close())

    /** Sends a message with its file over a line that breaks once, and answers what became of it. */
    async function sendOver(way: 'up' | 'down', after: number) {
      const line = await cutLine(mail.smtpPort)
      const workspace = await service.workspace({ smtpPort: line.port })
      const { call, id } = workspace
      const client = await givenClient(service.db, workspace, service.clock.now())
      const path = `/conversations/${client.conversation}/messages`
      const key = randomUUID()
      const sendAt = new Date(service.clock.now().getTime() + hour).toISOString()
      const { status, body, text } = await call(
        'POST',
        path,
        { text: 'A large file.', sendAt },
        { key },
      )

      equal(status, 200, text)
      const content = randomBytes(size)
      await insertFiles(service.db as never, id, body.id, [
        { name: 'large.bin', type: 'application/octet-stream', content },
      ])
      line.cutAfter(way, after)
      // It is complete: it goes now.
      await service.db
        .updateTable('messages')
        .set({ dueAt: service.clock.now() })
        .where('id', '=', body.id)
        .execute()
      await enqueueSignal(service.db, `${id}:${key}`, 'changed')
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

    const places: [string, 'up' | 'down', () => number][] = [
      ['before the letter', 'up', () => randomInt(0, 120)],
      ['within the letter', 'up', () => randomInt(200, sent - end)],
      ['at the end of the letter', 'up', () => sent - end + randomInt(2 * end)],
      ['in what the server says', 'down', () => randomInt(0, 600)],
    ]
    for (const [what, way, place] of places)
      it(`are sent once or unconfirmed, and never twice: ${what}`, async () => {
        const after = place()
        const { line, settled, arrived, content } = await sendOver(way, after)
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
}

/** And of those that are read. */
export function lettersIn(size: number) {
  const { sent, end } = bytesWith(size)
  describe('on their way in', () => {
    let service: TestService
    before(async function () {
      service = await startWorking(this, ['rows', 'mail'])
    })
    after(() => service?.close())

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
      const content = randomBytes(size)
      const files = [{ filename: 'large.bin', content }]
      const from = 'ann@client.example'
      await mailProgram(mail)({
        from,
        to: account,
        subject: 'Large',
        text: 'See.',
        attachments: files,
      })
      line.cutAfter('down', randomInt(0, sent - end))
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
            line.cutAfter('down', randomInt(0, sent - end))
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
}
