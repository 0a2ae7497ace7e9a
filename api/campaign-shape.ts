import { z } from 'zod'
import { countProgress, findCampaignFacts, isSegmentEmpty } from '../db/campaign-facts.ts'
import { type CampaignRow, findCampaign, listLetters } from '../db/campaigns.ts'
import { dayIn, mondayIn, paceOf, termOf } from '../workflows/pace.ts'
import { ApiError, found } from './errors.ts'
import type { ReadContext } from './route.ts'
import { iso, isoOrNull } from './shapes.ts'

const Missing = z.object({ field: z.string(), code: z.string(), message: z.string() })

export const Campaign = z
  .object({
    id: z.string(),
    name: z.string(),
    goal: z.string(),
    kind: z.string(),
    state: z.enum(['draft', 'running', 'paused', 'done']),
    /** Empty while none is chosen. */
    segment: z.string(),
    agent: z.string(),
    senders: z.array(z.string()),
    people: z.number(),
    missing: z.array(Missing),
    term: z.object({ weeks: z.number(), ends: z.string(), approx: z.boolean() }),
    progress: z.object({
      people: z.number(),
      written: z.number(),
      replied: z.number(),
      declined: z.number(),
      interested: z.number(),
      meetings: z.number(),
    }),
    addRules: z.array(z.string()),
    materials: z.array(z.looseObject({ title: z.string(), text: z.string() })),
    sending: z.object({
      now: z.boolean(),
      blockedBy: z.string().nullable(),
      nextAt: z.string().nullable(),
      endsAt: z.string().nullable(),
    }),
  })
  .meta({ id: 'Campaign' })

export const Letter = z
  .object({
    place: z.number(),
    subject: z.string(),
    text: z.string(),
    agreed: z.boolean(),
    writtenAt: z.string(),
  })
  .meta({ id: 'Letter' })

const Funnel = z
  .object({
    people: z.number(),
    queued: z.number(),
    review: z.number(),
    sending: z.number(),
    sent: z.number(),
    failed: z.number(),
    replied: z.number(),
    interested: z.number(),
    declined: z.number(),
    meetings: z.number(),
  })
  .meta({ id: 'Funnel' })

export const CampaignRead = z
  .object({
    campaign: Campaign,
    letters: z.array(Letter),
    funnel: Funnel,
  })
  .meta({ id: 'CampaignRead' })
export const CampaignAnswer = CampaignRead.extend({ id: z.string(), state: Campaign.shape.state })

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
