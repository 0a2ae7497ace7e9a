import { createHash, randomBytes } from 'node:crypto'
import {
  findBrief,
  findLetterBefore,
  findWrittenPerson,
  listInstructions,
} from '../../db/campaigns/briefs.ts'
import {
  areOneMember,
  findSigner,
  listSigners,
  type Signer,
  signatureOf,
} from '../../db/campaigns/signers.ts'
import * as sending from '../../db/campaigns/touch-sending.ts'
import { failTouches, findTouch, type TouchRow, writeTouch } from '../../db/campaigns/touches.ts'
import type { Db } from '../../db/database.ts'
import { putOffHeld } from '../../db/people/holds.ts'
import type { Place } from '../../rules/campaign.ts'
import { bareSubject } from '../../rules/outgoing.ts'
import { beating, cancelSignal } from '../common/heartbeat.ts'
import { tellOutcome } from '../common/outcomes.ts'
import type { Deps } from '../deps.ts'
import { modelOf } from '../ports/model/embedded.ts'

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

async function write(deps: Deps, touch: TouchRow, state?: 'review') {
  const { db, clock } = deps
  const { id } = touch
  const to = await sending.findLetterAddress(db, touch)
  const refusal = await sending.findRefusal(db, touch, to)
  if (refusal || to === null) {
    await db
      .transaction()
      .execute((trx) => failTouches(trx, { id }, refusal ?? 'no_contact', clock.now()))
    return
  }
  if (await putOffHeld(db, touch, clock.now())) return
  if (touch.text !== null) {
    if (state) await sending.reviewTouch(db, id)
    return
  }
  const { version, ...brief } = await findBrief(db, touch.campaign)
  const [signer, person, [first], instructions] = await Promise.all([
    signerOf(db, touch),
    findWrittenPerson(db, touch.person),
    findLetterBefore(db, touch, touch.connection),
    listInstructions(db, touch.person),
  ])
  const told = {
    ...brief,
    rules: [...brief.rules, ...instructions],
    place: touch.place as Place,
    person,
    signature: signatureOf(signer, brief.company),
    firstSubject: first?.subject ?? null,
  }
  const { workspace } = touch
  const outcome = await beating(() =>
    modelOf(deps).writeLetter(told, { workspace, signal: cancelSignal() }),
  )
  if (outcome.kind !== 'answer') {
    await failTouches(db, { id }, outcome.code)
    return
  }
  const token = randomBytes(24).toString('base64url')
  // A follow-up whose thread belongs to another account is not a reply, so its subject has no "Re:".
  const { subject, text, language } = outcome.answer
  await writeTouch(db, id, {
    text,
    language,
    signedBy: signer?.member ?? null,
    ...(signer?.binds && { connection: signer.binds }),
    subject: first || touch.place === 1 ? subject : bareSubject(subject),
    toAddress: to,
    writtenAt: clock.now(),
    brief: version,
    token,
    ...(state && { state }),
  })
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
