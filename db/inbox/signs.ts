import { type SqlBool, sql } from 'kysely'
import { untagged } from '../../rules/subjects.ts'
import type { Db } from '../database.ts'
import type { Inbound, Verdict } from './inbound.ts'
import { areOfOurs } from './our-letters.ts'
import { findPerson } from './proof.ts'
import { findContinued } from './thread.ts'

// Whether a person wrote a message. Ticket systems, group addresses and many servers put the headers of programs into people's
// answers, so such headers count only in mail that answers no letter of ours. In doubt it is a person, and the owner is told:
// a letter that goes on over an answer is worse than one that does not go.

type Writer = Pick<Verdict, 'automated' | 'unclear' | 'outOfOfficeUntil'>

/** Decides about a message with signs that prove nothing by themselves. Its references name our letters by our own ids too. */
export async function weighSigns(db: Db, inbound: Inbound): Promise<Writer> {
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
    ...{ person, connection, subject, at },
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
