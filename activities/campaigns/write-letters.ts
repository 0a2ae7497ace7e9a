import { agreeLetters } from '../../db/campaigns/agreements.ts'
import { findBrief, findExamplePerson } from '../../db/campaigns/briefs.ts'
import {
  findCampaignById,
  listLetters,
  shareBrief,
  upsertLetter,
} from '../../db/campaigns/campaigns.ts'
import { listSigners, signatureOf } from '../../db/campaigns/signers.ts'
import { endOperation, lockOperation } from '../../db/operations/operations.ts'
import { enqueueSignal } from '../../db/operations/outbox.ts'
import { type Place, presentLetter } from '../../rules/campaign.ts'
import type { LettersInput } from '../../workflows/inputs.ts'
import { trouble } from '../common/failures.ts'
import { beating, cancelSignal } from '../common/heartbeat.ts'
import { gone, notWritten } from '../common/refusals.ts'
import type { Deps } from '../deps.ts'
import { modelOf } from '../ports/model/embedded.ts'

export const writeLettersActivities = (deps: Deps) => ({
  /**
   * Writes the example letters of places, agrees the places that the call asks for, and answers the call. Safe to retry:
   * nothing of it is committed until the operation ends, and an operation that has ended is not begun again.
   */
  async writeLetters(input: LettersInput): Promise<void> {
    const { db, clock } = deps
    const instance = `/api/v1/campaigns/${input.campaign}/letters`
    const known = await findCampaignById(db, input.campaign)
    if (!known) {
      await endOperation(
        db,
        input.operation,
        gone(input.operation, 'campaign', instance),
        clock.now(),
      )
      return
    }
    const { version: _, ...brief } = await findBrief(db, input.campaign)
    const [person, [signer]] = await Promise.all([
      findExamplePerson(db, brief.segment),
      listSigners(db, known.workspace, input.campaign),
    ])
    const signature = signatureOf(signer, brief.company)
    let { firstSubject } = brief
    const now = clock.now()
    const drafts: Parameters<typeof upsertLetter>[1][] = []
    for (const place of [...new Set(input.write)].sort() as Place[]) {
      const told = {
        ...brief,
        place,
        person,
        signature,
        firstSubject: place === 1 ? null : firstSubject,
      }
      const outcome = await beating(() =>
        modelOf(deps).writeLetter(told, { workspace: known.workspace, signal: cancelSignal() }),
      )
      if (outcome.kind !== 'answer') {
        // Nothing of the call is kept: no letter is half written, and no letter is agreed that was to be written again.
        const refusal = notWritten(input.operation, place, outcome.code, instance)
        await endOperation(db, input.operation, refusal, now)
        return
      }
      const { subject, text } = outcome.answer
      if (place === 1) firstSubject = subject
      const { briefVersion } = known
      const { campaign } = input
      drafts.push({ campaign, place, subject, text, writtenAt: now, brief: briefVersion })
    }
    await db.transaction().execute(async (trx) => {
      const campaign = await shareBrief(trx, input.campaign)
      const operation = await lockOperation(trx, input.operation)
      if (operation?.endedAt) return
      if (drafts.length > 0 && campaign?.briefVersion !== known.briefVersion)
        throw trouble(
          'brief_changed',
          'The brief was changed meanwhile; the letters are written again.',
        )
      for (const draft of drafts) await upsertLetter(trx, draft)
      // An edit of the brief that came after the call withdraws this agreement too.
      const current = campaign?.briefVersion === (input.brief ?? campaign?.briefVersion)
      if (current) await agreeLetters(trx, input.campaign, input.agree)
      if (campaign?.state === 'running' && campaign.runner)
        await enqueueSignal(trx, campaign.runner, 'changed')
      const letters = (await listLetters(trx, input.campaign)).map(presentLetter)
      await endOperation(
        trx,
        input.operation,
        { state: 'done', result: { letters }, status: 200 },
        now,
      )
    })
  },
})
