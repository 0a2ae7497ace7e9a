import { deepEqual, equal, match } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ImapFlow } from 'imapflow'
import { SMTPServer } from 'smtp-server'
import { openStore } from '../../dev/stack/mail-store.ts'
import { deliverTo } from '../../dev/stack/mailboxes.ts'
import { loopback } from '../../dev/stack/ports.ts'
import { atEnd } from '../support/hooks.ts'
import { testMailboxes } from '../support/mailboxes.ts'
import { comesTo } from '../support/service.ts'

const to = 'ana.refused@us.example'
const mail = (subject: string, head = '') =>
  Buffer.from(
    `From: kim@client.example\r\nTo: ${to}\r\nSubject: ${subject}\r\n${head}\r\nHello\r\n`,
  )

async function storeOfMails() {
  const folder = mkdtempSync(join(tmpdir(), 'postroom-refused-'))
  atEnd(async () => rmSync(folder, { recursive: true, force: true }))
  const store = await openStore(folder)
  const add = (raw: Buffer) => store.add({ from: 'kim@client.example', to: [to] }, raw)
  return { store, add }
}

/** A server that lets go of the line where it gets a mail that breaks it, as GreenMail does. */
async function fragileServer(port = 0) {
  const taken: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const [, subject = ''] = /^Subject: (.*?)\r?$/m.exec(text) ?? []
        if (subject === 'broken') return void done(new Error('Error while processing'))
        taken.push(subject)
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, loopback, resolve))
  const address = server.server.address()
  const close = () => new Promise<void>((resolve) => server.close(resolve))
  return { taken, close, port: typeof address === 'object' && address ? address.port : 0 }
}

describe('mail that the mailboxes of npm start cannot take', function () {
  this.timeout(60_000)

  it('is passed over after some tries and named, and later mail arrives', async () => {
    const { store, add } = await storeOfMails()
    const server = await fragileServer()
    const said: string[] = []
    const delivery = deliverTo(server.port, store, (line) => said.push(line))
    atEnd(() => delivery.stop().then(server.close))
    await add(mail('broken', 'Message-ID: <broken@client.example>\r\n'))
    await add(mail('later'))
    await comesTo(() => server.taken.join(), 'later')
    equal(said.length, 1)
    match(said[0] ?? '', /<broken@client\.example> to ana\.refused@us\.example/)
  })

  it('waits for a server that is away', async () => {
    const { store, add } = await storeOfMails()
    const server = await fragileServer()
    await server.close()
    const said: string[] = []
    const delivery = deliverTo(server.port, store, (line) => said.push(line))
    await add(mail('early'))
    // Longer than all tries take.
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    const back = await fragileServer(server.port)
    atEnd(() => delivery.stop().then(back.close))
    await comesTo(() => back.taken.join(), 'early')
    deepEqual(said, [])
  })

  it('does not hold up the mail behind it in GreenMail', async function () {
    const { sink, imapPort } = await testMailboxes(this)
    await sink.store.add(
      { from: 'kim@client.example', to: [to] },
      mail('broken', 'Content-Type: text\r\n'),
    )
    await sink.store.add({ from: 'kim@client.example', to: [to] }, mail('later'))
    const auth = { user: to, pass: 'x' }
    const client = new ImapFlow({
      host: loopback,
      port: imapPort,
      secure: false,
      auth,
      logger: false,
    })
    await client.connect()
    atEnd(() => client.logout())
    await comesTo(async () => {
      await client.mailboxOpen('INBOX')
      const found = await client.search({ subject: 'later' })
      return Array.isArray(found) ? found.length : 0
    }, 1)
  })
})
