import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import {
  listCampaignsOf,
  lockCampaignsOf,
  moveCampaigns,
  wakeRunners,
} from '../../../db/campaigns/campaigns.ts'
import { leave, leaveAll } from '../../../db/campaigns/leaving.ts'
import type { Db } from '../../../db/database.ts'
import { findPeopleByKeys, findPerson } from '../../../db/people/people.ts'
import { findHint } from '../../../db/segments/hint.ts'
import {
  addPeopleByHand,
  deleteSegment,
  findSegment,
  forgetVerdicts,
  insertSegment,
  isSegment,
  listSegmentPeople,
  listSegments,
  lockSegment,
  presentSegment,
  type SegmentPersonRow,
  takeOut,
  takeOverHands,
  updateSegment,
} from '../../../db/segments/segments.ts'
import { hasBegun } from '../../../rules/campaign.ts'
import { ApiError, found, invalid } from '../../http/errors.ts'
import { awaited, type ChangeContext, change, read } from '../../route.ts'
import { Campaign } from '../../shapes/campaign.ts'
import { PersonShape, presentPeople } from '../../shapes/people.ts'
import { PersonId, personId } from '../../shapes/person-ids.ts'
import {
  CreatedAt,
  Deleted,
  Id,
  IdParams,
  NoNext,
  next,
  OwnId,
  optional,
  Paging,
  page,
  readCursor,
  text,
  UpdatedAt,
  WholeList,
  withValues,
} from '../../shapes/shapes.ts'
import { changesOf } from '../changes.ts'

// Segments and the people in them. One file, because creating and editing a segment judge the same rules and answer the same card.

const Segment = z
  .object({
    id: OwnId,
    name: z.string().describe('The name; by default the query.'),
    query: z.string().describe('Who belongs to it, in words.'),
    rules: z
      .array(
        z.looseObject({
          kind: z.enum(['only', 'except']).describe(
            withValues('Whether the rule includes or excludes people.', {
              only: 'only people to whom its text applies',
              except: 'nobody to whom its text applies',
            }),
          ),
          text: z.string().describe('The rule, in words.'),
        }),
      )
      .describe('Rules that narrow the query.'),
    refill: z.boolean().describe('Whether the service adds matching people by itself.'),
    saved: z.boolean().describe('Whether it is saved; false for a draft.'),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
    members: z.number().describe('The number of people in it.'),
  })
  .meta({ id: 'Segment' })

const Hint = z
  .string()
  .optional()
  .describe(
    'Why nobody was found, and what can be done, in words; absent if somebody belongs to it.',
  )

const SegmentRead = Segment.extend({
  campaigns: z
    .array(
      z.object({
        id: OwnId,
        name: z.string().describe('The name of the campaign.'),
        state: Campaign.shape.state,
      }),
    )
    .describe('The campaigns that write to it.'),
  hint: Hint,
}).meta({ id: 'SegmentRead' })

/** A segment as its single read shows it; `db` may be a transaction. @throws ApiError not_found. */
async function readSegment(db: Db, workspace: string, id: string) {
  const segment = found(await findSegment(db, workspace, id), 'segment')
  const hint = await findHint(db, segment)
  const campaigns = await listCampaignsOf(db, segment.id)
  return { ...presentSegment(segment), campaigns, ...(hint !== undefined && { hint }) }
}

const Judge = z.strictObject({
  query: text(2000).describe('Who belongs to it, in words.'),
  rules: optional(
    z
      .array(
        z.looseObject({
          kind: z.enum(['only', 'except']).describe(
            withValues('Whether the rule includes or excludes people.', {
              only: 'only people to whom its text applies',
              except: 'nobody to whom its text applies',
            }),
          ),
          text: text(2000).describe('The rule, in words.'),
        }),
      )
      .max(100),
  ).describe('Rules that narrow the query.'),
  refill: optional(z.boolean()).describe(
    'Whether the service adds matching people by itself; by default false.',
  ),
  segment: optional(Id).describe('The id of a segment to continue judging; send its query again.'),
  name: optional(text(200)).describe('The name; by default the query.'),
})

/** A new draft. */
async function create(
  { db, workspace, clock, changed }: ChangeContext,
  body: z.output<typeof Judge>,
) {
  const { query, rules = [], refill = false } = body
  const name = body.name ?? query
  const segment = { workspace: workspace.id, name, query, rules, refill }
  const id = await insertSegment(db, segment, clock.now())
  changed(id, undefined, { name, query, rules, refill })
  return id
}

/**
 * Continues a segment: with the same words, the remaining people are judged; with other words or rules, everyone is
 * judged again. The interface leaves open what happens to members that are not given: rules, refill and a chosen name
 * are kept, and a name that was the query changes with it.
 */
async function goOn(
  { db, workspace, clock, changed }: ChangeContext,
  body: z.output<typeof Judge>,
) {
  const { query, rules, refill, segment: id = '' } = body
  const segment = await lockSegment(db, workspace.id, id)
  if (!segment) throw invalid('/segment', 'unknown_id', 'is not a segment of this workspace')
  const name = body.name ?? (segment.name === segment.query ? query : segment.name)
  const given = { name, query, ...(rules && { rules }), ...(refill !== undefined && { refill }) }
  const edit = changesOf(segment as Partial<typeof given>, given)
  changed(segment.id, edit?.before, edit?.after ?? { judged: 'further' }, 'segment.edited')
  if (edit) await updateSegment(db, segment.id, given, clock.now())
  if (query !== segment.query || (rules && !isDeepStrictEqual(rules, segment.rules))) {
    await forgetVerdicts(db, segment.id)
    await leaveAll(db, segment.id, clock.now())
    await wakeRunners(db, { segment: segment.id })
  }
  return segment.id
}

const Member = PersonShape.extend({
  verdict: z
    .object({
      matches: z.boolean().describe('Whether they match its query and rules.'),
      reason: z.string().describe('Why, in words.'),
      version: z
        .number()
        .describe(
          'The version of the query and rules by which they were judged; each change increases it.',
        ),
      byHand: z
        .boolean()
        .describe(
          'Whether they were added by hand; such people belong to it whatever the rules say.',
        ),
    })
    .describe('Why they belong to it.'),
}).meta({ id: 'SegmentMember' })

// The interface leaves open what the verdict on people added by hand says: what the rules say of them, and that they
// were added by hand.
const verdictOf = ({ matches, reason, version, byHand }: SegmentPersonRow) => ({
  matches,
  reason: byHand ? `Added by hand. ${reason}`.trim() : reason,
  version,
  byHand,
})

const Edit = z.strictObject({
  saved: optional(z.boolean()).describe('True saves a draft.'),
  refill: optional(z.boolean()).describe('Whether the service adds matching people by itself.'),
  replaces: optional(Id).describe(
    'The id of a saved segment that this draft replaces: its campaigns move to this one, whoever was added to it or taken out of it by hand stays so, and it is deleted.',
  ),
})

const inUse = () =>
  new ApiError('segment_in_use', 'A running or paused campaign uses this segment.')

/**
 * Moves all campaigns of the replaced segment to this one, whatever their state, and deletes the replaced segment. The interface
 * leaves open what becomes of people who were added to it or taken out of it by hand: that stays, as with other words.
 */
async function replace(
  { db, workspace, clock, signal }: ChangeContext,
  id: string,
  replaced: string,
) {
  if (replaced === id) throw invalid('/replaces', 'same_segment', 'is this segment itself')
  const old = await lockSegment(db, workspace.id, replaced)
  if (!old) throw invalid('/replaces', 'unknown_id', 'is not a segment of this workspace')
  if (!old.saved)
    throw invalid('/replaces', 'not_saved', 'is a draft; only a saved segment can be replaced')
  const campaigns = await lockCampaignsOf(db, old.id)
  await moveCampaigns(db, old.id, id, clock.now())
  await takeOverHands(db, old.id, id, clock.now())
  await deleteSegment(db, old.id)
  await leaveAll(db, id, clock.now())
  for (const { state, runner } of campaigns)
    if (state === 'running' && runner) await signal(runner, 'changed')
  return campaigns.map((campaign) => campaign.id)
}

export const routes = [
  read({
    path: '/segments',
    summary: 'List segments',
    description: 'Newest first, drafts included.',
    scopes: ['inbox:read'],
    query: WholeList,
    response: z.object({
      segments: z.array(Segment).describe('All segments, newest first.'),
      next: NoNext,
    }),
    handler: async (_, { db, workspace }) => ({
      segments: (await listSegments(db, workspace.id)).map(presentSegment),
      next: null,
    }),
  }),

  change({
    method: 'POST',
    path: '/segments',
    summary: 'Create a segment, or judge it further',
    description:
      'Judges as many people as possible within a few seconds. While `remaining` is not 0, call again with `segment`, the same `query` and a new key. With another query or other rules, everybody is judged again.',
    scopes: ['campaigns:write'],
    action: 'segment.created',
    body: Judge,
    example: {
      query: 'kitchen managers or owners',
      rules: [{ kind: 'except', text: 'in Bologna' }],
      name: 'Kitchens',
    },
    response: Segment.extend({
      judged: z.number().describe('The number of people that this call judged.'),
      matched: z.number().describe('The number of them that belong to it.'),
      remaining: z
        .number()
        .describe(
          'The number of people still to be judged; while it is not 0, call again with `segment`.',
        ),
      hint: Hint,
    }),
    errors: ['still_running'],
    async handler({ body }, context) {
      const segment =
        body.segment === undefined ? await create(context, body) : await goOn(context, body)
      await context.start('judgeSegment', [{ operation: context.operation.id, segment }])
      return awaited
    },
  }),

  read({
    path: '/segments/{id}',
    summary: 'Read a segment',
    description: 'Answers the segment with its campaigns.',
    scopes: ['inbox:read'],
    params: IdParams,
    response: SegmentRead,
    handler: ({ params }, { db, workspace }) => readSegment(db, workspace.id, params.id),
  }),

  read({
    path: '/segments/{id}/people',
    summary: 'List the people of a segment',
    description: 'In order of name, each with a verdict.',
    scopes: ['inbox:read'],
    params: IdParams,
    query: Paging,
    response: z.object({
      people: z.array(Member).describe('The people of the segment, in order of name.'),
      next,
    }),
    async handler({ params, query }, { db, workspace, clock }) {
      const { id } = params
      found((await isSegment(db, workspace.id, id)) || undefined, 'segment')
      const after = readCursor(query.cursor, 'text', 'text')
      const rows = await listSegmentPeople(db, workspace.id, id, after, query.limit + 1)
      const { items, next } = page(rows, query.limit, (row) => [row.sortName, row.id])
      const people = await presentPeople(db, items, clock.now())
      return {
        people: people.map((person, i) => ({ ...person, verdict: verdictOf(items[i]!) })),
        next,
      }
    },
  }),

  change({
    method: 'POST',
    path: '/segments/{id}/people',
    summary: 'Add people to a segment',
    description: 'They belong to it from now on, whatever its rules say.',
    scopes: ['campaigns:write'],
    action: 'segment.people_added',
    params: IdParams,
    body: z.strictObject({
      people: z
        .array(personId(z.string().min(1).max(500)))
        .min(1)
        .max(5000)
        .describe('The people, each by id, e-mail address, phone number or profile address.'),
    }),
    response: SegmentRead.extend({
      added: z.number().describe('The number of people added.'),
      existing: z.number().describe('The number of people who already belonged to it.'),
      unknown: z.array(z.string()).describe('The given values by which nobody is known here.'),
    }),
    async handler({ params, body }, { db, workspace, clock, changed }) {
      const segment = found(await lockSegment(db, workspace.id, params.id), 'segment')
      const { people, unknown } = await findPeopleByKeys(db, workspace.id, body.people)
      if (people.length === 0)
        throw invalid('/people', 'unknown_id', 'names nobody who is known here')
      const added = await addPeopleByHand(db, segment.id, people, clock.now())
      if (added > 0) {
        await updateSegment(db, segment.id, {}, clock.now())
        await wakeRunners(db, { segment: segment.id })
        changed(segment.id, undefined, { added })
      }
      const counts = { added, existing: people.length - added, unknown }
      return { ...(await readSegment(db, workspace.id, segment.id)), ...counts }
    },
  }),

  change({
    method: 'DELETE',
    path: '/segments/{id}/people/{person}',
    summary: 'Take a person out of a segment',
    description:
      'They stay out, whatever is judged later, until they are added by hand. Their letters that have not gone yet end: `failed`, with the reason `left_segment`.',
    scopes: ['campaigns:write'],
    action: 'segment.person_removed',
    params: IdParams.extend({ person: PersonId.describe('The id of the person.') }),
    response: SegmentRead,
    async handler({ params }, { db, workspace, clock, changed }) {
      const segment = found(await lockSegment(db, workspace.id, params.id), 'segment')
      const person = found(await findPerson(db, workspace.id, params.person), 'person')
      const now = clock.now()
      const taken = await takeOut(db, segment.id, person.id, now)
      if (taken) {
        const ended = await leave(db, segment.id, [person.id], now)
        await updateSegment(db, segment.id, {}, now)
        if (ended > 0) await wakeRunners(db, { segment: segment.id })
        changed(segment.id, { person: person.id, ...taken }, { person: person.id, belonged: false })
      }
      return readSegment(db, workspace.id, segment.id)
    },
  }),

  change({
    method: 'PATCH',
    path: '/segments/{id}',
    summary: 'Edit a segment',
    description: 'Saves a draft, turns refill on or off, or replaces a saved segment with a draft.',
    scopes: ['campaigns:write'],
    action: 'segment.edited',
    params: IdParams,
    body: Edit.refine((body) => !(body.replaces !== undefined && body.saved === false), {
      path: ['saved'],
      message: 'must not be false together with replaces, which saves the segment',
    }),
    example: { saved: true },
    response: SegmentRead,
    errors: ['segment_in_use'],
    async handler({ params, body }, context) {
      const { db, workspace, clock, changed } = context
      const segment = found(await lockSegment(db, workspace.id, params.id), 'segment')
      // The interface leaves open whether a saved segment can become a draft again: it can, unless a campaign needs
      // it.
      if (
        body.saved === false &&
        (await lockCampaignsOf(db, segment.id)).some(({ state }) => hasBegun(state))
      )
        throw inUse()
      const saved = body.replaces === undefined ? body.saved : true
      const edit = changesOf(
        { saved: segment.saved, refill: segment.refill },
        {
          ...(saved !== undefined && { saved }),
          ...(body.refill !== undefined && { refill: body.refill }),
        },
      )
      if (edit) await updateSegment(db, segment.id, edit.after, clock.now())
      if (body.replaces !== undefined) {
        const campaigns = await replace(context, segment.id, body.replaces)
        changed(segment.id, edit?.before, { ...edit?.after, replaces: body.replaces, campaigns })
      } else if (edit) changed(segment.id, edit.before, edit.after)
      return readSegment(db, workspace.id, segment.id)
    },
  }),

  change({
    method: 'DELETE',
    path: '/segments/{id}',
    summary: 'Delete a segment',
    description: 'Its people stay in the contacts.',
    scopes: ['campaigns:write'],
    action: 'segment.deleted',
    params: IdParams,
    response: Deleted,
    errors: ['segment_in_use'],
    async handler({ params }, { db, workspace, clock, changed }) {
      const segment = found(await lockSegment(db, workspace.id, params.id), 'segment')
      const campaigns = await lockCampaignsOf(db, segment.id)
      if (campaigns.some(({ state }) => hasBegun(state))) throw inUse()
      await moveCampaigns(db, segment.id, null, clock.now())
      await deleteSegment(db, segment.id)
      const { name, query, saved } = segment
      changed(segment.id, { name, query, saved })
      return { id: segment.id, deleted: true as const }
    },
  }),
]
