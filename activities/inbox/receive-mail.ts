import { DateTime } from 'luxon'
import type { Reader } from '../../db/accounts/reader.ts'
import { isTest } from '../../db/campaigns/templates.ts'
import type { Trx } from '../../db/database.ts'
import type { Inbound } from '../../db/inbox/inbound.ts'
import { receiveMessage } from '../../db/inbox/receive-message.ts'
import { placeOfColleague, receiveSent } from '../../db/inbox/sent-elsewhere.ts'
import { judgeSender, namesOf } from '../../db/inbox/trust.ts'
import { findOwnAddresses } from '../../db/workspace/own-addresses.ts'
import { asWritten, isDisowned } from '../../rules/mail/as-written.ts'
import { isAboutMeeting, type ReceivedMail } from '../../rules/mail/received.ts'
import { receiveAnswers, receiveCalendar } from './receive-calendar.ts'

// Turns a parsed mail into what the inbox takes, in the transaction that also advances the mailbox's place.

// The interface leaves open how long letters wait for somebody who is away without a date of return: a week.
const awayDays = 7

/**
 * Stores a mail that came in, with everything that follows from it. `at` is when it arrived, in business time, and `folder` where
 * it lies.
 */
export async function receiveMail(
  trx: Trx,
  reader: Reader,
  given: ReceivedMail,
  { at, folder }: { at: Date; folder: string },
  now: Date,
) {
  const { workspace, id: connection } = reader
  const { authentication } = given
  const own = await findOwnAddresses(trx, workspace)
  const { mail, via, isOwn } = asWritten(given, own)
  // It is for its reader's eyes, and nobody has written. A mail of somebody else may carry its id, as an answer of a ticket system.
  if (isOwn && (await isTest(trx, workspace, given.messageId))) return
  const disowned = await judgeSender(trx, reader, { from: given.from.address, authentication })
  const suspect =
    disowned || mail.suspect || (via !== null && isDisowned(given, namesOf(reader), own))
  if (isOwn && !suspect && !mail.report) {
    const place = await placeOfColleague(trx, { ...mail, workspace, connection }, own)
    if (place === 'ours') await receiveSentMail(trx, reader, mail, at, now)
    // What our people write to each other is not kept, apart from their answers to invitations.
    if (place !== 'theirs') return receiveAnswers(trx, workspace, mail, { at, now })
  }
  const inbound: Inbound = {
    workspace,
    connection,
    externalId: mail.messageId,
    from: mail.from,
    via,
    replyTo: mail.replyTo,
    to: mail.to[0] ?? mail.cc[0] ?? reader.account,
    toAddresses: mail.to,
    cc: mail.cc,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    at,
    dated: mail.date,
    folder,
    references: mail.references,
    files: mail.files,
    automated: mail.automated,
    weak: mail.weak,
    unclear: mail.unclear,
    outOfOfficeUntil: mail.autoReply?.outOfOffice
      ? backAt(mail.autoReply.until, reader.timezone, now)
      : undefined,
    report: reportOf(mail),
    suspect,
    aside: isAboutMeeting(mail),
  }
  const received = await receiveMessage(trx, inbound, now)
  if (!received.fresh) return
  await receiveCalendar(trx, reader, mail, { at, now, suspect, message: received.message })
}

// Many servers name the returned letter in References too, or only there; the closest reference is the likeliest.
function reportOf({ report, references }: ReceivedMail): Inbound['report'] {
  if (!report) return undefined
  const { refersTo, ...rest } = report
  return { ...rest, ids: [...refersTo, ...references.toReversed()] }
}

/** The beginning of the day of return, in the workspace's zone. */
function backAt(until: string | null, zone: string, now: Date): Date {
  const day = until
    ? DateTime.fromISO(until, { zone })
    : DateTime.fromJSDate(now, { zone }).plus({ days: awayDays })
  return day.startOf('day').toJSDate()
}

/** Stores a mail of the Sent folder. */
export async function receiveSentMail(
  trx: Trx,
  { workspace, id: connection }: Reader,
  { date: dated, ...mail }: ReceivedMail,
  at: Date,
  now: Date,
) {
  const { messageId, originalIds, references, from, to, cc, bcc } = mail
  const { subject, text, html, files } = mail
  if (await isTest(trx, workspace, messageId)) return
  await receiveSent(
    trx,
    {
      ...{ workspace, connection, messageId, originalIds, references, from, to, cc, bcc },
      ...{ subject, text, html, at, dated, files },
    },
    now,
  )
}
