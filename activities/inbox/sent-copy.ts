import type { Reader } from '../../db/accounts/reader.ts'
import { findToFile, type ToFile } from '../../db/accounts/to-file.ts'
import { findThread } from '../../db/conversations/messages.ts'
import type { Db } from '../../db/database.ts'
import { touchLetter, withWayOut } from '../campaigns/touch-mail.ts'
import { filesOf, leaveOut, messageLetter } from '../conversations/message-letter.ts'
import { composeLetter, type Letter, wholeMail } from '../ports/mail/compose.ts'
import { newsInHand } from './in-hand.ts'

// The copy of a sent letter for the Sent folder: composed anew from what was written down, byte for byte as it went.

type Sent = { id: string; messageId: string; sentAt: Date }
type Author = Pick<Reader, 'workspace' | 'account' | 'memberName'>

const largeBytes = 1024 * 1024

/** The copy, once there is room for it in memory; call `release` when it is filed. */
export async function sentCopy(db: Db, author: Author, sent: Sent, signal: AbortSignal) {
  const row = await findToFile(db, sent.id)
  if (!row) throw new Error('A sent message is gone.')
  const mail = await composeLetter(await letterOf(db, author, row, sent))
  const isLarge = mail.size > largeBytes
  // Twice: its pieces, and the whole.
  const release = isLarge
    ? await newsInHand.take(author.workspace, { weight: 2 * mail.size, signal })
    : () => {}
  try {
    return { raw: await wholeMail(mail), isLarge, release }
  } catch (error) {
    release()
    throw error
  }
}

async function letterOf(
  db: Db,
  { account, memberName }: Author,
  row: ToFile,
  { messageId, sentAt }: Sent,
): Promise<Letter> {
  const { head, toAddress: to, text, html, language } = row
  if (!head) return earlierLetter(db, { account, memberName }, row, { messageId, sentAt })
  const from = { name: head.from, address: account }
  if (row.touch !== null && head.unsubscribeUrl) {
    const written = { ...row, ...withWayOut({ text, html, language }, head.unsubscribeUrl) }
    return { ...touchLetter(written, head), from, to, messageId }
  }
  const files = row.hasFiles ? await filesOf({ db }, row) : []
  // Who was suppressed is not in Cc; whom the server refused is.
  const left = (row.refused ?? []).filter(({ code }) => code === 'suppressed')
  return { ...leaveOut(messageLetter(row, head, files), left), from, to, messageId }
}

/** As an earlier version filed its letters. */
async function earlierLetter(
  db: Db,
  { account, memberName }: Pick<Author, 'account' | 'memberName'>,
  row: ToFile,
  { messageId, sentAt }: Pick<Sent, 'messageId' | 'sentAt'>,
): Promise<Letter> {
  const { references } = await findThread(db, row.conversation)
  return {
    from: { name: memberName, address: account },
    to: row.toAddress,
    subject: row.subject,
    text: row.text,
    messageId,
    inReplyTo: row.inReplyTo,
    references: references.filter((id) => id !== messageId),
    automated: row.automated,
    date: sentAt,
  }
}
