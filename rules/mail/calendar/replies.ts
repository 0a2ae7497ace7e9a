import { type CalendarPart, commentOf, partyOf, sequenceOf, stampOf, uidOf } from './parts.ts'

/**
 * A guest's answer to an invitation: a PARTSTAT in lower case. `at` is null if the reply does not say when. `sentBy` is who
 * answers for the guest, an empty text if that is not an address. `sequence` is the version of the meeting that it answers.
 */
export type CalendarReply = {
  uid: string
  address: string
  sentBy: string | null
  answer: string
  sequence: number | null
  at: Date | null
}

/**
 * The answers to invitations in a mail (iMIP METHOD:REPLY, RFC 6047), and what the guest has added in words; null if the mail is
 * not a reply. A reply is about one event and one guest (RFC 5546, 3.2.3).
 */
export function readCalendarReplies(
  parts: CalendarPart[],
): { replies: CalendarReply[]; comment: string } | null {
  const answers = parts.filter(({ method }) => method === 'reply')
  if (answers.length === 0) return null
  const events = answers.flatMap(({ events }) => events)
  const replies = events.flatMap((event) => {
    const uid = uidOf(event)
    const guest = partyOf([event.attendee ?? []].flat()[0])
    if (!uid || !guest || !/^[a-z-]{1,40}$/.test(guest.answer)) return []
    const { address, sentBy, answer } = guest
    return [{ uid, address, sentBy, answer, sequence: sequenceOf(event), at: stampOf(event) }]
  })
  return { replies, comment: events.map(commentOf).find((text) => text !== '') ?? '' }
}
