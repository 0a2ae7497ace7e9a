import { agreeLetters } from '../../db/campaigns/agreements.ts'
import { findBrief, listExamplePeople } from '../../db/campaigns/briefs.ts'
import {
  type CampaignRow,
  findCampaignById,
  listLetters,
  lockBrief,
  upsertLetter,
} from '../../db/campaigns/campaigns.ts'
import { templateFor, valuesOf } from '../../db/campaigns/made-letters.ts'
import { listSigners, type Signer, signatureOf } from '../../db/campaigns/signers.ts'
import { findTest, listTemplates } from '../../db/campaigns/templates.ts'
import { endOperation, lockOperation } from '../../db/operations/operations.ts'
import { enqueueWake } from '../../db/operations/wakes.ts'
import { findZone } from '../../db/workspace/workspaces.ts'
import { type Place, presentLetter, presentTemplate } from '../../rules/campaign.ts'
import { replySubject } from '../../rules/mail/subjects.ts'
import type { Moment } from '../../rules/templates/dates.ts'
import type { Ask } from '../../rules/templates/letters.ts'
import type { LettersInput } from '../../workflows/inputs.ts'
import { trouble } from '../common/failures.ts'
import { beating, cancelSignal } from '../common/heartbeat.ts'
import { gone, notWritten } from '../common/refusals.ts'
import type { Deps } from '../deps.ts'
import { modelOf } from '../ports/model/embedded.ts'
import { makeExample } from './make-letters.ts'
import { sendTest } from './send-test.ts'
import type { WrittenBrief } from './write-letter.ts'

export const writeLettersActivities = (deps: Deps) => ({
  /**
   * Writes the example letters of places, agrees the places that the call asks for, and answers the call; or sends a letter to
   * a member as a test. Safe to retry: nothing of it is committed until the operation ends, and an operation that has ended is
   * not begun again. A test is claimed before it is sent.
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
    const now = clock.now()
    const written = await writeExamples(deps, known, input.write as Place[])
    if ('code' in written) {
      // Nothing of the call is kept: no letter is half written, and no letter is agreed that was to be written again.
      const refusal = notWritten(input.operation, written.place, written.code, instance)
      await endOperation(db, input.operation, refusal, now)
      return
    }
    const asked = await findTest(db, input.operation)
    const test = asked && (await sendTest(deps, known, asked))
    const { briefVersion } = known
    const drafts = written.examples.map((example) => ({
      ...example,
      campaign: input.campaign,
      writtenAt: now,
      brief: briefVersion,
    }))
    await db.transaction().execute(async (trx) => {
      const campaign = await lockBrief(trx, input.campaign)
      const operation = await lockOperation(trx, input.operation)
      if (operation?.endedAt) return
      if (drafts.length > 0 && campaign?.briefVersion !== known.briefVersion)
        throw trouble(
          'brief_changed',
          'The brief was changed meanwhile; the letters are written again.',
        )
      for (const draft of drafts) await upsertLetter(trx, draft)
      // An edit of the brief that came after the call withdraws this agreement too.
      const current = campaign?.briefVersion === input.brief
      if (current) await agreeLetters(trx, input.campaign, input.agree)
      if (campaign?.state === 'running' && campaign.runner)
        await enqueueWake(trx, campaign.runner, 'letters')
      const letters = (await listLetters(trx, input.campaign)).map(presentLetter)
      const templates = (await listTemplates(trx, input.campaign)).map(presentTemplate)
      await endOperation(
        trx,
        input.operation,
        { state: 'done', result: { letters, templates, ...(test && { test }) }, status: 200 },
        now,
      )
    })
  },
})

type Example = { place: Place; subject: string; text: string }

/** The example letters of some places; or why the writer gives none of one. */
async function writeExamples(
  deps: Deps,
  campaign: CampaignRow,
  places: Place[],
): Promise<{ examples: Example[] } | { place: Place; code: string }> {
  const examples: Example[] = []
  if (places.length === 0) return { examples }
  const { db } = deps
  const { version: _, templates, agentName, ...brief } = await findBrief(db, campaign.id)
  const source = { ...brief, templates, agentName }
  const [people, [signer], zone] = await Promise.all([
    listExamplePeople(db, brief.segment, examplePeople),
    listSigners(db, campaign.workspace, campaign.id),
    findZone(db, campaign.workspace),
  ])
  const moment = { now: deps.clock.now(), zone }
  let { firstSubject } = brief
  for (const place of [...new Set(places)].sort()) {
    const made = await exampleFrom(source, { campaign, place, people, signer, moment })
    if (made && 'code' in made) return { place, ...made }
    const told = {
      ...brief,
      place,
      person: people[0] ?? null,
      signature: signatureOf(signer, brief.company),
      firstSubject: place === 1 ? null : firstSubject,
    }
    const outcome = made
      ? { kind: 'answer' as const, answer: made }
      : await beating(() =>
          modelOf(deps).writeLetter(told, {
            workspace: campaign.workspace,
            signal: cancelSignal(),
          }),
        )
    if (outcome.kind !== 'answer') return { place, code: outcome.code }
    const { text } = outcome.answer
    const subject = outcome.answer.subject || replySubject(firstSubject ?? '')
    if (place === 1) firstSubject = subject
    examples.push({ place, subject, text })
  }
  return { examples }
}

// Among so many people of the segment, somebody is looked for who has all the values.
const examplePeople = 20

type Given = {
  campaign: Pick<CampaignRow, 'id' | 'workspace'>
  place: Place
  people: Awaited<ReturnType<typeof listExamplePeople>>
  signer: Omit<Signer, 'member'> | undefined
  moment: Moment
}

/** The example of a place that has templates: for the first person to whom it can go, otherwise with the names of what is missing. */
async function exampleFrom(
  source: Pick<WrittenBrief, 'templates' | 'agentName' | 'company' | 'product' | 'goal'>,
  { campaign, place, people, signer, moment }: Given,
) {
  const askFor = (found?: (typeof people)[number]): Ask | undefined => {
    const of = { campaign: campaign.id, person: found?.id ?? '', place, variant: null }
    const template = templateFor(source.templates, of)
    const person = found ? { ...found, email: found.email ?? '' } : null
    return (
      template && { template, values: valuesOf(source, { person, signer, moment }), named: true }
    )
  }
  const [first, ...others] = people
  const ask = askFor(first)
  if (!ask) return undefined
  const asks = others.flatMap((found) => askFor(found) ?? [])
  const made = await beating(() => makeExample([ask, ...asks], campaign.workspace))
  return made.kind === 'failed' ? { code: 'template_failed' } : made
}
