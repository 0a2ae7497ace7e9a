import { sql } from 'kysely'
import { comparedForm, readEmail } from '../../rules/addresses.ts'
import type { Report } from '../../rules/mail/received.ts'
import type { Db } from '../database.ts'
import { findOwners } from '../people/people.ts'

// Which letter of ours a report is about. Anybody can send a report, so it counts only for the letter that it proves to know: by
// its Message-ID, which nobody can guess, by the account it went from and by one of its recipients.

const day = 24 * 60 * 60 * 1000
/** A letter without a report within this time counts as delivered. */
export const provenMs = 14 * day

/** The letter that a report proves to know. */
export type Proof = {
  /** One of our own letters: a message, a campaign letter that is still being sent, or an invitation. */
  kind: 'message' | 'touch' | 'invitation'
  id: string
  messageId: string
  /** The recipient that is reported first: the one of the letter, if the report names them. */
  recipient: string
  /** The person who has that address, or whose letter it was. */
  person: string | null
  /** What the report says about this recipient. */
  said: Said
  /** The letter itself came back, and not only a copy of it. */
  isLetter: boolean
  /** What it says about addresses that only got a copy of the letter (Cc, Bcc). */
  copies: { recipient: string; person: string | null; said: Said }[]
}

type Said = Pick<Report, 'code' | 'permanent'>

export type Where = { workspace: string; connection: string }

/**
 * Only letters that this service wrote: the Message-ID of mail that a member sent from a mail program is known to everybody who
 * got a copy.
 */
export async function findProof(
  db: Db,
  { workspace, connection }: Where,
  report: Report,
  now: Date,
): Promise<Proof | undefined> {
  if (report.refersTo.length === 0) return undefined
  const since = new Date(now.getTime() - provenMs)
  const { rows } = await sql<{
    kind: Proof['kind']
    id: string
    messageId: string
    recipient: string
    copies: string[]
    person: string | null
  }>`
    select * from (
      select 'message' as kind, m.id, m.message_id, m.to_address as recipient, m.cc || m.bcc as copies, t.person
      from messages m left join touches t on t.workspace = m.workspace and t.id = m.touch
      where m.workspace = ${workspace} and m.message_id = any(${report.refersTo}::text[])
        and m.connection = ${connection} and m.direction = 'outbound'
        and (m.operation is not null or m.touch is not null)
        and m.state in ('sending', 'sent', 'failed')
        and coalesce(m.sent_at, case m.state when 'sending' then m.claimed_at end) >= ${since}
      union all
      select 'touch', id, message_id, to_address, '{}', person from touches
      where workspace = ${workspace} and message_id = any(${report.refersTo}::text[])
        and connection = ${connection} and state = 'sending' and claimed_at >= ${since}
      union all
      select 'invitation', id, message_id, address, '{}', null from invitations
      where workspace = ${workspace} and message_id = any(${report.refersTo}::text[])
        and connection = ${connection} and state in ('sending', 'sent', 'failed')
        and coalesce(sent_at, case state when 'sending' then claimed_at end) >= ${since}) ours
    order by array_position(${report.refersTo}::text[], message_id)`.execute(db)
  const parts = [report, ...(report.others ?? [])].map(({ recipients, code, permanent }) => ({
    named: new Set(recipients.map(comparedForm)),
    said: { code, permanent },
  }))
  const isUnnamed = parts.every(({ named }) => named.size === 0)
  const saidOf = (address: string) =>
    parts.find(({ named }) => named.has(comparedForm(address)))?.said ?? null
  for (const { recipient, copies, person, ...letter } of rows) {
    // Of several recipients, a report that names none may mean any.
    const [part] = parts
    const said = isUnnamed && part && copies.length === 0 ? part.said : saidOf(recipient)
    const copied = await saidOfCopies(db, workspace, copies, saidOf)
    const main = said ? { recipient, person, said } : copied[0]
    if (!main) continue
    const about = main.person ?? (await findPerson(db, workspace, [main.recipient])) ?? null
    return { ...letter, ...main, person: about, isLetter: said !== null, copies: copied }
  }
  return undefined
}

async function saidOfCopies(
  db: Db,
  workspace: string,
  copies: string[],
  saidOf: (address: string) => Said | null,
): Promise<Proof['copies']> {
  const found = [...new Set(copies)].flatMap((recipient) => {
    const said = saidOf(recipient)
    return said ? [{ recipient, said }] : []
  })
  const ownerOf = await findOwner(
    db,
    workspace,
    found.map(({ recipient }) => recipient),
  )
  return found.map((copy) => ({ ...copy, person: ownerOf(copy.recipient) ?? null }))
}

/**
 * The person to whom one of the letters went that a report names. It may name another recipient than the letter has: mail is
 * forwarded, and the address to which it was forwarded fails.
 */
export async function findWrittenTo(
  db: Db,
  { workspace, connection }: Where,
  { refersTo: ids }: Report,
  now: Date,
): Promise<string | undefined> {
  if (ids.length === 0) return undefined
  const since = new Date(now.getTime() - provenMs)
  const { rows } = await sql<{ person: string }>`
    select c.person from messages m join conversations c on c.id = m.conversation
    where m.workspace = ${workspace} and m.message_id = any(${ids}::text[]) and m.connection = ${connection}
      and m.direction = 'outbound' and (m.operation is not null or m.touch is not null)
      and m.state in ('sent', 'failed') and m.sent_at >= ${since}
    order by array_position(${ids}::text[], m.message_id) limit 1`.execute(db)
  return rows[0]?.person
}

/** The people we know among the addresses that a report names, the likeliest first. */
export async function findPerson(
  db: Db,
  workspace: string,
  recipients: string[],
): Promise<string | undefined> {
  const ownerOf = await findOwner(db, workspace, recipients)
  return recipients.map(ownerOf).find((id) => id !== undefined)
}

/** Reads the owners of all these addresses at once, and answers who has one of them. */
async function findOwner(db: Db, workspace: string, recipients: string[]) {
  const addresses = recipients.flatMap((text) => readEmail(text.trim()) ?? [])
  const owners = await findOwners(db, workspace, addresses)
  return (text: string) => {
    const address = readEmail(text.trim())
    return address && owners.get(`email ${address.value}`)
  }
}
