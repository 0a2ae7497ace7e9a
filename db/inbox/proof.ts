import { sql } from 'kysely'
import { readEmail } from '../../rules/addresses.ts'
import type { Db } from '../database.ts'
import { findOwners } from '../people/people.ts'

// What reports of servers and providers prove. Anybody can send a report, so it acts only on the letter that it proves to know:
// by its Message-ID, which nobody can guess, by the account it went from and by its recipient.

// A letter without a report within this time counts as delivered.
export const provenMs = 14 * 24 * 60 * 60 * 1000

export type Report = {
  kind: 'bounce' | 'complaint' | 'delivery'
  permanent: boolean
  code: string | null
  recipients: string[]
  /** Message-IDs that the report names; the likeliest first. */
  ids: string[]
  /** Bad news about other recipients of the same letter, with another code. */
  others?: Pick<Report, 'recipients' | 'code' | 'permanent'>[] | undefined
  /** It comes from a mail server, and its words do not say what it reports: it holds letters, and does nothing else. */
  unclear?: boolean | undefined
}

/** The letter that a report proves to know. */
export type Proof = {
  /** One of our own letters: a message, a campaign letter that is still being sent, or an invitation. */
  kind: 'message' | 'touch' | 'invitation'
  id: string
  messageId: string
  /** The recipient that the report is about: the letter's own, or else one of Cc or Bcc. */
  recipient: string
  /** The person who has that address, or whose letter it was. */
  person: string | null
  /** What the report says about this recipient. */
  said: Pick<Report, 'code' | 'permanent'>
  /** What it says about recipients in Cc and Bcc; their letters came back, and not that to the letter's own recipient. */
  copies: Copy[]
  /** It says nothing about the letter's own recipient. */
  isOfCopy: boolean
}

type Copy = Pick<Report, 'code' | 'permanent'> & { address: string }

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
  if (report.ids.length === 0) return undefined
  const since = new Date(now.getTime() - provenMs)
  const { rows } = await sql<Letter>`
    select * from (
      select 'message' as kind, m.id, m.message_id, m.to_address as recipient, t.person, m.cc || m.bcc as copies
      from messages m left join touches t on t.workspace = m.workspace and t.id = m.touch
      where m.workspace = ${workspace} and m.message_id = any(${report.ids}::text[])
        and m.connection = ${connection} and m.direction = 'outbound'
        and (m.operation is not null or m.touch is not null)
        and m.state in ('sending', 'sent', 'failed')
        and coalesce(m.sent_at, case m.state when 'sending' then m.claimed_at end) >= ${since}
      union all
      select 'touch', id, message_id, to_address, person, '{}' from touches
      where workspace = ${workspace} and message_id = any(${report.ids}::text[])
        and connection = ${connection} and state = 'sending' and claimed_at >= ${since}
      union all
      select 'invitation', id, message_id, address, null, '{}' from invitations
      where workspace = ${workspace} and message_id = any(${report.ids}::text[])
        and connection = ${connection} and state in ('sending', 'sent', 'failed')
        and coalesce(sent_at, case state when 'sending' then claimed_at end) >= ${since}) ours
    order by array_position(${report.ids}::text[], message_id)`.execute(db)
  const parts = [report, ...(report.others ?? [])]
  const isUnnamed = parts.every(({ recipients }) => recipients.length === 0)
  const about = (address: string) =>
    parts.find(({ recipients }) => recipients.some((one) => formOf(one) === formOf(address)))
  const copiesOf = ({ copies }: Letter): Copy[] =>
    copies.flatMap((address) => {
      const said = about(address)
      return said ? [{ address, code: said.code, permanent: said.permanent }] : []
    })
  for (const part of parts) {
    const named = new Set(part.recipients.map(formOf))
    const row = rows.find(({ recipient }) => isUnnamed || named.has(formOf(recipient)))
    if (!row) continue
    const person = row.person ?? (await findPerson(db, workspace, [row.recipient])) ?? null
    return { ...row, person, said: saidIn(part), copies: copiesOf(row), isOfCopy: false }
  }
  for (const row of rows) {
    const copies = copiesOf(row)
    const [copy] = copies
    if (!copy) continue
    const person = (await findPerson(db, workspace, [copy.address])) ?? null
    return { ...row, recipient: copy.address, person, said: saidIn(copy), copies, isOfCopy: true }
  }
  return undefined
}

type Letter = Pick<Proof, 'kind' | 'id' | 'messageId' | 'recipient' | 'person'> & {
  copies: string[]
}

const saidIn = ({ code, permanent }: Proof['said']) => ({ code, permanent })

const formOf = (address: string) => readEmail(address.trim())?.value ?? address.trim().toLowerCase()

/** The people we know among the addresses that a report names, the likeliest first. */
export async function findPerson(
  db: Db,
  workspace: string,
  recipients: string[],
): Promise<string | undefined> {
  const addresses = recipients.flatMap((text) => readEmail(text.trim()) ?? [])
  const owners = await findOwners(db, workspace, addresses)
  return addresses.map(({ value }) => owners.get(`email ${value}`)).find((id) => id !== undefined)
}
