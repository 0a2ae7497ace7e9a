import { z } from 'zod'
import { type CampaignRow, findCampaign, listLetters } from '../../db/campaigns/campaigns.ts'
import { findCampaignFacts, findRun } from '../../db/campaigns/facts.ts'
import { countReturned, listReasons } from '../../db/campaigns/failures.ts'
import { countProgress } from '../../db/campaigns/progress.ts'
import { listTemplates } from '../../db/campaigns/templates.ts'
import { isSegmentEmpty } from '../../db/segments/segments.ts'
import { blockedBySays, presentLetter, presentTemplate, unagreedOf } from '../../rules/campaign.ts'
import { whyReturned } from '../../rules/failure-words.ts'
import { paceOf, reasonOfHold, termOf } from '../../rules/pace.ts'
import { ApiError, found } from '../http/errors.ts'
import type { ReadContext } from '../route.ts'
import { HoldReason, isoOrNull, OwnId, withValues } from './shapes.ts'

// A campaign as lists and reads show it. One file, because each member of the shape has its fact beside it.

/** What a campaign still needs. */
export const Missing = z
  .object({
    field: z
      .string()
      .describe('The member to fix, such as `segment`, `agent`, `senders` or `letters`.'),
    code: z.string().describe(
      withValues('What is missing.', {
        segment_missing: 'no segment is set',
        segment_empty: 'the segment is empty',
        agent_missing: 'no agent is set',
        agent_disabled: 'the agent is disabled',
        no_sender: 'no working account to send from',
        letter_not_agreed: 'a letter is not agreed yet',
      }),
    ),
    message: z.string().describe('What to do about it, in words.'),
  })
  .meta({ id: 'MissingPart' })

const states = {
  draft: 'it has not started and writes to nobody',
  running: 'it sends letters',
  paused: 'it writes to nobody until it is resumed',
  done: 'it has ended for good',
}

export const Campaign = z
  .object({
    id: OwnId,
    name: z.string().describe('The name; by default the goal.'),
    goal: z
      .string()
      .describe(
        'What the campaign should achieve. An instruction to the writer that is never quoted to clients.',
      ),
    kind: z.string().describe('The kind of campaign; `outreach` is the only one.'),
    state: z
      .enum(['draft', 'running', 'paused', 'done'])
      .describe(withValues('The state of the campaign.', states)),
    segment: z.string().describe('The id of the segment it writes to; empty while none is set.'),
    agent: z.string().describe('The id of the agent that writes; empty while none is set.'),
    senders: z
      .array(z.string())
      .describe(
        'The ids of the connections it sends through. If empty, it uses those of the agent, or else all working e-mail accounts.',
      ),
    people: z.number().describe('The number of people in its segment.'),
    missing: z.array(Missing).describe('What it still needs; empty when it is complete.'),
    term: z
      .object({
        weeks: z
          .number()
          .describe('The number of weeks until everybody has received the first letter.'),
        ends: z
          .string()
          .describe('The day on which everybody will have received it, as YYYY-MM-DD.'),
        approx: z.boolean().describe('Whether these are estimates.'),
      })
      .meta({ id: 'CampaignTerm' })
      .describe('How long the campaign is likely to take.'),
    progress: z
      .object({
        people: z.number().describe('People in its segment.'),
        written: z.number().describe('People who have received at least one letter.'),
        replied: z.number().describe('People who have replied since.'),
        declined: z.number().describe('People who have replied that they are not interested.'),
        interested: z
          .number()
          .describe(
            'People who have replied that they are interested, or ask for an offer or a meeting.',
          ),
        meetings: z.number().describe('People with whom a meeting was arranged.'),
      })
      .meta({ id: 'CampaignProgress' })
      .describe('How many people it has reached.'),
    addRules: z
      .array(z.string())
      .describe('Instructions for every letter, in addition to those of the agent.'),
    rules: z.array(z.string()).describe('The same instructions as `addRules`.'),
    places: z.number().describe('How many letters it has for each person: 1, 2 or 3.'),
    waitDays: z
      .array(z.number())
      .describe(
        'The weekdays between each letter after the first and the one before it, an entry for each.',
      ),
    materials: z
      .array(
        z
          .looseObject({
            title: z.string().describe('The title of the text.'),
            text: z.string().describe('The text.'),
          })
          .meta({ id: 'Material' }),
      )
      .describe('Texts that the letters rely on.'),
    sending: z
      .object({
        now: z.boolean().describe('Whether a letter may be sent now.'),
        blockedBy: z
          .string()
          .nullable()
          .describe(
            withValues('What holds up the letters; null when nothing does.', blockedBySays),
          ),
        nextAt: z
          .string()
          .nullable()
          .describe('When this changes by itself; null if somebody has to act.'),
        endsAt: z.string().nullable().describe("When today's hours end; null outside them."),
        held: HoldReason.optional().describe(
          'The hold, where `blockedBy` is `held`; absent otherwise.',
        ),
        failed: z
          .object({
            letters: z.number().describe('The number of letters that did not arrive.'),
            why: z
              .string()
              .describe('Why, in words: how many for which reason, and what the servers said.'),
          })
          .meta({ id: 'FailedLetters' })
          .optional()
          .describe(
            'The letters that were refused or came back and were not sent anew; absent if there are none.',
          ),
      })
      .meta({ id: 'CampaignSending' })
      .describe('Whether a letter may be sent now, and if not, what holds it up.'),
  })
  .meta({ id: 'Campaign' })

export const Letter = z
  .object({
    place: z.number().describe('The place of the letter in the campaign: 1, 2 or 3.'),
    subject: z.string().describe('The subject.'),
    text: z.string().describe('The text, as the first person would receive it.'),
    agreed: z.boolean().describe('Whether it is agreed.'),
    writtenAt: z.string().describe('When it was written.'),
  })
  .meta({ id: 'Letter' })

export const Template = z
  .object({
    place: z.number().describe('The place of its letters: 1, 2 or 3.'),
    variant: z.string().describe('Which variant of the place it is: a, b, c or d.'),
    weight: z.number().describe('Its share of the people, compared with the other variants.'),
    subject: z.string().describe('The subject; empty where it is that of the thread.'),
    text: z.string().describe('The text, in Liquid.'),
    html: z.string().nullable().describe('The text in HTML, in Liquid; null without one.'),
  })
  .meta({ id: 'Template' })

const VariantNumbers = z
  .object({
    place: z.number().describe('The place of the letters: 1, 2 or 3.'),
    variant: z.string().describe('The variant: a, b, c or d.'),
    sent: z
      .number()
      .describe('Letters of this variant that were sent, without those in words of their own.'),
    replied: z
      .number()
      .describe('People who have replied, and whose last letter before was of this variant.'),
    interested: z.number().describe('Those of them who are interested.'),
  })
  .meta({ id: 'VariantNumbers' })

const Funnel = z
  .object({
    people: z.number().describe('People in its segment.'),
    queued: z.number().describe('Letters that wait until they are due.'),
    review: z.number().describe('Letters that are written and wait until their place is agreed.'),
    sending: z
      .number()
      .describe('Letters that are being sent, or that may or may not have arrived.'),
    sent: z.number().describe('Letters that were sent.'),
    failed: z.number().describe('Letters that could not be delivered: not sent, or bounced.'),
    skipped: z
      .number()
      .describe(
        'Letters that were not wanted any more: the person replied, unsubscribed or left the segment, somebody skipped the letter, or the campaign ended.',
      ),
    replied: z.number().describe('People who have replied.'),
    interested: z
      .number()
      .describe(
        'People who have replied that they are interested, or ask for an offer or a meeting.',
      ),
    declined: z.number().describe('People who have replied that they are not interested.'),
    meetings: z.number().describe('People with whom a meeting was arranged.'),
  })
  .meta({ id: 'Funnel' })

export const CampaignRead = z
  .object({
    campaign: Campaign.describe('The campaign.'),
    letters: z.array(Letter).describe('The example letters, in order of place.'),
    templates: z
      .array(Template)
      .describe('The templates that letters are made from, in order of place and variant.'),
    funnel: Funnel.describe('The numbers of letters and people in each state.'),
    variants: z
      .array(VariantNumbers)
      .describe('The numbers of each variant of letters that are made from templates.'),
  })
  .meta({ id: 'CampaignDetails' })
export const CampaignAnswer = CampaignRead.extend({ id: OwnId, state: Campaign.shape.state }).meta({
  id: 'ChangedCampaign',
})

type Context = Pick<ReadContext, 'db' | 'workspace' | 'clock'>

/** A campaign as lists show it, and the numbers it was made of; `db` may be a transaction. */
export async function readSummary({ db, workspace, clock }: Context, row: CampaignRow) {
  const now = clock.now()
  const zone = workspace.timezone
  // One after the other: within a change they share the transaction's connection.
  const facts = await findCampaignFacts(db, found(await findRun(db, row.id), 'campaign'), now)
  const { variants, ...counts } = await countProgress(db, row)
  const empty = row.segment === null ? false : await isSegmentEmpty(db, row.segment)
  const pace = paceOf(facts, now)
  const { people, written, replied, interested, declined, meetings } = counts
  const campaign: z.input<typeof Campaign> = {
    id: row.id,
    name: row.name,
    goal: row.goal,
    kind: row.kind,
    state: row.state,
    segment: row.segment ?? '',
    agent: row.agent ?? '',
    senders: row.senders,
    people,
    missing: missingOf(row, {
      empty,
      agent: facts.agent,
      living: facts.senders.some(({ alive }) => alive),
      agreed: facts.agreed,
    }),
    term: termOf({
      ...{ left: people - written, waitDays: row.waitDays },
      ...{ senders: facts.senders, zone, now },
    }),
    progress: { people, written, replied, declined, interested, meetings },
    addRules: row.addRules,
    rules: row.addRules,
    places: row.places,
    waitDays: row.waitDays,
    materials: row.materials.map(wholeMaterial),
    sending: {
      now: pace.now,
      blockedBy: pace.blockedBy,
      nextAt: isoOrNull(pace.nextAt),
      endsAt: isoOrNull(pace.endsAt),
      ...(pace.blockedBy === 'held' && { held: { why: reasonOfHold(facts) ?? '' } }),
      ...(counts.failed > 0 && (await failuresOf(db, row.id))),
    },
  }
  return { campaign, counts, variants }
}

/** How many letters did not arrive, and why. */
async function failuresOf(db: ReadContext['db'], campaign: string) {
  const letters = await countReturned(db, campaign)
  if (letters === 0) return {}
  const reasons = await listReasons(db, campaign)
  return { failed: { letters, why: whyReturned(letters, reasons) } }
}

/** A campaign with its letters and numbers, as GET /campaigns/{id} shows it; `db` may be a transaction. */
export async function readCampaign(
  context: Context,
  row: CampaignRow,
): Promise<z.input<typeof CampaignRead>> {
  const letters = await listLetters(context.db, row.id)
  const templates = await listTemplates(context.db, row.id)
  const { campaign, counts, variants } = await readSummary(context, row)
  const { people, queued, review, sending, sent, failed, skipped } = counts
  const { replied, interested, declined, meetings } = counts
  const letter = { queued, review, sending, sent, failed, skipped }
  return {
    campaign,
    letters: letters.map(presentLetter),
    templates: templates.map(presentTemplate),
    variants,
    funnel: { people, ...letter, replied, interested, declined, meetings },
  }
}

type Material = { title?: string | undefined; text?: string | undefined }
export const wholeMaterial = <T extends Material>(material: T) => ({
  ...material,
  title: material.title ?? '',
  text: material.text ?? '',
})

/** The answer of POST, PATCH and state: that of the read, with id and state beside it. */
export async function answerCampaign(context: Context, id: string) {
  const row = found(await findCampaign(context.db, context.workspace.id, id), 'campaign')
  return { id: row.id, state: row.state, ...(await readCampaign(context, row)) }
}

// The interface leaves the elements of missing open: the member that a person has to fix, a stable code, and a
// sentence.
function missingOf(
  row: CampaignRow,
  is: { empty: boolean; agent: { enabled: boolean } | null; living: boolean; agreed: number[] },
): z.input<typeof Missing>[] {
  const lacks = (field: string, code: string, message: string) => ({ field, code, message })
  return [
    ...(row.segment === null ? [lacks('segment', 'segment_missing', 'Choose a segment.')] : []),
    ...(is.empty ? [lacks('segment', 'segment_empty', 'The segment is empty.')] : []),
    ...(row.agent === null ? [lacks('agent', 'agent_missing', 'Choose an agent.')] : []),
    ...(is.agent && !is.agent.enabled
      ? [lacks('agent', 'agent_disabled', 'The agent is disabled.')]
      : []),
    ...(is.living
      ? []
      : [lacks('senders', 'no_sender', 'There is no working account to send from.')]),
    ...unagreedOf(is.agreed)
      .filter((place) => place <= row.places)
      .map((place) => lacks('letters', 'letter_not_agreed', `Letter ${place} is not agreed.`)),
  ]
}

/** 409 with the present state of the campaign and those from which (for moves: to which) the call would be allowed. */
export const wrongState = (state: string, message: string, allowed: readonly string[]) =>
  new ApiError('invalid_state', message, { members: { state, allowed } })
