import type { Reader } from '../../db/accounts/reader.ts'
import { recordProposal, recordReply } from '../../db/calendar/answers.ts'
import { receiveCancellation, receiveInvitation } from '../../db/calendar/invited.ts'
import type { MessageInvitation } from '../../db/conversations/tables.ts'
import type { Trx } from '../../db/database.ts'
import { comparedForm } from '../../rules/addresses.ts'
import { iso } from '../../rules/iso.ts'
import type { CalendarNote } from '../../rules/mail/calendar/notes.ts'
import type { ReceivedMail } from '../../rules/mail/received.ts'

// What a mail that came in says in the language of calendars, and what follows from it.

type Received = { at: Date; now: Date; message: string; suspect: boolean }

/** Of a suspect mail the invitation is shown, and nothing follows. */
export async function receiveCalendar(
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
export async function receiveAnswers(
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
  note: CalendarNote,
  { to, cc, from }: ReceivedMail,
  { account }: Reader,
): MessageInvitation | undefined {
  const { startsAt, endsAt, organizer, attendees } = note
  if (!startsAt || !endsAt) return undefined
  const { uid, sequence, instance, isFullDay, repeats } = note
  const sent = new Set([...to, ...cc].map(comparedForm))
  const own = comparedForm(account)
  return {
    ...{ uid, sequence, instance, isFullDay, repeats, state: 'open' },
    ...{ startsAt: iso(startsAt), endsAt: iso(endsAt), title: note.title || 'Meeting' },
    organizer: organizer?.address ?? comparedForm(from.address),
    organizerName: organizer?.name ?? from.name,
    location: note.location || null,
    agenda: note.agenda.slice(0, 5_000),
    guests: attendees,
    // A group or another address of ours may be the one that is invited.
    invited: attendees.includes(own) ? own : (attendees.find((one) => sent.has(one)) ?? own),
  }
}
