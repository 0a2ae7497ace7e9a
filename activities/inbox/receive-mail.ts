import { DateTime } from 'luxon'
import type { Reader } from '../../db/accounts/reader.ts'
import { recordProposal, recordReply } from '../../db/calendar/answers.ts'
import { receiveCancellation, receiveInvitation } from '../../db/calendar/invited.ts'
import { isTest } from '../../db/campaigns/templates.ts'
import type { MessageInvitation } from '../../db/conversations/tables.ts'
import type { Trx } from '../../db/database.ts'
import type { Inbound } from '../../db/inbox/inbound.ts'
import { receiveMessage } from '../../db/inbox/receive-message.ts'
import { placeOfColleague, receiveSent } from '../../db/inbox/sent-elsewhere.ts'
import { judgeSender, namesOf } from '../../db/inbox/trust.ts'
import type { SecretKey } from '../../db/secrets.ts'
import { findOwnAddresses } from '../../db/workspace/own-addresses.ts'
import { comparedForm } from '../../rules/addresses.ts'
import { iso } from '../../rules/iso.ts'
import { asWritten, isDisowned } from '../../rules/mail/as-written.ts'
import { isAboutMeeting, type ReceivedMail } from '../../rules/mail/received.ts'

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
  secretKey?: SecretKey,
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
    if (place === 'ours') await receiveSentMail(trx, reader, mail, at, now, secretKey)
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
    meeting: meetingOf(mail),
  }
  const received = await receiveMessage(trx, inbound, now, secretKey)
  if (!received.fresh) return
  await receiveCalendar(trx, reader, mail, { at, now, suspect, message: received.message })
}

// Many servers name the returned letter in References too, or only there; the closest reference is the likeliest.
function reportOf({ report, references }: ReceivedMail): Inbound['report'] {
  if (!report) return undefined
  return { ...report, refersTo: [...report.refersTo, ...references.toReversed()] }
}

const meetingOf = ({ calendarNote: note }: ReceivedMail): string | undefined =>
  note?.method === 'request' || note?.method === 'cancel' ? note.uid : undefined

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
  secretKey?: SecretKey,
) {
  const { messageId, originalIds, references, from, to, cc, bcc } = mail
  const { subject, text, html, files } = mail
  if (await isTest(trx, workspace, messageId)) return
  await receiveSent(
    trx,
    {
      workspace,
      connection,
      messageId,
      originalIds,
      references,
      from,
      to,
      cc,
      bcc,
      subject,
      text,
      html,
      at,
      dated,
      files,
    },
    now,
    secretKey,
  )
}

// What a mail that came in says in the language of calendars, and what follows from it.

type Received = { at: Date; now: Date; message: string; suspect: boolean }

/** Of a suspect mail the invitation is shown, and nothing follows. */
async function receiveCalendar(
  trx: Trx,
  reader: Reader,
  mail: ReceivedMail,
  { at, now, message, suspect }: Received,
) {
  const { workspace, id: connection, member } = reader
  const { calendarNote: note } = mail
  const invitation = note?.method === 'request' ? invitationOf(note, mail, reader) : undefined
  const place = { workspace, connection, member, message, from: mail.from.address }
  if (invitation) await receiveInvitation(trx, place, invitation, { acts: !suspect, now })
  if (suspect) return
  await receiveAnswers(trx, workspace, mail, { at, now })
  if (note?.method === 'cancel') await receiveCancellation(trx, place, note, now)
}

/** What guests say about meetings that were booked here. */
async function receiveAnswers(
  trx: Trx,
  workspace: string,
  mail: ReceivedMail,
  { at, now }: Pick<Received, 'at' | 'now'>,
) {
  const { calendarNote: note, from, references } = mail
  const saidAt = (said: Date | null) => (said && said < now ? said : at)
  const written = { workspace, from: from.address, references }
  for (const { address: named, at: said, ...reply } of mail.calendarReplies)
    await recordReply(trx, { ...written, ...reply, named, at: saidAt(said) }, now)
  if (note?.method === 'counter' && note.startsAt && note.endsAt) {
    const { uid, startsAt, endsAt, comment, attendees } = note
    const proposal = { uid, startsAt, endsAt, comment: comment.slice(0, 2_000) || null }
    const guest = { named: attendees[0], sentBy: null, at: saidAt(note.at) }
    await recordProposal(trx, { ...written, ...guest, ...proposal }, now)
  }
}

function invitationOf(
  note: NonNullable<ReceivedMail['calendarNote']>,
  { to, cc, from }: ReceivedMail,
  { account }: Reader,
): MessageInvitation | undefined {
  const { startsAt, endsAt, organizer, attendees } = note
  if (!startsAt || !endsAt) return undefined
  const { uid, sequence, instance, isFullDay, repeats } = note
  const sent = new Set([...to, ...cc].map(comparedForm))
  const own = comparedForm(account)
  return {
    uid,
    sequence,
    instance,
    isFullDay,
    repeats,
    state: 'open',
    startsAt: iso(startsAt),
    endsAt: iso(endsAt),
    title: note.title || 'Meeting',
    organizer: organizer?.address ?? comparedForm(from.address),
    organizerName: organizer?.name ?? from.name,
    location: note.location || null,
    agenda: note.agenda.slice(0, 5_000),
    guests: attendees,
    // A group or another address of ours may be the one that is invited.
    invited: attendees.includes(own) ? own : (attendees.find((one) => sent.has(one)) ?? own),
  }
}
