import { z } from 'zod'
import { type CampaignRow, findCampaign, listLetters } from '../../db/campaigns/campaigns.ts'
import { countProgress, findCampaignFacts } from '../../db/campaigns/facts.ts'
import { isSegmentEmpty } from '../../db/segments/segments.ts'
import { dayIn, mondayIn, paceOf, termOf } from '../../rules/pace.ts'
import { ApiError, found } from '../http/errors.ts'
import type { ReadContext } from '../route.ts'
import { iso, isoOrNull, OwnId, withValues } from './shapes.ts'

const Missing = z.object({
  field: z
    .string()
    .describe(
      'The member that has to be mended, such as `segment`, `agent`, `senders` or `letters`.',
    ),
  code: z.string().describe(
    withValues('What is lacking.', {
      segment_missing: 'no segment is chosen',
      segment_empty: 'nobody is in the segment',
      agent_missing: 'no agent is chosen',
      agent_disabled: 'the agent is disabled',
      no_sender: 'there is no living e-mail account to send from',
      letter_not_agreed: 'a letter is not agreed',
    }),
  ),
  message: z.string().describe('What to do, in words.'),
})

const states = {
  draft: 'it writes to nobody yet',
  running: 'it writes',
  paused: 'it writes to nobody until it is resumed',
  done: 'it is over for good',
}

export const Campaign = z
  .object({
    id: OwnId,
    name: z.string().describe('The name; the goal unless another was given.'),
    goal: z
      .string()
      .describe(
        'What it is to reach; an instruction to the writer that is never quoted to clients.',
      ),
    kind: z.string().describe('What kind of campaign it is; `outreach` is the only one.'),
    state: z
      .enum(['draft', 'running', 'paused', 'done'])
      .describe(withValues('Where it stands.', states)),
    segment: z.string().describe('The id of the segment it writes to; empty while none is chosen.'),
    agent: z.string().describe('The id of the agent that writes; empty while none is chosen.'),
    senders: z
      .array(z.string())
      .describe(
        'The ids of the connections it sends through; empty means those of the agent, else all living e-mail accounts.',
      ),
    people: z.number().describe('How many people it is for.'),
    missing: z.array(Missing).describe('What it still lacks; empty when it is complete.'),
    term: z
      .object({
        weeks: z
          .number()
          .describe('In how many weeks the first letters will have gone to everybody.'),
        ends: z.string().describe('The day on which they will have, as YYYY-MM-DD.'),
        approx: z.boolean().describe('Whether that is an estimate.'),
      })
      .describe('How long it is likely to take.'),
    progress: z
      .object({
        people: z.number().describe('People it is for.'),
        written: z.number().describe('People who have got at least one letter.'),
        replied: z.number().describe('People who have answered since.'),
        declined: z.number().describe('People who have answered that they are not interested.'),
        interested: z.number().describe('People who have answered that they are interested.'),
        meetings: z.number().describe('People with whom a meeting was arranged.'),
      })
      .describe('How many people it has reached.'),
    addRules: z
      .array(z.string())
      .describe('Instructions for every letter, beside those of the agent.'),
    materials: z
      .array(
        z.looseObject({
          title: z.string().describe('What the text is called.'),
          text: z.string().describe('The text.'),
        }),
      )
      .describe('Texts that the letters rely on.'),
    sending: z
      .object({
        now: z.boolean().describe('Whether a letter may go at this moment.'),
        blockedBy: z
          .string()
          .nullable()
          .describe(
            withValues('What holds the letters; null when nothing does.', {
              draft: 'the campaign was not started',
              paused: 'it is paused',
              done: 'it is over',
              weekend: 'it is the weekend, and letters go on weekdays',
              hours: 'it is outside the hours of the agent',
              day_limit: "the accounts have used up the day's limit",
              week_limit: "the accounts have used up the week's limit",
              gap: 'an account rests between two letters',
              review: 'letters wait for their place to be agreed',
              health: 'the health of the accounts forbids campaign letters',
              no_sender: 'there is no living e-mail account to send from',
              no_agent: 'there is no enabled agent',
              provider:
                'the server of the account cannot be reached, or its mailbox was not read to the end',
              nobody_left: 'everybody was written to',
            }),
          ),
        nextAt: z
          .string()
          .nullable()
          .describe('When that changes by itself; null where somebody has to do something.'),
        endsAt: z.string().nullable().describe('When the hours of today end; null outside them.'),
      })
      .describe('Whether a letter may go now, and what holds them if not.'),
  })
  .meta({ id: 'Campaign' })

export const Letter = z
  .object({
    place: z.number().describe('Which letter of the campaign it is: 1, 2 or 3.'),
    subject: z.string().describe('The subject.'),
    text: z.string().describe('The text, as the person who comes first would get it.'),
    agreed: z.boolean().describe('Whether it was agreed to.'),
    writtenAt: z.string().describe('When it was written.'),
  })
  .meta({ id: 'Letter' })

const Funnel = z
  .object({
    people: z.number().describe('People it is for.'),
    queued: z.number().describe('Letters that wait for their time.'),
    review: z.number().describe('Letters that are written and wait for their place to be agreed.'),
    sending: z
      .number()
      .describe('Letters that are on their way, or of which nobody can know whether they arrived.'),
    sent: z.number().describe('Letters that went.'),
    failed: z.number().describe('Letters that could not go, or came back.'),
    skipped: z
      .number()
      .describe(
        'Letters that were not needed any more: the campaign was done, or their person was taken out of it.',
      ),
    replied: z.number().describe('People who have answered.'),
    interested: z.number().describe('People who have answered that they are interested.'),
    declined: z.number().describe('People who have answered that they are not interested.'),
    meetings: z.number().describe('People with whom a meeting was arranged.'),
  })
  .meta({ id: 'Funnel' })

export const CampaignRead = z
  .object({
    campaign: Campaign.describe('The campaign.'),
    letters: z.array(Letter).describe('The example letters, by place.'),
    funnel: Funnel.describe('How many letters and people stand where.'),
  })
  .meta({ id: 'CampaignRead' })
export const CampaignAnswer = CampaignRead.extend({ id: OwnId, state: Campaign.shape.state })

type Context = Pick<ReadContext, 'db' | 'workspace' | 'clock'>

/** A campaign with its letters and numbers, as GET /campaigns/{id} shows it; `db` may be a transaction. */
export async function readCampaign(
  { db, workspace, clock }: Context,
  row: CampaignRow,
): Promise<z.input<typeof CampaignRead>> {
  const now = clock.now()
  const zone = workspace.timezone
  const at = { now, day: dayIn(zone, now), monday: mondayIn(zone, now) }
  // One after the other: in a change they share the transaction's connection.
  const letters = await listLetters(db, row.id)
  const facts = await findCampaignFacts(db, row, zone, at)
  const counts = await countProgress(db, row)
  const empty = row.segment === null ? false : await isSegmentEmpty(db, row.segment)
  const pace = paceOf(facts, now)
  const {
    people,
    queued,
    review,
    sending,
    sent,
    failed,
    skipped,
    written,
    replied,
    interested,
    declined,
    meetings,
  } = counts
  return {
    campaign: {
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
      term: termOf({ left: people - written, senders: facts.senders, zone, now }),
      progress: { people, written, replied, declined, interested, meetings },
      addRules: row.addRules,
      materials: row.materials.map(wholeMaterial),
      sending: {
        now: pace.now,
        blockedBy: pace.blockedBy,
        nextAt: isoOrNull(pace.nextAt),
        endsAt: isoOrNull(pace.endsAt),
      },
    },
    letters: letters.map((letter) => ({
      place: letter.place,
      subject: letter.subject,
      text: letter.text,
      agreed: letter.agreed,
      writtenAt: iso(letter.writtenAt),
    })),
    funnel: {
      people,
      queued,
      review,
      sending,
      sent,
      failed,
      skipped,
      replied,
      interested,
      declined,
      meetings,
    },
  }
}

type Material = { title?: string | undefined; text?: string | undefined }
export const wholeMaterial = <T extends Material>(material: T) => ({
  ...material,
  title: material.title ?? '',
  text: material.text ?? '',
})

/** What POST, PATCH and state answer: the read with id and state beside it. */
export async function answerCampaign(context: Context, id: string) {
  const row = found(await findCampaign(context.db, context.workspace.id, id), 'campaign')
  return { id: row.id, state: row.state, ...(await readCampaign(context, row)) }
}

const places = [1, 2, 3]

// The interface leaves the elements of missing open: the member a person has to mend, a stable code, and a sentence.
function missingOf(
  row: CampaignRow,
  is: { empty: boolean; agent: { enabled: boolean } | null; living: boolean; agreed: number[] },
): z.input<typeof Missing>[] {
  const lacks = (field: string, code: string, message: string) => ({ field, code, message })
  return [
    ...(row.segment === null ? [lacks('segment', 'segment_missing', 'Choose a segment.')] : []),
    ...(is.empty ? [lacks('segment', 'segment_empty', 'Nobody is in the segment.')] : []),
    ...(row.agent === null ? [lacks('agent', 'agent_missing', 'Choose an agent.')] : []),
    ...(is.agent && !is.agent.enabled
      ? [lacks('agent', 'agent_disabled', 'The agent is disabled.')]
      : []),
    ...(is.living
      ? []
      : [lacks('senders', 'no_sender', 'There is no living e-mail account to send from.')]),
    ...places
      .filter((place) => !is.agreed.includes(place))
      .map((place) => lacks('letters', 'letter_not_agreed', `Letter ${place} is not agreed.`)),
  ]
}

/** 409 with the state the campaign is in and the states (of moves: to which) that would be allowed. */
export const wrongState = (state: string, message: string, allowed: string[]) =>
  new ApiError('invalid_state', message, { members: { state, allowed } })
