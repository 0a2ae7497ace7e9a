import { comparedForm } from '../../rules/addresses.ts'
import type { Db } from '../database.ts'
import type { MeetingRow } from './meetings.ts'

// Which guest of a meeting has written about it.

/** `named` is whom the calendar program names; `references` are the Message-IDs that the mail refers to. */
export type Written = {
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
export async function guestOf(
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
