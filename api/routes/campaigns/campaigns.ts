import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { findChannelIds } from '../../../db/accounts/channels.ts'
import { withdrawAgreements } from '../../../db/campaigns/agreements.ts'
import { longestWords, mostCampaignRules } from '../../../db/campaigns/briefs.ts'
import {
  type CampaignEdit,
  type CampaignRow,
  deleteCampaign,
  findCampaign,
  insertCampaign,
  listCampaigns,
  lockCampaign,
  moveCampaign,
  updateCampaign,
} from '../../../db/campaigns/campaigns.ts'
import { beginLeaving } from '../../../db/campaigns/leaving.ts'
import { lockMembersOf, planFirstLetters } from '../../../db/campaigns/planning.ts'
import { countInFlight, endBatch, planBatch } from '../../../db/campaigns/touches.ts'
import { newId } from '../../../db/ids.ts'
import { enqueueWake } from '../../../db/operations/wakes.ts'
import { isSegment, saveSegment } from '../../../db/segments/segments.ts'
import { findAgent } from '../../../db/workspace/agents.ts'
import { lastPlace, moves, type Plan, planWith, usualPlan } from '../../../rules/campaign.ts'
import { ApiError, found, invalid } from '../../http/errors.ts'
import { withinQuotas } from '../../http/quotas.ts'
import { type ChangeContext, change, read, type Scope } from '../../route.ts'
import {
  answerCampaign,
  Campaign,
  CampaignAnswer,
  CampaignRead,
  readCampaign,
  readSummary,
  wholeMaterial,
  wrongState,
} from '../../shapes/campaign.ts'
import {
  Deleted,
  Id,
  IdParams,
  iso,
  next,
  optional,
  Paging,
  page,
  readCursor,
  text,
  withValues,
} from '../../shapes/shapes.ts'
import { changesOf } from '../changes.ts'

// Campaigns: listed, read, created, edited, and moved from state to state. One file, because every change answers the same campaign
// and withdraws the same agreements.

/** Checks the ids that a body names. @throws ApiError 422 with the pointer of the unknown one. */
async function checkIds({ db, workspace }: ChangeContext, body: CampaignEdit) {
  if (body.segment !== undefined && !(await isSegment(db, workspace.id, body.segment)))
    throw invalid('/segment', 'unknown_id', 'is not a segment of this workspace')
  if (body.agent !== undefined && !(await findAgent(db, workspace.id, body.agent)))
    throw invalid('/agent', 'unknown_id', 'is not an agent of this workspace')
  if (body.senders !== undefined) {
    const channels = await findChannelIds(db, workspace.id, body.senders)
    const at = body.senders.findIndex((id) => !channels.has(id))
    if (at >= 0)
      throw invalid(`/senders/${at}`, 'unknown_id', 'is not a connection of this workspace')
  }
}

/** @throws ApiError 422 if the campaign would have too many rules, counting those it has. */
function requireFew(rules: string[], pointer: string) {
  const characters = rules.reduce((sum, rule) => sum + rule.length, 0)
  if (rules.length > mostCampaignRules || characters > longestWords)
    throw invalid(
      pointer,
      'too_big',
      `A campaign has at most ${mostCampaignRules} rules of ${longestWords} characters in all, including those it already has`,
    )
}

// The letters are written without these.
const besideTheLetters = new Set(['name', 'segment', 'senders', 'places', 'waitDays'])

const Goal = optional(z.string().max(4000)).describe(
  'What the campaign should achieve. An instruction to the writer that is never quoted to clients.',
)
const Places = optional(z.int().min(1).max(lastPlace)).describe(
  'How many letters it has for each person: 1, 2 or 3, which is the default.',
)
const WaitDays = optional(z.array(z.int().min(1).max(60)).max(lastPlace - 1)).describe(
  'The weekdays between each letter after the first and the one before it, from 1 to 60, an entry for each; by default 3 before the second letter and 5 before the third.',
)
const Writer = optional(Id).describe('The id of the agent that writes.')

/** The plan of a campaign after a call. @throws ApiError 422 unless `waitDays` has an entry for each letter after the first. */
function planFrom(plan: Plan, given: Parameters<typeof planWith>[1]): Plan {
  const planned = planWith(plan, given)
  const follow = planned.places - 1
  if (planned.waitDays.length === follow) return planned
  throw invalid(
    '/waitDays',
    'wrong_length',
    `must have ${follow === 1 ? '1 entry' : `${follow} entries`}, one for each letter after the first: the campaign has ${planned.places === 1 ? '1 letter' : `${planned.places} letters`} for each person`,
  )
}

// A body that might be a start needs the scopes of a start.
const scopesOfMove = (body: unknown): Scope[] => {
  const to = typeof body === 'object' && body !== null && 'to' in body ? body.to : undefined
  return to === 'paused' || to === 'done' ? ['campaigns:write'] : ['send', 'campaigns:write']
}

function requireComplete(row: CampaignRow) {
  const lacking = (['segment', 'agent'] as const).filter((member) => row[member] === null)
  if (lacking.length === 0) return
  throw new ApiError(
    'campaign_incomplete',
    `A campaign can start only with ${lacking.join(' and ')}.`,
    {
      errors: lacking.map((member) => ({
        pointer: `/${member}`,
        code: 'missing',
        message: `the campaign has no ${member}`,
      })),
      members: {
        missing: lacking.map((field) => ({
          field,
          code: `${field}_missing`,
          message: `Choose ${field === 'agent' ? 'an agent' : 'a segment'}.`,
        })),
      },
    },
  )
}

export const routes = [
  read({
    path: '/campaigns',
    operationId: 'listCampaigns',
    summary: 'List campaigns',
    description: 'Newest first.',
    scopes: ['inbox:read'],
    query: Paging,
    response: z
      .object({
        campaigns: z.array(Campaign).describe('The campaigns, newest first.'),
        next,
      })
      .meta({ id: 'CampaignList' }),
    async handler({ query }, context) {
      const after = readCursor(query.cursor, 'time', 'text')
      const rows = await listCampaigns(context.db, context.workspace.id, after, query.limit + 1)
      const { items, next } = page(rows, query.limit, (row) => [iso(row.createdAt), row.id])
      const campaigns = []
      for (const row of items) campaigns.push((await readSummary(context, row)).campaign)
      return { campaigns, next }
    },
  }),

  change({
    method: 'POST',
    path: '/campaigns',
    operationId: 'createCampaign',
    summary: 'Create a campaign',
    description: 'It starts as a draft, which writes to nobody.',
    scopes: ['campaigns:write'],
    action: 'campaign.created',
    body: z
      .strictObject({
        name: optional(z.string().max(300)).describe('The name; by default the goal.'),
        goal: Goal,
        segment: optional(Id).describe('The id of the segment it writes to.'),
        agent: Writer,
        places: Places,
        waitDays: WaitDays,
      })
      .meta({ id: 'NewCampaign' }),
    response: CampaignAnswer,
    async handler({ body }, context) {
      await checkIds(context, body as CampaignEdit)
      const { name, goal = '', segment = null, agent = null } = body
      const id = newId('cmp')
      const plan = planFrom(usualPlan, body)
      const campaign = { name: name?.trim() ? name : goal, goal, segment, agent, ...plan }
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
    operationId: 'getCampaign',
    summary: 'Read a campaign',
    description: 'Answers the campaign with its letters, its numbers, and what holds it up.',
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
    operationId: 'updateCampaign',
    summary: 'Edit a campaign',
    description:
      'Applies to letters that are not written yet. A change of goal, agent, rules or materials withdraws the agreement to its letters. `places` and `waitDays` can be changed only in a draft or while paused, and apply to letters that are not planned yet: the letter after one is planned when that one is sent.',
    scopes: ['campaigns:write'],
    action: 'campaign.edited',
    params: IdParams,
    body: z
      .strictObject({
        name: optional(text(300)).describe('The name.'),
        goal: Goal,
        segment: optional(Id).describe(
          'The id of the segment it writes to; can be changed only in a draft or while paused.',
        ),
        agent: Writer,
        places: Places,
        waitDays: WaitDays,
        senders: optional(z.array(Id).max(100)).describe(
          'The ids of the connections it sends through; an empty list means those of the agent.',
        ),
        addRules: optional(z.array(text(4000)).max(100)).describe(
          'Instructions for every letter; they are added to those it has.',
        ),
        rules: optional(z.array(text(4000)).max(mostCampaignRules)).describe(
          'All instructions for every letter; they replace those it has.',
        ),
        materials: optional(
          z
            .array(
              z
                .looseObject({
                  title: optional(z.string().max(1000)).describe('The title of the text.'),
                  text: optional(z.string().max(100_000)).describe('The text.'),
                })
                .meta({ id: 'NewMaterial' })
                .transform(wholeMaterial),
            )
            .max(50),
        ).describe('Texts that the letters rely on; they replace those it has.'),
      })
      .meta({ id: 'CampaignUpdate' }),
    response: CampaignAnswer,
    errors: ['invalid_state'],
    async handler({ params, body }, context) {
      const { db, workspace, clock } = context
      const row = found(await lockCampaign(db, workspace.id, params.id), 'campaign')
      const { rules, ...others } = body
      const given = Object.fromEntries(
        Object.entries(others).filter(([, value]) => value !== undefined),
      ) as CampaignEdit
      if (Object.keys(given).length === 0 && rules === undefined)
        return answerCampaign(context, row.id)
      await checkIds(context, given)
      if (row.state === 'done')
        throw wrongState(row.state, 'A campaign that is done cannot be edited.', [])
      if (given.segment !== undefined && given.segment !== row.segment && row.state === 'running')
        throw wrongState(row.state, 'The segment can be changed only in a draft or while paused.', [
          'draft',
          'paused',
        ])

      const plan = planFrom(row, given)
      const isReplanned =
        plan.places !== row.places || !isDeepStrictEqual(plan.waitDays, row.waitDays)
      if (isReplanned && row.state === 'running')
        throw wrongState(
          row.state,
          'Places and waitDays can be changed only in a draft or while paused.',
          ['draft', 'paused'],
        )

      const addRules = (rules ?? given.addRules) && [
        ...(rules ?? row.addRules),
        ...(given.addRules ?? []),
      ]
      if (rules?.length || given.addRules?.length)
        requireFew(addRules as string[], rules ? '/rules' : '/addRules')
      const edit = changesOf(row, {
        ...given,
        ...plan,
        ...(addRules && { addRules }),
      } as Partial<CampaignRow>)
      if (!edit) return answerCampaign(context, row.id)
      await updateCampaign(db, row.id, edit.after as CampaignEdit, clock.now())
      if (Object.keys(edit.after).some((name) => !besideTheLetters.has(name)))
        await withdrawAgreements(db, [row.id])
      if (edit.after.segment) await beginLeaving(db, row.id, clock.now())
      if (row.state === 'running' && row.runner) await enqueueWake(db, row.runner, 'settings')
      context.changed(row.id, edit.before, edit.after)
      return answerCampaign(context, row.id)
    },
  }),

  change({
    method: 'DELETE',
    path: '/campaigns/{id}',
    operationId: 'deleteCampaign',
    summary: 'Delete a campaign',
    description: 'Only a draft can be deleted.',
    scopes: ['campaigns:write'],
    action: 'campaign.deleted',
    params: IdParams,
    response: Deleted,
    errors: ['invalid_state'],
    async handler({ params }, context) {
      const row = found(await lockCampaign(context.db, context.workspace.id, params.id), 'campaign')
      if (row.state !== 'draft') throw wrongState(row.state, 'Only a draft can be deleted.', [])
      await deleteCampaign(context.db, row.id)
      context.changed(row.id, { name: row.name })
      return { id: row.id, deleted: true as const }
    },
  }),

  change({
    method: 'POST',
    path: '/campaigns/{id}/state',
    operationId: 'setCampaignState',
    summary: 'Start, pause, resume or end a campaign',
    description:
      'Takes effect once it is answered: after a pause or an end, no further letter is started. `running` also needs the scope `send`.',
    scopes: ['campaigns:write'],
    scopesFor: scopesOfMove,
    action: 'campaign.moved',
    params: IdParams,
    body: z
      .strictObject({
        to: z.enum(['running', 'paused', 'done']).describe(
          withValues('The new state.', {
            running: 'start or resume it',
            paused: 'write to nobody until it is resumed',
            done: 'end it for good',
          }),
        ),
      })
      .meta({ id: 'CampaignStateChange' }),
    response: CampaignAnswer.extend({
      inFlight: z
        .number()
        .describe('The number of letters that are being sent and can no longer be stopped.'),
    }).meta({ id: 'MovedCampaign' }),
    errors: ['invalid_state', 'campaign_incomplete', 'quota_exceeded'],
    async handler({ params, body: { to } }, context) {
      const { db, workspace, clock, operation } = context
      // First letters are planned with the segment locked, which comes before the campaign.
      if (to === 'running') await lockMembersOf(db, workspace.id, params.id)
      // Waits for open claims; once this transaction commits, no claim can succeed under the old state.
      const row = found(await lockCampaign(db, workspace.id, params.id), 'campaign')
      if (row.state !== to) {
        const allowed = moves[row.state]
        if (!allowed.includes(to))
          throw wrongState(row.state, `A campaign that is ${row.state} cannot become ${to}.`, [
            ...allowed,
          ])
        if (to === 'running') requireComplete(row)
        const now = clock.now()
        const epoch = await moveCampaign(
          db,
          row.id,
          to,
          now,
          to === 'running' ? operation.id : undefined,
        )
        if (to === 'running') {
          const segment = row.segment as string
          await saveSegment(db, segment, now)
          // The first batch is planned here, so that the answer includes it; the runner plans the rest.
          await planFirstLetters(db, { ...row, segment }, now, planBatch)
          await withinQuotas(context, { runningCampaigns: 1 })
          await context.start(
            'runCampaign',
            [{ operation: operation.id, campaign: row.id, epoch }],
            { Campaign: row.id },
          )
        } else {
          // The letters of a large campaign are ended in batches by finishCampaign; none of them can be claimed any
          // more.
          if (to === 'done') await endBatch(db, row.id, now)
          const type = to === 'paused' ? 'pauseCampaign' : 'finishCampaign'
          await context.start(type, [{ operation: operation.id, campaign: row.id }], {
            Campaign: row.id,
          })
        }
        // The runner of the previous epoch finishes its letter and ends.
        if (row.runner) await context.signal(row.runner, 'changed', 'settings')
        context.changed(row.id, { state: row.state }, { state: to })
      }
      const inFlight = await countInFlight(db, row.id)
      return { ...(await answerCampaign(context, row.id)), inFlight }
    },
  }),
]
