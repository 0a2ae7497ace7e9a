import { DateTime } from 'luxon'
import { failReturned, findReturned, type Returned } from '../../db/bounces.ts'
import type { Trx } from '../../db/database.ts'
import { type Inbound, receiveMessage } from '../../db/inbound.ts'
import type { Reader } from '../../db/mailboxes.ts'
import { recordReply } from '../../db/meetings.ts'
import { receiveSent } from '../../db/sent-elsewhere.ts'
import type { ReceivedMail } from './read-mail.ts'

// A mail that was read, made into what the inbox takes; in the transaction that also moves the mailbox's place.

// The interface leaves open how long letters wait for somebody who is away and does not say until when: a week.
const awayDays = 7

/** Stores a mail of the Inbox with everything it brings about. `at` is when it arrived, in business time. */
export async function receiveMail(
  trx: Trx,
  reader: Reader,
  mail: ReceivedMail,
  at: Date,
  now: Date,
) {
  const { workspace, id: connection } = reader
  const returned = mail.bounce && returnedOf(reader, mail.bounce)
  const messageId = returned ? await findReturned(trx, returned) : undefined
  const complaint = mail.complaint
  const inbound: Inbound = {
    workspace,
    connection,
    externalId: mail.messageId,
    // A complaint comes from a provider, on behalf of whom the letter went to.
    from: complaint?.recipient ? { name: '', address: complaint.recipient } : mail.from,
    to: mail.to[0] ?? reader.account,
    subject: mail.subject,
    text: mail.text,
    at,
    references: [
      ...mail.references,
      ...(complaint?.refersTo ?? []),
      ...(mail.bounce?.refersTo ?? []),
      ...(messageId ? [messageId] : []),
    ],
    files: mail.files,
    automated: mail.automated,
    outOfOfficeUntil: mail.autoReply?.outOfOffice
      ? backAt(mail.autoReply.until, reader.timezone, now)
      : undefined,
    bounced: (mail.bounce?.permanent && mail.bounce.recipient) || undefined,
    complains: complaint !== null,
    aside: mail.calendarReplies.length > 0,
  }
  const received = await receiveMessage(trx, inbound, now)
  if (!received.fresh) return
  if (returned && messageId) await failReturned(trx, messageId, returned, now)
  for (const { at: said, ...reply } of mail.calendarReplies)
    await recordReply(trx, workspace, { ...reply, at: said && said < now ? said : at })
}

const returnedOf = (
  { workspace, id }: Reader,
  bounce: NonNullable<ReceivedMail['bounce']>,
): Returned => ({ workspace, connection: id, ...bounce })

/** The beginning of the day somebody is back, where the workspace is. */
function backAt(until: string | null, zone: string, now: Date): Date {
  const day = until
    ? DateTime.fromISO(until, { zone })
    : DateTime.fromJSDate(now, { zone }).plus({ days: awayDays })
  return day.startOf('day').toJSDate()
}

/** Stores a mail of the Sent folder. */
export const receiveSentMail = (
  trx: Trx,
  { workspace, id: connection }: Reader,
  { messageId, references, from, to, subject, text, files }: ReceivedMail,
  at: Date,
  now: Date,
) =>
  receiveSent(
    trx,
    { workspace, connection, messageId, references, from, to, subject, text, at, files },
    now,
  )
