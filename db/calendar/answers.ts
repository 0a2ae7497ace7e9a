import { comparedForm } from '../../rules/addresses.ts'
import { plainLine } from '../../rules/text.ts'
import type { Db, Trx } from '../database.ts'
import { recordEvent } from '../events/events.ts'
import { notify } from '../events/notifications.ts'
import { newId } from '../ids.ts'
import { lockByUid, type MeetingRow } from './meetings.ts'
import type { Proposal, Reply } from './tables.ts'

// What guests say about meetings that were booked here.

type Said = Written & { workspace: string; uid: string; at: Date }

/**
 * Writes a guest's answer to an invitation (iMIP METHOD:REPLY, RFC 6047): `answer` is a PARTSTAT in lower case, `at` the
 * reply's DTSTAMP or its arrival, `sequence` the version of the meeting that it answers, if it says so. A reply older than the
 * known one, or to a former time, changes nothing, but the guest's own replaces one that is unverified. The member of the calendar
 * is notified of one who declines, and of one who answers from another address than the invited one. Answers the meeting's id, or
 * undefined if the workspace has booked no meeting with that UID or the answer may be anybody's.
 */
export async function recordReply(
  trx: Trx,
  reply: Said & { answer: string; sequence: number | null },
  now: Date,
): Promise<string | undefined> {
  const meeting = await lockByUid(trx, reply.workspace, reply.uid)
  const guest = meeting && (await guestOf(trx, meeting, reply))
  if (!guest) return undefined
  if (reply.sequence !== null && reply.sequence < meeting.sequence) return meeting.id
  const { address } = guest
  const known = meeting.replies.find((other) => other.address === address)
  const answer = reply.answer.trim().toLowerCase().slice(0, 40)
  const knownAt = known ? new Date(known.at).getTime() : Number.NaN
  // Whoever answers for a guest may date it as they like: what the guest has said counts over it.
  const isTheirs = known?.unverified === true && guest.verified
  // Some programs add the same answer twice.
  const isKnown = knownAt === reply.at.getTime() && known?.answer === answer
  if (!isTheirs && (isKnown || knownAt > reply.at.getTime())) return meeting.id
  const replies: Reply[] = [
    ...meeting.replies.filter((other) => other !== known),
    { address, answer, at: reply.at.toISOString(), ...(!guest.verified && { unverified: true }) },
  ]
  await trx
    .updateTable('meetings')
    .set({ replies: JSON.stringify(replies) })
    .where('id', '=', meeting.id)
    .execute()
  await tell(trx, meeting, { kind: 'meeting.replied', data: { answer } }, now)
  if (!guest.verified) {
    const who = `${plainLine(reply.from)} has answered for ${address}`
    await notifyMember(
      trx,
      meeting,
      `${who}: ${answer}. Nothing proves that it is the same person.`,
      now,
    )
  } else if (answer === 'declined')
    await notifyMember(trx, meeting, `${address} has declined.`, now)
  return meeting.id
}

// A guest may ask again and again; what they asked last counts.
const mostProposals = 50

/** Keeps another time that a guest proposes (METHOD:COUNTER, RFC 5546, 3.2.7). Answers the meeting's id, or undefined as recordReply does. */
export async function recordProposal(
  trx: Trx,
  given: Said & { startsAt: Date; endsAt: Date; comment: string | null },
  now: Date,
): Promise<string | undefined> {
  const meeting = await lockByUid(trx, given.workspace, given.uid)
  const guest = meeting?.state === 'booked' && (await guestOf(trx, meeting, given))
  if (!meeting || !guest) return undefined
  const by = guest.address
  const proposal: Proposal = {
    id: newId('prp'),
    by,
    comment: given.comment,
    at: given.at.toISOString(),
    state: 'open',
    startsAt: given.startsAt.toISOString(),
    endsAt: given.endsAt.toISOString(),
  }
  const others = meeting.proposals.filter((one) => one.by !== by || one.state !== 'open')
  await keepProposals(trx, meeting.id, [...others, proposal].slice(-mostProposals))
  await tell(trx, meeting, { kind: 'meeting.proposed', data: { proposal: proposal.id } }, now)
  return meeting.id
}

const keepProposals = (trx: Trx, meeting: string, proposals: Proposal[]) =>
  trx
    .updateTable('meetings')
    .set({ proposals: JSON.stringify(proposals) })
    .where('id', '=', meeting)
    .execute()

/** Notes what was decided about a proposal of a locked meeting. */
export const decideProposal = (
  trx: Trx,
  { id, proposals }: MeetingRow,
  decided: string,
  state: 'accepted' | 'declined',
) =>
  keepProposals(
    trx,
    id,
    proposals.map((one) => (one.id === decided ? { ...one, state } : one)),
  )

const tell = (
  trx: Trx,
  { id, workspace }: MeetingRow,
  event: { kind: 'meeting.replied' | 'meeting.proposed'; data: Record<string, string> },
  at: Date,
) => recordEvent(trx, { workspace, at, resource: id, ...event })

const notifyMember = (trx: Trx, { workspace, member, title }: MeetingRow, what: string, at: Date) =>
  notify(trx, {
    workspace,
    member,
    at,
    kind: 'meeting.replied',
    text: `The meeting “${plainLine(title.slice(0, 100))}”: ${what}`,
  })

// Which guest of a meeting has written about it.

/** `named` is whom the calendar program names; `references` are the Message-IDs that the mail refers to. */
type Written = {
  from: string
  named: string | undefined
  sentBy: string | null
  references: string[]
}

/** The guest as they were invited, and whether the mail came from that address and speaks for nobody else. */
export type Guest = { address: string; verified: boolean }

/**
 * The guest whom a mail is from: the one that it names, the one who sent it, one with whom the sender shares a card, the one
 * whose invitation it answers, or the only one there is. Undefined if it may be anybody.
 */
async function guestOf(
  db: Db,
  { id, workspace, guests }: MeetingRow,
  { from, named, sentBy, references }: Written,
): Promise<Guest | undefined> {
  const sender = comparedForm(from)
  const isInvited = (address: string | undefined) =>
    address !== undefined && guests.includes(address) ? address : undefined
  const stated = isInvited(named && comparedForm(named))
  if (stated !== undefined && stated === sender)
    return { address: stated, verified: sentBy === null || comparedForm(sentBy) === sender }
  const address =
    stated ??
    isInvited(sender) ??
    (await findByCard(db, workspace, [sender, ...(named ? [comparedForm(named)] : [])], guests)) ??
    (await findByInvitation(db, workspace, id, references)) ??
    (guests.length === 1 ? guests[0] : undefined)
  return address === undefined ? undefined : { address, verified: false }
}

async function findByCard(db: Db, workspace: string, known: string[], guests: string[]) {
  const row = await db
    .selectFrom('addresses as given')
    .innerJoin('addresses as other', 'other.person', 'given.person')
    .select('other.value')
    .where('given.workspace', '=', workspace)
    .where('given.kind', '=', 'email')
    .where('given.value', 'in', known)
    .where('other.kind', '=', 'email')
    .where('other.value', 'in', guests.length > 0 ? guests : [''])
    .orderBy('other.value')
    .limit(1)
    .executeTakeFirst()
  return row?.value
}

async function findByInvitation(db: Db, workspace: string, meeting: string, references: string[]) {
  if (references.length === 0) return undefined
  const row = await db
    .selectFrom('invitations')
    .select('address')
    .where('workspace', '=', workspace)
    .where('meeting', '=', meeting)
    .where('messageId', 'in', references)
    .limit(1)
    .executeTakeFirst()
  return row?.address
}
