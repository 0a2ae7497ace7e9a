import type { Reader } from '../../db/accounts/reader.ts'
import { findToFile, listToFile, markFiled, type ToFile } from '../../db/accounts/to-file.ts'
import { findThread } from '../../db/conversations/messages.ts'
import type { Db } from '../../db/database.ts'
import { heldWhyNow } from '../../db/holds.ts'
import { listLetterIds } from '../../db/outgoing/letter-ids.ts'
import { setNewest } from '../../rules/newest.ts'
import type { LetterHead } from '../../rules/outgoing.ts'
import { letterOf as touchLetterOf } from '../campaigns/touch-mail.ts'
import { filesOf, leaveOut, messageLetter } from '../conversations/message-letter.ts'
import type { Deps } from '../deps.ts'
import { composeLetter, type Letter, wholeMail } from '../ports/mail/compose.ts'
import type { Mailbox } from '../ports/mail/imap.ts'
import { MailTrouble } from '../ports/mail/smtp.ts'
import { newsInHand } from './in-hand.ts'

// The copies of sent letters in the Sent folder.

const fileBatch = 50
const minute = 60_000
// The first tries follow each other soon, because a server may only be busy; a large copy costs its line a minute each time.
const firstDelayMs = minute / 2
const longestDelayMs = 240 * minute
/** A copy is given up when its letter is a day old and three tries have failed. */
const giveUpMs = 24 * 60 * minute
const fewestTries = 3
const mostWaiting = 1000

/** Copies that were not taken, by the message. Another process, which does not know of them, tries them sooner. */
const waiting = new Map<string, { tries: number; nextAt: number }>()

/** The letters whose copies are tried later. */
export const listPutOff = (now: Date): string[] =>
  [...waiting].flatMap(([id, { nextAt }]) => (nextAt > now.getTime() ? id : []))

/** Files sent letters in the Sent folder if the provider does not do so by itself. Returns the folder. */
export async function fileSent(
  deps: Deps,
  reader: Reader,
  mailbox: Mailbox,
  path: string | null,
  stop: AbortSignal,
): Promise<string | null> {
  const { db, clock } = deps
  const later = listPutOff(clock.now())
  const letters = await listToFile(db, reader.id, { limit: fileBatch, later })
  if (letters.length === 0) return path
  const filesItself = reader.imap?.filesSent === true
  const folder = path ?? (filesItself ? null : await mailbox.createSent())
  if (folder && !filesItself) await mailbox.open(folder)
  /** The copy may be there although its server has not said so, or under the id that the provider gave the letter. */
  async function isThere(messageId: string) {
    const others = await listLetterIds(db, reader.workspace, messageId)
    for (const one of [messageId, ...others]) if (await mailbox.has(one)) return true
    return false
  }
  for (const { id, messageId, sentAt } of letters) {
    if (folder && messageId && sentAt && !filesItself && !(await isThere(messageId))) {
      const copy = await sentCopy(db, reader, { id, messageId, sentAt }, stop)
      try {
        // Asked once there is room for the copy, which may take a while. The others are held too; the reader of the mailbox looks
        // again by itself.
        if ((await heldWhyNow(db, reader.workspace, reader.id)) !== null) break
        // By the machine's clock, as the server dates its other mail, and as it is read again.
        await mailbox.append(folder, copy.raw, clock.real(sentAt))
      } catch (error) {
        if (!(error instanceof MailTrouble)) throw error
        const { isLarge } = copy
        if (putOff(deps, reader, { id, sentAt, isLarge, size: copy.raw.length }, error)) continue
      } finally {
        copy.release()
      }
    }
    waiting.delete(id)
    await markFiled(db, id)
  }
  return folder
}

type Untaken = { id: string; sentAt: Date; isLarge: boolean; size: number }

/**
 * Whether a copy that was not taken is tried later; false if it is given up. A server that does not take a copy because it is
 * large, or its mailbox full, would otherwise keep the answers in it from being read.
 * @throws MailTrouble if nothing can be read now either, because the line is gone.
 */
function putOff(
  { clock, log }: Deps,
  { id: connection }: Reader,
  { id, sentAt, isLarge, size }: Untaken,
  trouble: MailTrouble,
): boolean {
  const { code, word } = trouble
  const line = { connection, message: id, size, code, word }
  if (code === 'imap_too_large') {
    log.warn(
      line,
      'the letter was sent, but its server takes no mail of this size into the Sent folder: its copy is given up',
    )
    return false
  }
  if (!isLarge && code !== 'imap_error') throw trouble
  const now = clock.now().getTime()
  const tries = (waiting.get(id)?.tries ?? 0) + 1
  if (tries >= fewestTries && now - sentAt.getTime() >= giveUpMs) {
    log.warn(
      { ...line, tries },
      'the letter was sent, but its server has not taken the copy for the Sent folder within a day: the copy is given up',
    )
    return false
  }
  if (tries === 1)
    log.warn(
      line,
      'the server has not taken the copy of a letter for the Sent folder; it is tried again for a day',
    )
  const nextAt = now + Math.min(firstDelayMs * 2 ** (tries - 1), longestDelayMs)
  setNewest(waiting, id, { tries, nextAt }, mostWaiting)
  if (code !== 'imap_error') throw trouble
  return true
}

// The copy of a sent letter for the Sent folder: composed again from what was written down, byte for byte as it went.

type Sent = { id: string; messageId: string; sentAt: Date }
type Author = Pick<Reader, 'workspace' | 'account' | 'memberName'>

const largeBytes = 1024 * 1024

/** The copy, once there is room for it in memory; call `release` when it is filed. */
async function sentCopy(db: Db, author: Author, sent: Sent, signal: AbortSignal) {
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
  const { toAddress: to } = row
  const head = row.head ?? (await headOfGiven(db, row, memberName, { messageId, sentAt }))
  const from = { name: head.from, address: account }
  if (row.touch !== null && head.unsubscribeUrl)
    return { ...touchLetterOf({ ...row, head, messageId }), from }
  const files = row.hasFiles ? await filesOf({ db }, row) : []
  // Who was suppressed is not in Cc; whom the server refused is.
  const left = (row.refused ?? []).filter(({ code }) => code === 'suppressed')
  return { ...leaveOut(messageLetter(row, head, files), left), from, to, messageId }
}

/** The head of a letter that was not handed over here, such as one that was given with its conversation. */
async function headOfGiven(
  db: Db,
  { conversation, inReplyTo }: ToFile,
  from: string,
  { messageId, sentAt }: Pick<Sent, 'messageId' | 'sentAt'>,
): Promise<LetterHead> {
  const { references } = await findThread(db, conversation)
  return {
    date: sentAt.toISOString(),
    from,
    to: '',
    cc: [],
    inReplyTo,
    references: references.filter((id) => id !== messageId),
  }
}
