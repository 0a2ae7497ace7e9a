import { createHash, randomBytes } from 'node:crypto'
import {
  findBrief,
  findLetterBefore,
  findLetterPerson,
  listInstructions,
} from '../../db/campaigns/briefs.ts'
import { makeFromTemplate, type Unmade } from '../../db/campaigns/made-letters.ts'
import {
  areOneMember,
  findSigner,
  listSigners,
  type Signer,
  signatureOf,
} from '../../db/campaigns/signers.ts'
import { reviewUnmade } from '../../db/campaigns/templates.ts'
import * as sending from '../../db/campaigns/touch-sending.ts'
import {
  failTouches,
  findTouch,
  listForReview,
  type TouchRow,
  type WrittenText,
  writeTouch,
} from '../../db/campaigns/touches.ts'
import type { Db } from '../../db/database.ts'
import { putOffHeld } from '../../db/people/holds.ts'
import type { Place } from '../../rules/campaign.ts'
import { bareSubject } from '../../rules/mail/subjects.ts'
import { setNewest } from '../../rules/newest.ts'
import type { OwnFields } from '../../rules/own-fields.ts'
import { bounded } from '../common/bounded.ts'
import { beating, cancelSignal } from '../common/heartbeat.ts'
import { tellOutcome } from '../common/outcomes.ts'
import type { Deps } from '../deps.ts'
import { modelOf } from '../ports/model/embedded.ts'
import { languageOf } from '../ports/model/language.ts'
import { isModelTrouble } from '../ports/model/model.ts'
import type { Written } from '../ports/model/writer.ts'
import { makeLetter } from './make-letters.ts'

/**
 * Writes a touch's letter for its person, once; `review` also puts it up for review. Fails the touch if the person must not be
 * written to, or if the model gives no usable letter.
 * @throws the model's trouble.
 */
export async function writeLetterOf(deps: Deps, id: string, state?: 'review'): Promise<void> {
  const touch = await findTouch(deps.db, id)
  if (touch?.state !== 'queued') return
  await write(deps, touch, state)
  tellOutcome(deps, 'letter', touch, await findTouch(deps.db, id))
}

const reviewBatch = 25
// Writing takes a model seconds a letter. An activity writes for this long, and the next one continues.
const reviewMs = 10_000
// Writing may share a task queue with short work on rows, so a slow model must not take all of its slots.
const reviewing = bounded({ name: 'review', all: 100, ofKey: 25, code: 'model_busy' })

/**
 * Writes due letters for review, at most `room`; answers how many. A model that fails does not hold up letters that are already
 * written.
 */
export async function writeForReview(
  deps: Deps,
  run: { id: string; workspace: string; agreed: number[] },
  now: Date,
  room: number,
): Promise<number> {
  const started = performance.now()
  const most = Math.min(room, reviewBatch)
  let written = 0
  for (const { id } of await listForReview(deps.db, run.id, run.agreed, now, most)) {
    if (written > 0 && performance.now() - started > reviewMs) break
    try {
      await reviewing(run.workspace, () => writeLetterOf(deps, id, 'review'))
    } catch (error) {
      if (!isModelTrouble(error)) throw error
      deps.log.warn({ touch: id, code: error.type }, 'a letter cannot be written for now')
      break
    }
    written++
  }
  return written
}

async function write(deps: Deps, touch: TouchRow, state?: 'review') {
  const { db, clock } = deps
  const { id } = touch
  const to = await sending.findLetterAddress(db, touch)
  const refusal = await sending.findRefusal(db, touch, to)
  if (refusal || to === null) {
    // Read again under the lock that planning has to itself: a person who came back meanwhile may have been planned for.
    await db.transaction().execute(async (trx) => {
      await sending.shareCampaign(trx, touch.campaign)
      const still = await sending.findRefusal(trx, touch, to)
      if (still) await failTouches(trx, { id }, still, clock.now())
    })
    return
  }
  if (await putOffHeld(db, touch, clock.now())) return
  if (touch.text !== null) {
    if (state) await sending.putUpForReview(db, touch)
    return
  }
  const brief = await findBrief(db, touch.campaign)
  const [signer, person, instructions] = await Promise.all([
    signerOf(db, touch),
    findLetterPerson(db, touch.workspace, touch.person),
    listInstructions(db, touch.person),
  ])
  if (!person) return
  await writeText(deps, touch, { to, brief, signer, person, instructions }, state)
}

// What the letters of a campaign are written from changes only with the version of its brief.
const briefs = new Map<string, { brief: WrittenBrief; at: number }>()
const briefMs = 5 * 60_000
const mostBriefs = 500

/** The brief of a campaign in the version that was read with its row. */
export async function briefOf(
  db: Db,
  { id, briefVersion }: { id: string; briefVersion: number },
): Promise<WrittenBrief> {
  const kept = briefs.get(id)
  const now = performance.now()
  if (kept?.brief.version === briefVersion && now - kept.at < briefMs) return kept.brief
  const brief = await findBrief(db, id)
  setNewest(briefs, id, { brief, at: now }, mostBriefs)
  return brief
}

type Known = {
  to: string
  brief: WrittenBrief
  signer: (Signer & { binds?: string }) | undefined
  person: { name: string; jobTitle: string; company: string; city: string; fields: OwnFields }
  /** What members told the agent about the person. */
  instructions: string[]
}
export type WrittenBrief = Awaited<ReturnType<typeof findBrief>>

/**
 * Has a letter written and stores its text. Without one, the letter fails if the model gives no usable one, and waits for review
 * if its template cannot make one.
 * @throws the model's trouble.
 */
async function writeText(deps: Deps, touch: TouchRow, known: Known, state?: 'review') {
  const written = await composeText(deps, touch, known)
  if ('code' in written) await failTouches(deps.db, { id: touch.id }, written.code)
  else if ('unmade' in written) await reviewUnmade(deps.db, touch.id, written.unmade)
  else if (state) await sending.putUpForReview(deps.db, touch, written)
  else await writeTouch(deps.db, touch.id, written)
}

/** Why a letter has no text, for its row; a letter that a template cannot make waits for a person. */
export type NoText =
  | { code: string }
  | { unmade: Unmade & { variant: string; signedBy: string | null } }

/**
 * Has a letter written without storing anything. Answers why there is none if the model gives no usable one.
 * @throws the model's trouble.
 */
export async function composeText(
  deps: Deps,
  touch: TouchRow,
  { to, brief: { version, ...brief }, signer, person, instructions }: Known,
): Promise<WrittenText | NoText> {
  const common = {
    signedBy: signer?.member ?? null,
    ...(signer?.binds && { connection: signer.binds }),
    toAddress: to,
    writtenAt: deps.clock.now(),
    brief: version,
    token: randomBytes(24).toString('base64url'),
  }
  const made = await makeFromTemplate(deps.db, makeLetter, brief, touch, {
    person: { ...person, email: to },
    signer,
    moment: { now: common.writtenAt, zone: touch.timezone },
  })
  if (made?.kind === 'unmade') {
    const { kind: _, ...why } = made
    return { unmade: { ...why, signedBy: common.signedBy } }
  }
  if (made) {
    const { subject, text, html, variant } = made
    return { ...common, subject, text, html, variant, language: languageOf(text) ?? 'en' }
  }
  const written = await askModel(deps, touch, { brief, signer, person, instructions })
  if ('refused' in written) return { code: written.refused }
  return { ...common, ...written, html: null, variant: null }
}

async function askModel(
  deps: Deps,
  touch: TouchRow,
  {
    brief,
    signer,
    person,
    instructions,
  }: Omit<Known, 'brief' | 'to'> & { brief: Omit<WrittenBrief, 'version'> },
): Promise<{ refused: string } | Written> {
  const { workspace } = touch
  const { templates: _, agentName: __, ...words } = brief
  const [first] = touch.place === 1 ? [] : await findLetterBefore(deps.db, touch, touch.connection)
  const told = {
    ...words,
    rules: [...brief.rules, ...instructions],
    place: touch.place as Place,
    person,
    signature: signatureOf(signer, brief.company),
    firstSubject: first?.subject ?? null,
  }
  const outcome = await beating(() =>
    modelOf(deps).writeLetter(told, { workspace, signal: cancelSignal() }),
  )
  if (outcome.kind !== 'answer') return { refused: outcome.code }
  // A follow-up whose thread belongs to another account is not a reply, so its subject has no "Re:".
  const { subject, text, language } = outcome.answer
  return { subject: first || touch.place === 1 ? subject : bareSubject(subject), text, language }
}

/**
 * The member who signs a letter is the one of its account. If it is bound to no account and all accounts belong to one member,
 * that member signs. Otherwise `binds` is the account to bind it to; people are spread over the accounts that can send.
 */
async function signerOf(
  db: Db,
  touch: TouchRow,
): Promise<(Signer & { binds?: string }) | undefined> {
  if (touch.connection !== null) return findSigner(db, touch.connection)
  const signers = await listSigners(db, touch.workspace, touch.campaign)
  if (areOneMember(signers)) return signers[0]
  const at = createHash('sha256').update(touch.person).digest().readUInt32BE()
  const fit = signers.filter(({ isFit }) => isFit)
  const among = fit.length > 0 ? fit : signers
  const signer = among[at % among.length] as (typeof signers)[number]
  return { ...signer, binds: signer.connection }
}
