import type { Db } from '../database.ts'
import { withOwnIds } from '../outgoing/letter-ids.ts'
import type { Inbound, Judged } from './inbound.ts'
import { findPerson, findProof, findWrittenTo, type Proof } from './proof.ts'
import { weighSigns } from './signs.ts'

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
    ids: await withOwnIds(db, inbound, inbound.report.ids),
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

/** What a report proves, and whom it is about. */
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
