import { bareSubject, replySubject } from '../../rules/mail/subjects.ts'
import type { Moment } from '../../rules/templates/dates.ts'
import type { Made, Maker, Member } from '../../rules/templates/letters.ts'
import type { Values } from '../../rules/templates/variables.ts'
import { variantFor } from '../../rules/templates/variants.ts'
import type { Db } from '../database.ts'
import { findLetterBefore, findLetterPerson, findSentSubject } from './briefs.ts'
import { findSigner, listSigners, type Signer } from './signers.ts'
import { findTouchFor, type TemplateRow } from './templates.ts'

// Letters that are made from templates, for one person each. What makes them is given, since it is a child process.

/** What templates take from a campaign, as `findBrief` gives it. */
export type Source = {
  agentName: string | null
  company: { name: string; pitch: string } | null
  product: { name: string; description: string } | null
  goal: string
  templates: TemplateRow[]
}

/** `version` is that of the brief: what was written from an earlier one is written again. */
type Current = Source & { version: number }

type Addressed = {
  campaign: string
  person: string
  place: number
  variant: string | null
  connection: string | null
}

type About = Pick<Values, 'person' | 'moment'> & { signer: Omit<Signer, 'member'> | undefined }

/** Why a letter was not made, for its row. */
export type Unmade =
  /** The variables without a value. */
  | { reason: 'missing_value'; missing: string[] }
  /** The member of the template that has failed. */
  | { reason: 'template_failed'; missing: [Member] }

export type FromTemplate = { variant: string } & (
  | { kind: 'made'; subject: string; text: string; html: string | null }
  | ({ kind: 'unmade' } & Unmade)
)

/** The letter of a person by the template of its place; undefined if the place has none. */
export async function makeFromTemplate(
  db: Db,
  make: Maker,
  source: Source,
  touch: Addressed & { workspace: string },
  about: About,
): Promise<FromTemplate | undefined> {
  const template = templateFor(source.templates, touch)
  if (!template) return undefined
  const { variant } = template
  const made = await make({ template, values: valuesOf(source, about) }, touch.workspace)
  if (made.kind === 'failed')
    return { kind: 'unmade', variant, reason: 'template_failed', missing: [made.member] }
  const { missing, text, html } = made
  if (missing.length > 0) return { kind: 'unmade', variant, reason: 'missing_value', missing }
  const subject = made.subject || (await subjectOfThread(db, touch))
  return { kind: 'made', variant, subject, text, html }
}

/** The template of a letter: that of the person's variant. */
export function templateFor(
  templates: TemplateRow[],
  { campaign, person, place, variant }: Omit<Addressed, 'connection'>,
): TemplateRow | undefined {
  const given = templates.filter((template) => template.place === place)
  return variantFor(given, { campaign, person, kept: variant })
}

export const valuesOf = (
  { agentName, company, product, goal }: Omit<Source, 'templates'>,
  { person, signer, moment }: About,
): Values => ({
  moment,
  person,
  agent: agentName === null ? null : { name: agentName },
  member: signer ?? null,
  company,
  product,
  goal,
})

/** A follow-up without a subject answers the letters before it; through another account it begins a thread of that subject. */
async function subjectOfThread(db: Db, touch: Addressed): Promise<string> {
  const [before] = await findLetterBefore(db, touch, touch.connection)
  if (before?.subject) return replySubject(before.subject)
  return bareSubject((await findSentSubject(db, touch)) ?? '')
}

type Of = { id: string; workspace: string }
type Look = {
  person: string
  place: number
  moment: Moment
  /** Whether to make the letter of its template, also if it has words already. */
  anew?: boolean
}
type Nothing = { kind: 'no_person' | 'not_written' }
type Words = { subject: string; text: string; html: string | null }

/** A person's letter: its words, if it is written, or its template and the values that this has now. */
export async function lookAt(
  db: Db,
  { id: campaign, workspace }: Of,
  source: Current,
  { person: id, place, moment, anew = false }: Look,
): Promise<
  | { kind: 'written'; words: Words; connection: string | undefined }
  | { kind: 'template'; template: TemplateRow; connection: string | undefined; values: Values }
  | Nothing
> {
  const person = await findLetterPerson(db, workspace, id)
  if (!person) return { kind: 'no_person' }
  const touch = await findTouchFor(db, { campaign, person: id, place })
  const variant = touch?.variant ?? null
  const template = templateFor(source.templates, { campaign, person: id, place, variant })
  const words = anew ? undefined : wordsOf(touch, source.version, template !== undefined)
  const found = words
    ? { kind: 'written' as const, words }
    : template && { kind: 'template' as const, template }
  if (!found) return { kind: 'not_written' }
  const signers = await listSigners(db, workspace, campaign)
  const connection = touch?.connection ?? signers.find(({ isFit }) => isFit)?.connection
  if (found.kind === 'written') return { ...found, connection }
  const signer = connection === undefined ? signers[0] : await findSigner(db, connection)
  const addressed = { ...person, email: person.email ?? '' }
  const values = valuesOf(source, { person: addressed, signer, moment })
  return { ...found, connection, values }
}

/** The words that a letter would go with; one with a template has none but its own. */
function wordsOf(
  touch: Awaited<ReturnType<typeof findTouchFor>>,
  version: number,
  isTemplated: boolean,
): Words | undefined {
  if (!touch || touch.text === null) return undefined
  const { subject, text, html, ownWords, agreed, brief } = touch
  const isCurrent = ownWords || (!isTemplated && (agreed || brief === version))
  return isCurrent ? { subject: subject ?? '', text, html } : undefined
}

/** The subject that the template of a letter makes of itself; empty if it has none, or lacks a value. */
export async function showSubject(
  db: Db,
  make: Maker,
  of: Of,
  source: Current,
  look: Look,
): Promise<string> {
  const found = await lookAt(db, of, source, look)
  if (found.kind !== 'template') return ''
  const { subject } = found.template
  const template = { subject, text: subject, html: null }
  const made = await make({ template, values: found.values }, of.workspace)
  return made.kind === 'made' && made.missing.length === 0 ? made.subject : ''
}

export type Shown =
  | { kind: 'shown'; variant: string | null; connection: string | null; made: Made }
  | Nothing

/**
 * A letter as a person would receive it now, to look at: names of variables stand where values are missing, and a follow-up
 * before whose time nothing was sent takes its subject from the first template.
 */
export async function showLetter(
  db: Db,
  make: Maker,
  of: Of,
  source: Current,
  look: Look,
): Promise<Shown> {
  const found = await lookAt(db, of, source, look)
  if (found.kind === 'written') {
    const { words, connection = null } = found
    const made = { kind: 'made' as const, ...words, leftOut: [], missing: [] }
    return { kind: 'shown', variant: null, connection, made }
  }
  if (found.kind !== 'template') return found
  const { template, connection, values } = found
  const made = await make({ template, values, named: true }, of.workspace)
  if (made.kind === 'made' && made.subject === '') {
    const sent = await findSentSubject(db, { campaign: of.id, person: look.person })
    const first = templateFor(source.templates, {
      campaign: of.id,
      person: look.person,
      place: 1,
      variant: null,
    })
    const firstMade =
      sent === null && first
        ? await make({ template: { ...first, html: null }, values, named: true }, of.workspace)
        : undefined
    const subject = sent ?? (firstMade?.kind === 'made' ? firstMade.subject : '')
    made.subject = replySubject(subject)
  }
  return { kind: 'shown', variant: template.variant, connection: connection ?? null, made }
}
