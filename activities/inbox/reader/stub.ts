import { createHash } from 'node:crypto'
import { type ReceivedMail, unreadable } from '../../../rules/mail/received.ts'
import type { Arrived } from '../../ports/mail/imap.ts'

// What is kept of a mail that its server does not deliver: its head, or its number and date.

/** `hasHead` is false if not even the head could be had. */
export type Stub = { raw: Buffer; hasHead: boolean }

export const stubOf = ({ arrivedAt }: Arrived, head: Buffer | undefined): Stub => {
  const hasHead = head !== undefined && head.length > 0
  return { raw: hasHead ? head : Buffer.from(`Date: ${arrivedAt.toUTCString()}\r\n\r\n`), hasHead }
}

/** The message that stands for it. Nothing follows from it, as it was not read. `name` distinguishes it from all other mails. */
export function messageOfStub({ raw, hasHead }: Stub, name: string): ReceivedMail {
  const mail = unreadable(raw)
  const id = createHash('sha256').update(name).digest('hex')
  return {
    ...mail,
    ...(!hasHead && { messageId: `<${id}@not-delivered.invalid>` }),
    text: hasHead
      ? 'The mail server delivers only the head of this message. Look for it in the mailbox.'
      : 'The mail server does not deliver this message. Look for it in the mailbox.',
    files: hasHead ? [{ ...file, content: raw }] : [],
  }
}

const file = { name: 'head.txt', type: 'text/plain', cid: null }
