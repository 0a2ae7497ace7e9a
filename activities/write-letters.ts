import { findBrief, findExamplePerson } from '../db/briefs.ts'
import { agreeLetters, listLetters, upsertLetter } from '../db/campaigns.ts'
import { endOperation } from '../db/operations.ts'
import { enqueueSignal } from '../db/outbox.ts'
import type { Deps } from './deps.ts'
import { gone } from './gone.ts'
import { embeddedWriter } from './writer.ts'

export const writeLettersActivities = ({ db, clock }: Deps) => ({
  /**
   * Writes the example letters of places, agrees those asked for, and answers the call. Safe to retry: until the operation
   * has ended nothing of it is committed, and then it is not begun again.
   */
  async writeLetters(input: {
    operation: string
    campaign: string
    write: number[]
    agree: number[]
  }): Promise<void> {
    const known = await db
      .selectFrom('campaigns')
      .select('id')
      .where('id', '=', input.campaign)
      .executeTakeFirst()
    if (!known) {
      const instance = `/api/v1/campaigns/${input.campaign}/letters`
      await endOperation(
        db,
        input.operation,
        gone(input.operation, 'campaign', instance),
        clock.now(),
      )
      return
    }
    const brief = await findBrief(db, input.campaign)
    const person = await findExamplePerson(db, brief.segment)
    let { firstSubject } = brief
    const now = clock.now()
    const drafts: Parameters<typeof upsertLetter>[1][] = []
    for (const place of [...new Set(input.write)].sort() as (1 | 2 | 3)[]) {
      const written = await embeddedWriter.write({
        ...brief,
        place,
        person,
        firstSubject: place === 1 ? null : firstSubject,
      })
      if (place === 1) firstSubject = written.subject
      drafts.push({ campaign: input.campaign, place, ...written, writtenAt: now })
    }
    await db.transaction().execute(async (trx) => {
      const campaign = await trx
        .selectFrom('campaigns')
        .select(['state', 'runner'])
        .where('id', '=', input.campaign)
        .forShare()
        .executeTakeFirst()
      const operation = await trx
        .selectFrom('operations')
        .select('endedAt')
        .where('id', '=', input.operation)
        .forUpdate()
        .executeTakeFirst()
      if (operation?.endedAt) return
      for (const draft of drafts) await upsertLetter(trx, draft)
      await agreeLetters(trx, input.campaign, input.agree)
      if (campaign?.state === 'running' && campaign.runner)
        await enqueueSignal(trx, campaign.runner, 'changed')
      const letters = (await listLetters(trx, input.campaign)).map(
        ({ campaign: _, writtenAt, ...letter }) => ({
          ...letter,
          writtenAt: writtenAt.toISOString(),
        }),
      )
      await endOperation(
        trx,
        input.operation,
        { state: 'done', result: { letters }, status: 200 },
        now,
      )
    })
  },
})
