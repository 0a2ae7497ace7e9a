import { ImapFlow } from 'imapflow'
import type { TestMailboxes } from './mailboxes.ts'

// Mail of years ago, put into a mailbox as moving it from another provider does: with the day it arrived on.

export type Past = {
  id: string
  from: string
  to: string
  subject?: string
  text?: string
  date?: string | null
  references?: string[]
  headers?: string[]
  /** What is below the headers, with its Content-Type among them. */
  body?: string
}

export function rawOf({ id, from, to, subject = '', text = '', body, ...more }: Past): Buffer {
  const { date = null, references = [], headers = [] } = more
  const lines = [
    `From: ${from}`,
    ...(to ? [`To: ${to}`] : []),
    `Subject: ${subject}`,
    `Message-ID: <${id}>`,
    ...(date ? [`Date: ${new Date(date).toUTCString()}`] : []),
    ...(references.length > 0
      ? [`References: ${references.map((one) => `<${one}>`).join(' ')}`]
      : []),
    ...headers,
    '',
    body ?? text,
  ]
  return Buffer.from(lines.join('\r\n'))
}

export type Put = { raw: Buffer; arrived: string; folder?: 'INBOX' | 'Sent' | 'Archive' }

/** Puts mails into the folders of an account, creating missing folders; returns how many the server accepted. */
export async function putPast(
  { imapPort }: Pick<TestMailboxes, 'imapPort'>,
  account: string,
  mails: Put[],
) {
  const connect = async () => {
    const client = new ImapFlow({
      host: '127.0.0.1',
      port: imapPort,
      secure: false,
      logger: false as const,
      auth: { user: account, pass: 'secret' },
    })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  let client = await connect()
  for (const folder of new Set(mails.map(({ folder = 'INBOX' }) => folder)))
    if (folder !== 'INBOX') await client.mailboxCreate(folder)
  let taken = 0
  for (const { raw, arrived, folder = 'INBOX' } of mails)
    try {
      await client.append(folder, raw, [], new Date(arrived))
      taken++
    } catch {
      client.close()
      client = await connect()
    }
  await client.logout()
  return taken
}
