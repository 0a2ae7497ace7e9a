import { z } from 'zod'
import { countProgress, findCampaignFacts, isSegmentEmpty } from '../../db/campaign-facts.ts'
import {
  type CampaignEdit,
  type CampaignRow,
  deleteCampaign,
  findCampaign,
  insertCampaign,
  listCampaigns,
  listLetters,
  lockCampaign,
  updateCampaign,
  withdrawAgreement,
} from '../../db/campaigns.ts'
import { findChannelIds } from '../../db/channels.ts'
import { newId } from '../../db/ids.ts'
import { dayIn, mondayIn, paceOf, termOf } from '../../workflows/pace.ts'
import { changesOf } from '../changes.ts'
import { ApiError, found, invalid } from '../errors.ts'
import { type ChangeContext, change, type ReadContext, read } from '../route.ts'
import {
  Id,
  IdParams,
  iso,
  isoOrNull,
  next,
  optional,
  Paging,
  page,
  readCursor,
  text,
} from '../shapes.ts'

const Missing = z.object({ field: z.string(), code: z.string(), message: z.string() })

export const Campaign = z.object({
  id: z.string(),
  name: z.string(),
  goal: z.string(),
  kind: z.string(),
  state: z.enum(['draft', 'running', 'paused', 'done']),
  segment: z.string().nullable(),
  agent: z.string().nullable(),
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

export const Letter = z.object({
  place: z.number(),
  subject: z.string(),
  text: z.string(),
  agreed: z.boolean(),
  writtenAt: z.string(),
})

const Funnel = z.object({
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

export const CampaignRead = z.object({
  campaign: Campaign,
  letters: z.array(Letter),
  funnel: Funnel,
})
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
      segment: row.segment,
      agent: row.agent,
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
const wholeMaterial = <T extends Material>(material: T) => ({
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

/** Checks the ids a body names. @throws ApiError 422 with the pointer of the unknown one. */
async function checkIds({ db, workspace }: ChangeContext, body: CampaignEdit) {
  const known = async (table: 'segments' | 'agents', id: string) =>
    db
      .selectFrom(table)
      .select('id')
      .where('workspace', '=', workspace.id)
      .where('id', '=', id)
      .executeTakeFirst()
  if (body.segment !== undefined && !(await known('segments', body.segment)))
    throw invalid('/segment', 'unknown_id', 'is no segment of this workspace')
  if (body.agent !== undefined && !(await known('agents', body.agent)))
    throw invalid('/agent', 'unknown_id', 'is no agent of this workspace')
  if (body.senders !== undefined) {
    const channels = await findChannelIds(db, workspace.id, body.senders)
    const at = body.senders.findIndex((id) => !channels.has(id))
    if (at >= 0) throw invalid(`/senders/${at}`, 'unknown_id', 'is no connection of this workspace')
  }
}

const Goal = z.string().max(4000)

export const routes = [
  read({
    path: '/campaigns',
    summary: 'Campaigns, newest first',
    scopes: ['inbox:read'],
    query: Paging,
    response: z.object({ campaigns: z.array(Campaign), next }),
    async handler({ query }, context) {
      const after = readCursor(query.cursor, 'time', 'text')
      const rows = await listCampaigns(context.db, context.workspace.id, after, query.limit + 1)
      const { items, next } = page(rows, query.limit, (row) => [iso(row.createdAt), row.id])
      const campaigns = []
      for (const row of items) campaigns.push((await readCampaign(context, row)).campaign)
      return { campaigns, next }
    },
  }),

  change({
    method: 'POST',
    path: '/campaigns',
    summary: 'Creates a campaign as a draft, which writes to nobody',
    scopes: ['campaigns:write'],
    action: 'campaign.created',
    body: z.strictObject({
      name: optional(z.string().max(300)),
      goal: optional(Goal),
      segment: optional(Id),
      agent: optional(Id),
    }),
    response: CampaignAnswer,
    async handler({ body }, context) {
      await checkIds(context, body as CampaignEdit)
      const { name, goal = '', segment = null, agent = null } = body
      const id = newId('cmp')
      const campaign = { name: name?.trim() ? name : goal, goal, segment, agent }
      await insertCampaign(context.db, {
        id,
        workspace: context.workspace.id,
        ...campaign,
        now: context.clock.now(),
      })
      context.changed(id, undefined, campaign)
      return answerCampaign(context, id)
    },
  }),

  read({
    path: '/campaigns/{id}',
    summary: 'One campaign with its letters, its numbers and what holds it',
    scopes: ['inbox:read'],
    params: IdParams,
    response: CampaignRead,
    handler: async ({ params }, context) =>
      readCampaign(
        context,
        found(await findCampaign(context.db, context.workspace.id, params.id), 'campaign'),
      ),
  }),

  change({
    method: 'PATCH',
    path: '/campaigns/{id}',
    summary: 'Edits a campaign; effective for letters not yet written',
    scopes: ['campaigns:write'],
    action: 'campaign.edited',
    params: IdParams,
    body: z.strictObject({
      goal: optional(Goal),
      segment: optional(Id),
      agent: optional(Id),
      senders: optional(z.array(Id).max(100)),
      addRules: optional(z.array(text(4000)).max(100)),
      materials: optional(
        z
          .array(
            z
              .looseObject({
                title: optional(z.string().max(1000)),
                text: optional(z.string().max(100_000)),
              })
              .transform(wholeMaterial),
          )
          .max(50),
      ),
    }),
    response: CampaignAnswer,
    errors: ['invalid_state'],
    async handler({ params, body }, context) {
      const { db, workspace, clock } = context
      const row = found(await lockCampaign(db, workspace.id, params.id), 'campaign')
      const given = Object.fromEntries(
        Object.entries(body).filter(([, value]) => value !== undefined),
      ) as CampaignEdit
      if (Object.keys(given).length === 0) return answerCampaign(context, row.id)
      if (row.state === 'done')
        throw wrongState(row.state, 'A campaign that is done cannot be edited.', [])
      if (given.segment !== undefined && given.segment !== row.segment && row.state === 'running')
        throw wrongState(row.state, 'The segment is changed in a draft or while paused.', [
          'draft',
          'paused',
        ])
      await checkIds(context, given)

      const edit = changesOf(row, {
        ...given,
        ...(given.addRules && { addRules: [...row.addRules, ...given.addRules] }),
      } as Partial<CampaignRow>)
      if (!edit) return answerCampaign(context, row.id)
      await updateCampaign(db, row.id, edit.after as CampaignEdit, clock.now())
      if (Object.keys(edit.after).some((name) => name !== 'segment' && name !== 'senders'))
        await withdrawAgreement(db, row.id)
      if (row.state === 'running' && row.runner) await context.signal(row.runner, 'changed')
      context.changed(row.id, edit.before, edit.after)
      return answerCampaign(context, row.id)
    },
  }),

  change({
    method: 'DELETE',
    path: '/campaigns/{id}',
    summary: 'Deletes a draft',
    scopes: ['campaigns:write'],
    action: 'campaign.deleted',
    params: IdParams,
    response: z.object({ id: z.string(), deleted: z.literal(true) }),
    errors: ['invalid_state'],
    async handler({ params }, context) {
      const row = found(await lockCampaign(context.db, context.workspace.id, params.id), 'campaign')
      if (row.state !== 'draft') throw wrongState(row.state, 'Only a draft can be deleted.', [])
      await deleteCampaign(context.db, row.id)
      context.changed(row.id, { name: row.name })
      return { id: row.id, deleted: true as const }
    },
  }),
]

/** 409 with the state the campaign is in and the states (of moves: to which) that would be allowed. */
export const wrongState = (state: string, message: string, allowed: string[]) =>
  new ApiError('invalid_state', message, { members: { state, allowed } })
