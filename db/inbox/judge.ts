import { type SqlBool, sql } from 'kysely'
import { untagged } from '../../rules/mail/subjects.ts'
import type { Db } from '../database.ts'
import { withOwnIds } from '../outgoing/letter-ids.ts'
import type { Inbound, Judged, Verdict } from './inbound.ts'
import { areOfOurs } from './our-letters.ts'
import { findPerson, findProof, findWrittenTo, type Proof } from './proof.ts'
import { findContinued } from './thread.ts'

// What a mail says about itself and about our letters is one thing, and what we believe of it is another: this is where the one
// becomes the other.

/** `nearest`: the id that it refers to last. `about`: the person whom a report is about, as far as we know them. */
type Judgement = {
  mail: Judged
  nearest: string | undefined
  proof: Proof | undefined
  about: string | undefined
}

/** `isOurs`: it came under the id of a letter of ours. */
export async function judge(
  db: Db,
  inbound: Inbound,
  isOurs: boolean,
  now: Date,
): Promise<Judgement> {
  // A program has given its answer the id of the letter that it answers.
  const named = isOurs ? [...inbound.references, inbound.externalId] : inbound.references
  const references = await withOwnIds(db, inbound, named)
  const writer = await weighSigns(db, { ...inbound, references })
  const report = inbound.report && {
    ...inbound.report,
    refersTo: await withOwnIds(db, inbound, inbound.report.refersTo),
  }
  const { proof, about } = await weigh(db, { ...inbound, report }, now)
  const mail = {
    ...inbound,
    ...writer,
    references: proof ? [...references, proof.messageId] : references,
    report: report && { ...report, ...proof?.said },
  }
  return { mail, nearest: named.at(-1), proof, about }
}

/** What a report proves, and who it is about. */
async function weigh(
  db: Db,
  { workspace, connection, report, suspect }: Inbound,
  now: Date,
): Promise<{ proof?: Proof | undefined; about?: string | undefined }> {
  if (!report || suspect) return {}
  const proof = await findProof(db, { workspace, connection }, report, now)
  if (proof) return { proof, about: proof.person ?? undefined }
  const named = await findPerson(db, workspace, report.recipients)
  return { about: named ?? (await findWrittenTo(db, { workspace, connection }, report, now)) }
}

// Whether a person wrote a message. Ticket systems, group addresses and many servers put the headers of programs into people's
// answers, so such headers count only in mail that answers no letter of ours. In doubt it is a person, and the owner is notified:
// a letter that goes on over an answer is worse than one that does not go.

type Writer = Pick<Verdict, 'automated' | 'unclear' | 'outOfOfficeUntil'>

/** Decides about a message with signs that prove nothing by themselves. Its references name our letters by our own ids too. */
async function weighSigns(db: Db, inbound: Inbound): Promise<Writer> {
  const { automated, unclear = false, weak = false, outOfOfficeUntil } = inbound
  if (automated) return { automated, unclear, outOfOfficeUntil }
  const isDoubtful = weak && !(await areOfOurs(db, inbound.workspace, inbound.references))
  if (isDoubtful && !(await continues(db, inbound)))
    return { automated: true, unclear: false, outOfOfficeUntil }
  // A person who writes is there.
  return { automated: false, unclear: unclear || isDoubtful, outOfOfficeUntil: undefined }
}

/**
 * Whether it has the subject of a conversation in which we have written to its sender. Some ticket systems drop the references,
 * and put a number into the subject.
 */
async function continues(db: Db, inbound: Inbound): Promise<boolean> {
  const { workspace, connection, from, at } = inbound
  const subject = untagged(inbound.subject)
  if (subject === '') return false
  const person = await findPerson(db, workspace, [from.address])
  if (person === undefined) return false
  const conversation = await findContinued(db, {
    person,
    connection,
    subject,
    at,
    kind: 'email',
    evenGeneral: true,
  })
  if (conversation === undefined) return false
  const written = await db
    .selectFrom('messages')
    .select(sql<SqlBool>`true`.as('is'))
    .where('workspace', '=', workspace)
    .where('conversation', '=', conversation)
    .where('direction', '=', 'outbound')
    .limit(1)
    .executeTakeFirst()
  return written !== undefined
}
