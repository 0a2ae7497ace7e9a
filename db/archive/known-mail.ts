import { sql } from 'kysely'
import { comparedForm } from '../../rules/addresses.ts'
import { keysOfId } from '../../rules/letter-ids.ts'
import type { Db } from '../database.ts'
import { datedOf, isSameDate } from '../inbox/same-mail.ts'

// Which mails of a mailbox are here already. As for mail that comes in, an id alone does not say so: programs give several mails one
// id. From and Date tell them apart.

/** What tells a mail from others with its id. */
export type Known = {
  messageId: string
  /** Whoever may have written it: its sender, and the address of ours through which a group or a form sent it. */
  senders: (string | null | undefined)[]
  dated: Date | null
  isOurs: boolean
}

export type KnownMail = {
  /** Whether another mail has this id. */
  hasId(messageId: string): boolean
  has(mail: Known): boolean
  /** Whether the mail with this id and date is here whose From, as it is written, names its sender. */
  hasHead(messageId: string, from: string, dated: Date | null): boolean
  add(mail: Known): void
}

/**
 * Of these Message-IDs, the mails that an account knows: as a message, or as a letter that is being sent and will become one. This
 * is one statement, because a letter that is settled meanwhile must be found in one form or the other.
 */
export async function listKnownMail(
  db: Db,
  { workspace, connection }: { workspace: string; connection: string },
  ids: string[],
): Promise<KnownMail> {
  const keys = new Map(ids.flatMap((id) => keysOfId(id).map((key) => [key, id])))
  const { rows } = await sql<{
    id: string
    sender: string
    via: string | null
    dated: Date | null
    isOurs: boolean
  }>`
    select m.message_id as id, m.sender_handle as sender, m.via, ${datedOf} as dated, m.direction = 'outbound' as is_ours
    from messages m
    where m.workspace = ${workspace} and m.message_id = any(${ids}::text[]) and m.connection = ${connection}
    union all
    select t.message_id, c.account, null, (t.head ->> 'date')::timestamptz, true
    from touches t join connections c on c.id = t.connection and c.workspace = t.workspace
    where t.workspace = ${workspace} and t.message_id = any(${ids}::text[]) and t.state = 'sending'
    union all
    -- The provider's copy of a letter of ours, under its own id.
    select l.id, c.account, null, null, true
    from letter_ids l join connections c on c.id = l.connection and c.workspace = l.workspace
    where l.workspace = ${workspace} and l.id = any(${[...keys.keys()]}::text[]) and l.connection = ${connection}`.execute(
    db,
  )
  const known = rows.map(
    ({ id, sender, via, ...row }): Known => ({
      ...row,
      messageId: keys.get(id) ?? id,
      senders: [sender, via],
    }),
  )
  const withId = (messageId: string) => known.filter((one) => one.messageId === messageId)
  return {
    hasId: (messageId) => withId(messageId).length > 0,
    has: (mail) => withId(mail.messageId).some((one) => isSame(one, mail)),
    hasHead: (messageId, from, dated) =>
      withId(messageId).some(
        (one) =>
          isSameDate(one.dated, dated) &&
          addressesOf(one).some((address) => from.toLowerCase().includes(address)),
      ),
    add: (mail) => known.push(mail),
  }
}

/** A provider may have put another sender of ours into a letter of ours. */
const isSame = (one: Known, other: Known): boolean =>
  isSameDate(one.dated, other.dated) &&
  ((one.isOurs && other.isOurs) ||
    addressesOf(one).some((address) => addressesOf(other).includes(address)))

const addressesOf = ({ senders }: Known): string[] =>
  senders.flatMap((sender) => (sender ? comparedForm(sender) : []))
