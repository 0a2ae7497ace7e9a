import { sql } from 'kysely'
import { comparedForm, readAddress } from '../../rules/addresses.ts'
import { keysOfId } from '../../rules/letter-ids.ts'
import { bareSubject } from '../../rules/mail/subjects.ts'
import { keptHtml } from '../../rules/text.ts'
import { openConversation } from '../conversations/conversations.ts'
import type { Db, Trx } from '../database.ts'
import { type Inbound, insertMail, wayOf } from '../inbox/inbound.ts'
import { findByHandle, makePerson } from '../inbox/people.ts'
import { datedOf, isSameDate, ownKey } from '../inbox/same-mail.ts'
import { findContinued, findReferred } from '../inbox/thread.ts'
import { lockAddresses } from '../people/cards.ts'
import { findErased } from '../people/erased.ts'
import { findOwners } from '../people/people.ts'
import type { SecretKey } from '../secrets.ts'
import type { HistoryMessage } from './history.ts'

// Mail of past years, stored as if it had always been here. It has no consequences: nobody is notified or written to, no
// conversation wakes or reopens, no letter stops, and no event is recorded. Mail may arrive in any order, an answer before the
// mail that it answers.

export type Account = { workspace: string; connection: string }

export type PastMail = Pick<
  Inbound,
  | 'from'
  | 'via'
  | 'replyTo'
  | 'to'
  | 'toAddresses'
  | 'cc'
  | 'subject'
  | 'text'
  | 'html'
  | 'at'
  | 'references'
  | 'files'
  | 'automated'
> & {
  bcc: string[]
  messageId: string
  direction: 'inbound' | 'outbound'
  /** The date in its head. */
  dated: Date | null
  aside: boolean
  suspect: boolean
}

/**
 * Locks the senders and recipients of these mails, and the people whose conversations they may belong to, against the reader of
 * the mailbox. Look up what is known only afterwards.
 */
export async function lockPastMail(
  trx: Trx,
  { workspace, connection }: Account,
  mails: PastMail[],
) {
  const handles = mails.flatMap(({ from, to }) => [from.address, to])
  const addresses = handles.flatMap((handle) => readAddress('email', handle) ?? [])
  const others = mails.map(({ from }) => ({
    kind: 'email' as const,
    value: from.address.toLowerCase(),
  }))
  await lockAddresses(trx, workspace, [...addresses, ...others])
  const owners = [...(await findOwners(trx, workspace, addresses)).values()]
  const ids = mails.map(({ messageId }) => messageId)
  const references = [...new Set(mails.flatMap(({ references }) => references))]
  await sql`select id from people where id in (
      select c.person from messages m join conversations c on c.id = m.conversation
      where m.workspace = ${workspace} and m.message_id = any(${references}::text[])
      union select c.person from messages m join conversations c on c.id = m.conversation
      where m.workspace = ${workspace} and m.connection = ${connection} and m.in_reply_to = any(${ids}::text[])
      union select unnest(${owners}::text[]))
    order by id for no key update`.execute(trx)
}

/**
 * Stores a mail that is not known yet; answers its conversation, or undefined if the mail has no recipient, or is from or to
 * somebody who was erased. `isSecond`: another mail
 * has its id.
 */
export async function insertPastMail(
  trx: Trx,
  account: Account,
  mail: PastMail,
  isSecond: boolean,
  now: Date,
  secretKey: SecretKey,
): Promise<string | undefined> {
  const { workspace, connection } = account
  const inbound = mail.direction === 'inbound'
  const other = inbound ? mail.from : { name: '', address: mail.to }
  const address = readAddress('email', other.address)
  if (!inbound && !address) return undefined
  const near =
    (await findReferred(trx, workspace, connection, mail.references)) ??
    (await findReferring(trx, account, mail.messageId))
  const sender = { ...account, from: other }
  const owner = address
    ? (await findOwners(trx, workspace, [address])).values().next().value
    : await findByHandle(trx, sender)
  if (!owner && address && (await findErased(trx, secretKey, workspace, [address])).size > 0)
    return undefined
  const person =
    owner ??
    (inbound ? near?.person : undefined) ??
    (await makePerson(trx, sender, address, now, inbound))
  const { subject, at, automated } = mail
  const conversation =
    near?.conversation ??
    (await findContinued(trx, { ...mail, person, connection, kind: 'email' })) ??
    (await openConversation(trx, {
      workspace,
      person,
      connection,
      kind: 'email',
      at,
      // The answer may arrive before the mail that it answers.
      subject: bareSubject(subject),
      automated: automated || !inbound,
    }))
  await insertMail(trx, mail, {
    workspace,
    connection,
    conversation,
    automated,
    direction: mail.direction,
    messageId: mail.messageId,
    dated: mail.dated,
    ...(inbound
      ? {
          state: 'received' as const,
          externalId: ownKey({ ...mail, externalId: mail.messageId }, isSecond),
        }
      : { state: 'sent' as const, sentAt: at, filed: true }),
    ...wayOf(mail),
    html: keptHtml(mail.html),
    inReplyTo: mail.references.at(-1) ?? null,
    refersTo: mail.references.slice(-100),
    suspect: mail.suspect,
  })
  return conversation
}

/** The conversation of a message that answers this one and was stored before it. */
const findReferring = (db: Db, { workspace, connection }: Account, messageId: string) =>
  db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation')
    .select(['messages.conversation', 'conversations.person'])
    .where('messages.workspace', '=', workspace)
    .where('messages.connection', '=', connection)
    .where('messages.inReplyTo', '=', messageId)
    .orderBy('messages.at')
    .limit(1)
    .executeTakeFirst()

/**
 * Recalculates from all messages of these conversations when the last one was, and who is awaited since when: us since the
 * first message that nobody has answered, otherwise the client since we last wrote. Automatic mail that came in awaits no
 * answer.
 */
export async function settleConversations(trx: Trx, conversations: string[]) {
  if (conversations.length === 0) return
  await sql`
    update conversations set
      last_message_at = greatest(conversations.last_message_at, said.last),
      waiting_for = case when said.unanswered is not null then 'us' when said.ours is not null then 'client'
        else conversations.waiting_for end,
      waiting_since = coalesce(said.unanswered, said.ours, conversations.waiting_since)
    from (
      select c.id, last.at as last, ours.at as ours, unanswered.at as unanswered
      from (select id from conversations where id = any(${conversations}::text[]) order by id for update) c
      left join lateral (select at from messages m
        where m.conversation = c.id and m.state in ('received', 'sent')
        order by at desc limit 1) last on true
      left join lateral (select at from messages m
        where m.conversation = c.id and m.direction = 'outbound' and m.state = 'sent'
        order by at desc limit 1) ours on true
      left join lateral (select at from messages m
        where m.conversation = c.id and m.direction = 'inbound' and not m.automated
          and not m.suspect and m.at > coalesce(ours.at, '-infinity')
        order by at limit 1) unanswered on true) said
    where conversations.id = said.id`.execute(trx)
}

/** Notes that a parse has read these mails, those from a given moment on; answers the ones that it had not read before. */
export async function meetMail(
  trx: Trx,
  { workspace, connection }: Account,
  archive: string,
  ids: string[],
  since: Date | null,
): Promise<HistoryMessage[]> {
  const { rows } = await sql<HistoryMessage>`
    with met as (
      update messages set archive = ${archive}
      where workspace = ${workspace} and connection = ${connection} and message_id = any(${ids}::text[])
        and state in ('received', 'sent') and archive is distinct from ${archive}
        and at >= coalesce(${since}::timestamptz, '-infinity')
      returning conversation, direction, automated or suspect as automated, subject, text, sender_handle, to_address)
    select met.conversation, c.person, c.kind, false as group, met.direction, met.automated, met.subject, met.text,
      case met.direction when 'inbound' then met.sender_handle else met.to_address end as handle
    from met join conversations c on c.id = met.conversation`.execute(trx)
  return rows
}

// Which mails of a mailbox are here already. As for mail that comes in, an id alone does not say so: programs give several mails one
// id. From and Date tell them apart.

/** What distinguishes a mail from others with its id. */
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
