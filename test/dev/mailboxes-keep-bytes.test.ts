import { deepEqual } from 'node:assert/strict'
import { ImapFlow } from 'imapflow'
import { loopback } from '../../dev/stack/ports.ts'
import { atEnd } from '../support/hooks.ts'
import { testMailboxes } from '../support/mailboxes.ts'
import { comesTo } from '../support/service.ts'

const to = 'ana.bytes@us.example'
const sets: [set: string, bytes: Buffer][] = [
  ['latin1', Buffer.from('Grüße', 'latin1')],
  ['utf-8', Buffer.from('Grüße')],
  ['koi8-r', Buffer.from('f0d2c9d7c5d4', 'hex')],
  ['iso-2022-jp', Buffer.from('1b2442246824461b2842', 'hex')],
]

describe('the mailboxes of npm start', function () {
  this.timeout(60_000)

  it('keep the bytes of a mail, in its head too', async function () {
    const { sink, imapPort } = await testMailboxes(this)
    for (const [set, words] of sets) {
      const text = [`From: "`, words, `" <kim@client.example>\r\nTo: ${to}\r\nSubject: `, words]
      const head = `\r\nMessage-ID: <${set}@client.example>\r\nContent-Type: text/plain\r\n\r\n`
      const raw = Buffer.concat([...text, head, words, '\r\n'].map((one) => Buffer.from(one)))
      await sink.store.add({ from: 'kim@client.example', to: [to] }, raw)
    }
    const auth = { user: to, pass: 'x' }
    const server = { host: loopback, port: imapPort, secure: false }
    const client = new ImapFlow({ ...server, auth, logger: false })
    await client.connect()
    atEnd(() => client.logout())
    await comesTo(
      async () => (await client.mailboxOpen('INBOX').catch(() => undefined))?.exists,
      sets.length,
    )
    const sources = await client.fetchAll('1:*', { source: true })
    deepEqual(
      sources.map(({ source }, i) => source && countOf(source, sets[i]?.[1])),
      sets.map(() => 3),
    )
  })
})

/** How often some bytes stand in others. */
function countOf(all: Buffer, some: Buffer | undefined): number {
  let count = 0
  if (some === undefined) return count
  for (let at = all.indexOf(some); at >= 0; at = all.indexOf(some, at + 1)) count++
  return count
}
