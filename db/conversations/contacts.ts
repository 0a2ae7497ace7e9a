import { sql } from 'kysely'
import { gathered } from '../../process/limits/gather.ts'
import { type AddressKind, keyOf, readAddress } from '../../rules/addresses.ts'
import { addressKindOf, type ChannelKind } from '../../rules/channels.ts'
import { isAbout } from '../accounts/suppressions.ts'
import { compiledOnce } from '../compiled.ts'
import type { Db } from '../database.ts'

// What decides who receives a message, and which account of ours sends it, if the call does not say. One file, because one statement
// finds all that decides in nearly every conversation.

/** How an address occurs among the newest messages of a conversation. */
type Spoken = {
  direction: 'inbound' | 'outbound'
  handle: string
  automated: boolean
  suspect: boolean
  /** Where it asks for answers. */
  replies: string[] | null
}

type Known = {
  addresses: { kind: AddressKind; given: string; value: string }[] | null
  /** The one that occurred last comes first. */
  spoken: Spoken[] | null
  first: Spoken | null
  /** The message that is answered, where the call names one. */
  answered: Spoken | null
  /** To whom we wrote beside others, in the form in which addresses are compared. */
  named: string[]
}

const occurrence = sql`direction, automated, suspect,
  case direction when 'inbound' then sender_handle else to_address end as handle,
  -- What a group of ours asks for is no wish of the writer.
  case when direction = 'inbound' and via is null and reply_to is not null
    then array(select one ->> 'address' from jsonb_array_elements(reply_to) one) end as replies`

const said = sql`from messages
  where messages.conversation = conversations.id and messages.state not in ('failed', 'cancelled')`

/** What stands beside a row of conversations: the addresses of its person, and those in its newest messages. */
const known = sql`
  cross join lateral (
    select json_agg(json_build_object('kind', kind, 'given', given, 'value', value) order by position) as list,
      array_agg(lower(given)) as addresses
    from addresses where addresses.person = conversations.person) theirs
  cross join lateral (
    select json_agg(json_build_object('direction', direction, 'handle', handle, 'automated', automated, 'suspect', suspect,
        'replies', replies)
        order by at desc, id desc) as list,
      array_agg(lower(handle)) as addresses
    from (select direction, handle, automated, suspect, replies, max(at) as at, max(id) as id
      from (select at, id, ${occurrence} ${said} order by at desc, id desc limit 200) newest
      group by direction, handle, automated, suspect, replies) occurrences) spoken`

/** The columns of `Known`. */
const knownColumns = (
  answered: string | null,
) => sql`theirs.list as addresses, spoken.list as spoken,
  (select row_to_json(named) from (select ${occurrence} ${said} and id = ${answered}) named) as answered,
  (select row_to_json(earliest) from (
    select ${occurrence} ${said} and not suspect order by at, id limit 1) earliest) as first,
  array(select distinct lower(recipient) from (
    select to_address, to_addresses, cc, bcc ${said} and direction = 'outbound' order by at desc, id desc limit 200) ours,
    unnest(coalesce(to_addresses, '{}') || cc || bcc) recipient) as named`

export type Contacts = ReturnType<typeof contactsOf>

/**
 * Anybody who knows a Message-ID can join a conversation, so without an explicit recipient only addresses of its person are
 * answered.
 */
function contactsOf(channel: ChannelKind, { addresses, spoken, first, answered, named }: Known) {
  const kind = addressKindOf[channel]
  const person = (addresses ?? []).filter((address) => address.kind === kind)
  const heard = (spoken ?? []).filter(({ handle }) => handle !== '')
  const formOf = (handle: string) => readAddress(kind, handle)?.value ?? handle.toLowerCase()
  const own = new Set(person.map(({ value }) => value))
  // A person without an address of this kind is known by the handle that began the conversation. A handle that is not an
  // address, which messengers use, stays theirs whatever their card is given later.
  if (first && (person.length === 0 || !readAddress(kind, first.handle)))
    own.add(formOf(first.handle))
  const isOwn = ({ handle }: Spoken) => own.has(formOf(handle))
  // A mail server that sends a report is not answered, and neither is a sender that the account's server disowns. A person's
  // automatic reply comes from one of their addresses.
  const answerable = heard.filter(
    (one) => !one.suspect && (one.direction === 'outbound' || !one.automated || isOwn(one)),
  )
  const theirs = answerable.filter(isOwn)
  // To whom we wrote beside the person, they may answer too.
  const isHeard = (one: Spoken) =>
    one.direction === 'inbound' && (isOwn(one) || named.includes(formOf(one.handle)))
  const isMeant = answered && !answered.suspect && (isOwn(answered) || isHeard(answered))
  const last = isMeant ? answered : (answerable.find(isHeard) ?? theirs[0])
  const latest = answerable[0]
  const replies = last?.replies ?? []
  const isAsked =
    replies.length > 0 && !replies.some((one) => formOf(one) === formOf(last?.handle ?? ''))
  const asked = isAsked ? replies.find((one) => own.has(formOf(one))) : undefined
  return {
    /**
     * The sender of the message that is answered, if that is the person; otherwise the last inbound sender of whom that is true, or
     * the person's address that we last wrote to.
     */
    last: asked ?? last?.handle,
    /** The last sender and where they ask for answers, if it is not known whose that is. */
    candidates: isAsked && !asked && last ? [...new Set([last.handle, ...replies])] : undefined,
    /** The latest message is from somebody else, or to somebody else. */
    foreign: latest !== undefined && !isOwn(latest),
    person: person.map(({ given }) => given),
    all: [
      ...new Set([
        ...person.map(({ given }) => given),
        ...heard.flatMap(({ handle, replies }) => [handle, ...(replies ?? [])]),
      ]),
    ],
  }
}

export async function listContacts(
  db: Db,
  { id, kind }: { id: string; kind: ChannelKind },
  /** The message that is answered, if it is not the last one. */
  answered: string | null = null,
): Promise<Contacts> {
  const { rows } = await sql<Known>`
    select ${knownColumns(answered)} from conversations ${known} where conversations.id = ${id}`.execute(
    db,
  )
  return contactsOf(kind, rows[0] as Known)
}

/**
 * An address to which one of the newest messages of a conversation went openly beside others, in the form it has there; undefined
 * if there is none, or if it is an account of ours.
 */
export async function findCopied(
  db: Db,
  { workspace, conversation }: { workspace: string; conversation: string },
  /** In the form in which addresses are compared. */
  address: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ address: string }>`
    select address from (select at, id, cc || coalesce(to_addresses, '{}') as addresses
        from messages where workspace = ${workspace} and conversation = ${conversation}
          and state not in ('failed', 'cancelled')
        order by at desc, id desc limit 200) newest, unnest(addresses) as address
    where lower(address) = ${address} and not exists (
      select from connections where workspace = ${workspace} and lower(account) = lower(address))
    order by at desc, id desc limit 1`.execute(db)
  return rows[0]?.address
}

/** An account of ours, with the name that its messages bear. */
export type Sender = { id: string; account: string; name: string }

/** Whom or what a message may be meant for: a card of a person, or an account of ours. */
export type Candidate = {
  /** Null for an address that stands on no card. */
  id: string | null
  /** The address. */
  account: string
  name: string
}

/** Who has one of these addresses: the cards of each in turn, that of `person` first. */
export async function listCandidates(
  db: Db,
  workspace: string,
  { kind, accounts, person }: { kind: AddressKind; accounts: string[]; person: string | null },
): Promise<Candidate[]> {
  const asked = accounts.map((account) => ({
    account,
    value: readAddress(kind, account)?.value ?? account.toLowerCase(),
  }))
  const owners = await db
    .selectFrom('addresses')
    .innerJoin('people', 'people.id', 'addresses.person')
    .select(['addresses.value', 'people.id', 'people.name'])
    .where('addresses.workspace', '=', workspace)
    .where('people.workspace', '=', workspace)
    .where('addresses.kind', '=', kind)
    .where(
      'addresses.value',
      'in',
      asked.map(({ value }) => value),
    )
    .orderBy((eb) => eb('people.id', '=', person ?? ''), 'desc')
    .orderBy('people.id')
    .execute()
  return asked.flatMap(({ account, value }): Candidate[] => {
    const found = owners.filter((owner) => owner.value === value)
    if (found.length === 0) return [{ id: null, account, name: '' }]
    return found.map(({ id, name }) => ({ id, account, name }))
  })
}

type Found = {
  id: string
  person: string
  kind: ChannelKind
  /** That of the conversation, otherwise of its newest mail. */
  subject: string
  /** The account of the conversation. */
  sender: string | null
  account: string
  name: string
  /** The person's addresses, as keys. */
  known: string[]
  /** The subject of the last message received, which is the one that is answered. */
  answered: string | null
  /** Who sent the newest message that came in. */
  heard: string | null
  /** That message asks for answers elsewhere. */
  isElsewhere: boolean
  suppressed: boolean
  /** Its person was erased: nothing more is written in it. */
  isErased: boolean
}

const ours = sql`connections ours
  left join members on members.id = ours.member and members.workspace = ours.workspace`
const nameOfSender = sql`coalesce(members.name, ours.name)`

const listAnswered = compiledOnce((db, workspace: string, ids: string[]) => ({
  compile: () =>
    sql<Found>`
    select conversations.id, conversations.person, conversations.kind,
      coalesce(nullif(subject, ''), (
        select messages.subject from messages
        where messages.conversation = conversations.id and message_id is not null
          and messages.state in ('received', 'sent') and not suspect
        order by at desc, seq desc limit 1), '') as subject,
      ours.id as sender, ours.account, ${nameOfSender} as name,
      array(select addresses.kind || ' ' || value from addresses where addresses.person = conversations.person) as known,
      newest.handle as heard, coalesce(newest.is_elsewhere, false) as is_elsewhere,
      (select messages.subject from messages
        where messages.conversation = conversations.id and direction = 'inbound' and not suspect and report is null
        order by at desc, id desc limit 1) as answered,
      exists (select from suppressions where suppressions.workspace = conversations.workspace
        and reason != 'unsubscribe' and ${isAbout(sql`lower(newest.handle)`)}) as suppressed,
      (select erased_at is not null from people where people.id = conversations.person) as is_erased
    from conversations
      left join (${ours}) on ours.id = conversations.connection
        and ours.workspace = conversations.workspace and ours.kind = conversations.kind and ours.removed_at is null
      left join lateral (
        select sender_handle as handle, via is null and reply_to is not null and not exists (
            select from jsonb_array_elements(reply_to) one
            where lower(one ->> 'address') = lower(sender_handle)) as is_elsewhere from messages
        where messages.conversation = conversations.id and direction = 'inbound' and not suspect
        order by at desc, id desc limit 1) newest on true
    where conversations.workspace = ${workspace} and conversations.id = any(${ids}::text[])`.compile(
      db,
    ),
}))

const findAnswered = gathered<Db, string, Found | undefined>(async (db, workspace, ids) => {
  const rows = await listAnswered(db, workspace, ids)
  return ids.map((id) => rows.find((row) => row.id === id))
})

/**
 * A conversation that a message is to be sent in. `last` is who wrote the newest message, if that is known to be the person:
 * in nearly every conversation, nothing else has to be read.
 */
export async function findReply(db: Db, workspace: string, id: string) {
  const row = await findAnswered(db, workspace, id)
  if (!row) return undefined
  const { sender, account, name, known, heard, isElsewhere, suppressed, ...conversation } = row
  const address = heard === null ? undefined : readAddress(addressKindOf[row.kind], heard)
  return {
    ...conversation,
    sender: sender === null ? undefined : { id: sender, account, name },
    last:
      heard !== null && !isElsewhere && address && known.includes(keyOf(address))
        ? { handle: heard, suppressed }
        : undefined,
  }
}

/** An account of ours; `isDefault` where it is the one that the member in question writes through if several fit. */
export type OwnAccount = Sender & { kind: ChannelKind; isDefault: boolean }

/** Our accounts, of a kind or of all, by name, for a member who chooses among them. */
export async function listSenders(
  db: Db,
  workspace: string,
  member: string,
  kind?: ChannelKind,
): Promise<OwnAccount[]> {
  const { rows } = await sql<OwnAccount>`
    select ours.id, ours.account, ${nameOfSender} as name, ours.kind,
      coalesce(members.id = ${member} and members.default_connection = ours.id, false) as is_default
    from ${ours} where ours.workspace = ${workspace} and ours.removed_at is null ${kind ? sql`and ours.kind = ${kind}` : sql``}
    order by lower(ours.name), ours.id`.execute(db)
  return rows
}

/** An account of ours, with the name that its messages bear now. */
export async function findSender(
  db: Db,
  workspace: string,
  id: string,
): Promise<Sender | undefined> {
  const { rows } = await sql<Sender>`
    select ours.id, ours.account, ${nameOfSender} as name
    from ${ours} where ours.workspace = ${workspace} and ours.id = ${id}`.execute(db)
  return rows[0]
}

/** The signature of the member whose account it is; of the given member, if it is nobody's. */
export async function findSignature(db: Db, workspace: string, connection: string, member: string) {
  const { rows } = await sql<{ signature: string }>`
    select members.signature from members
    where members.workspace = ${workspace} and members.id = coalesce(
      (select ours.member from connections ours where ours.workspace = ${workspace} and ours.id = ${connection}),
      ${member})`.execute(db)
  return rows[0]?.signature ?? ''
}
