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
  type Rule,
  type SegmentPersonRow,
  takeOut,
  takeOverHands,
  updateSegment,
} from '../../../db/segments/segments.ts'
import { hasBegun } from '../../../rules/campaign.ts'
import { inWords, memberOf, mostValues } from '../../../rules/judge/member-rules.ts'
import { fieldNameForm, longestFieldValue } from '../../../rules/own-fields.ts'
import { cut } from '../../../rules/text.ts'
import { ApiError, found, invalid, type Problem } from '../../http/errors.ts'
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

const Kind = z.enum(['only', 'except']).describe(
  withValues('Whether the rule includes or excludes people.', {
    only: 'only people to whom it applies',
    except: 'nobody to whom it applies',
  }),
)
const fieldMeans =
  'The member of the card that it is about: `company`, `city`, `jobTitle`, `tag`, `externalId`, or `fields.` and the name of a field of your own. All that is said of it must hold, and `text` too if it is given.'
const inMeans =
  'It has one of these values. `company`, `city` and `jobTitle` are compared regardless of case; a `tag` is a product, by its id or exact name.'
const existsMeans = 'Whether the card has a value there at all.'
const atLeastMeans = 'It is a number of at least this, in a field of your own.'
const atMostMeans = 'It is a number of at most this, in a field of your own.'
const Value = z.union([z.string(), z.number(), z.boolean()])

const Segment = z
  .object({
    id: OwnId,
    name: z.string().describe('The name; by default the query, or its rules.'),
    query: z.string().describe('Who belongs to it, in words; empty if its rules alone say it.'),
    rules: z
      .array(
        z
          .looseObject({
            kind: Kind,
            text: z.string().optional().describe('The rule, in words.'),
            field: z.string().optional().describe(fieldMeans),
            in: z.array(Value).optional().describe(inMeans),
            exists: z.boolean().optional().describe(existsMeans),
            atLeast: z.number().optional().describe(atLeastMeans),
            atMost: z.number().optional().describe(atMostMeans),
          })
          .meta({ id: 'SegmentRule' }),
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
      z
        .object({
          id: OwnId,
          name: z.string().describe('The name of the campaign.'),
          state: Campaign.shape.state,
        })
        .meta({ id: 'SegmentCampaign' }),
    )
    .describe('The campaigns that write to it.'),
  hint: Hint,
}).meta({ id: 'SegmentDetails' })

/** A segment as its single read shows it; `db` may be a transaction. @throws ApiError not_found. */
async function readSegment(db: Db, workspace: string, id: string) {
  const segment = found(await findSegment(db, workspace, id), 'segment')
  const hint = await findHint(db, segment)
  const campaigns = await listCampaignsOf(db, segment.id)
  return { ...presentSegment(segment), campaigns, ...(hint !== undefined && { hint }) }
}

const RuleGiven = z
  .looseObject({
    kind: Kind,
    text: optional(text(2000)).describe('The rule, in words; with `field`, it may be left out.'),
    field: optional(z.string().max(80)).describe(fieldMeans),
    in: optional(
      z
        .array(z.union([z.string().max(longestFieldValue), z.number(), z.boolean()]))
        .min(1)
        .max(mostValues),
    ).describe(inMeans),
    exists: optional(z.boolean()).describe(existsMeans),
    atLeast: optional(z.number()).describe(atLeastMeans),
    atMost: optional(z.number()).describe(atMostMeans),
  })
  .superRefine(({ text, field, in: values, exists, atLeast, atMost }, context) => {
    const wrong = (path: string[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    const asks = [values, exists, atLeast, atMost].some((asked) => asked !== undefined)
    const isOfNumbers = atLeast !== undefined || atMost !== undefined
    if (field === undefined) {
      if (text === undefined) wrong(['text'], 'is required unless the rule has a field')
      if (asks) wrong(['field'], 'is required with in, exists, atLeast and atMost')
      return
    }
    const named = memberOf(field)
    if (!named)
      wrong(
        ['field'],
        `must be company, city, jobTitle, tag, externalId, or fields. and a name of ${fieldNameForm}`,
      )
    else if (isOfNumbers && named.member !== 'fields')
      wrong([atLeast === undefined ? 'atMost' : 'atLeast'], 'is for fields of your own')
    else if (!asks) wrong(['field'], 'needs in, exists, atLeast or atMost beside it')
  })
  .meta({ id: 'NewSegmentRule' })

const Judge = z
  .strictObject({
    query: optional(text(2000)).describe(
      'Who belongs to it, in words; may be left out where a rule has a `field`, or with `segment`.',
    ),
    rules: optional(z.array(RuleGiven).max(100)).describe('Rules that narrow the query.'),
    refill: optional(z.boolean()).describe(
      'Whether the service adds matching people by itself; by default false.',
    ),
    segment: optional(Id).describe(
      'The id of a segment to continue judging; send its query again.',
    ),
    name: optional(text(200)).describe('The name; by default the query, or its rules.'),
  })
  .meta({ id: 'NewSegment' })

/** @throws ApiError 422 if nothing says who belongs to it. */
function requireWords(query: string | undefined, rules: Rule[]): string {
  if (query) return query
  if (rules.some(({ field }) => field !== undefined)) return ''
  throw invalid('/query', 'required', 'is required unless a rule has a field')
}

/** The name of a segment that is given none. */
const nameOf = (query: string, rules: Rule[]) =>
  query || cut(rules.map((rule) => inWords(rule)).join('; '), 200)

/** A new draft. */
async function create(
  { db, workspace, clock, changed }: ChangeContext,
  body: z.output<typeof Judge>,
) {
  const { rules = [], refill = false } = body
  const query = requireWords(body.query, rules)
  const name = body.name ?? nameOf(query, rules)
  const segment = { workspace: workspace.id, name, query, rules, refill }
  const id = await insertSegment(db, segment, clock.now())
  changed(id, undefined, { name, query, rules, refill })
  return id
}

/**
 * Continues a segment: with the same words, the remaining people are judged; with other words or rules, everyone is
 * judged again. The interface leaves open what happens to members that are not given: the query, rules, refill and a chosen
 * name are kept, and a name that was the query changes with it.
 */
async function goOn(
  { db, workspace, clock, changed }: ChangeContext,
  body: z.output<typeof Judge>,
) {
  const { rules, refill, segment: id = '' } = body
  const segment = await lockSegment(db, workspace.id, id)
  if (!segment) throw invalid('/segment', 'unknown_id', 'is not a segment of this workspace')
  const query = requireWords(body.query ?? segment.query, rules ?? segment.rules)
  const isChosen = segment.name !== nameOf(segment.query, segment.rules)
  const name = body.name ?? (isChosen ? segment.name : nameOf(query, rules ?? segment.rules))
  const given = { name, query, ...(rules && { rules }), ...(refill !== undefined && { refill }) }
  const edit = changesOf(segment as Partial<typeof given>, given)
  changed(segment.id, edit?.before, edit?.after ?? { judged: 'further' }, 'segment.edited')
  if (edit) await updateSegment(db, segment.id, given, clock.now())
  if (query !== segment.query || (rules && !isDeepStrictEqual(rules, segment.rules))) {
    await forgetVerdicts(db, segment.id)
    await leaveAll(db, segment.id, clock.now())
    await wakeRunners(db, { segment: segment.id }, 'people')
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
    .meta({ id: 'Verdict' })
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

const Edit = z
  .strictObject({
    name: optional(text(200)).describe('The name.'),
    saved: optional(z.boolean()).describe('True saves a draft.'),
    refill: optional(z.boolean()).describe('Whether the service adds matching people by itself.'),
    replaces: optional(Id).describe(
      'The id of a saved segment that this draft replaces: its campaigns move to this one, whoever was added to it or taken out of it by hand stays so, and it is deleted.',
    ),
  })
  .meta({ id: 'SegmentUpdate' })

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
    if (state === 'running' && runner) await signal(runner, 'changed', 'people')
  return campaigns.map((campaign) => campaign.id)
}

const mostNamed = 20

/** Each that names nobody, by its place; in the list, all do. */
function namesNobody(given: number) {
  const errors: Problem[] = Array.from({ length: Math.min(given, mostNamed) }, (_, i) => ({
    pointer: `/people/${i}`,
    code: 'unknown_id',
    message: 'names nobody who is known here',
  }))
  const [{ pointer, message } = { pointer: '/people', message: '' }] = errors
  return new ApiError('validation_failed', `${pointer}: ${message}`, { errors })
}

export const routes = [
  read({
    path: '/segments',
    operationId: 'listSegments',
    summary: 'List segments',
    description: 'Newest first, drafts included.',
    scopes: ['inbox:read'],
    query: WholeList,
    response: z
      .object({
        segments: z.array(Segment).describe('All segments, newest first.'),
        next: NoNext,
      })
      .meta({ id: 'SegmentList' }),
    handler: async (_, { db, workspace }) => ({
      segments: (await listSegments(db, workspace.id)).map(presentSegment),
      next: null,
    }),
  }),

  change({
    method: 'POST',
    path: '/segments',
    operationId: 'createSegment',
    summary: 'Create a segment, or judge it further',
    description:
      'Judges as many people as possible within a few seconds. While `remaining` is not 0, call again with `segment`, the same `query`, if any, and a new key. With another query or other rules, everybody is judged again.',
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
    }).meta({ id: 'JudgedSegment' }),
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
    operationId: 'getSegment',
    summary: 'Read a segment',
    description: 'Answers the segment with its campaigns.',
    scopes: ['inbox:read'],
    params: IdParams,
    response: SegmentRead,
    handler: ({ params }, { db, workspace }) => readSegment(db, workspace.id, params.id),
  }),

  read({
    path: '/segments/{id}/people',
    operationId: 'listSegmentPeople',
    summary: 'List the people of a segment',
    description: 'In order of name, each with a verdict.',
    scopes: ['inbox:read'],
    params: IdParams,
    query: Paging,
    response: z
      .object({
        people: z.array(Member).describe('The people of the segment, in order of name.'),
        next,
      })
      .meta({ id: 'SegmentMemberList' }),
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
    operationId: 'addSegmentPeople',
    summary: 'Add people to a segment',
    description: 'They belong to it from now on, whatever its rules say.',
    scopes: ['campaigns:write'],
    action: 'segment.people_added',
    params: IdParams,
    body: z
      .strictObject({
        people: z
          .array(personId(z.string().min(1).max(500)))
          .min(1)
          .max(5000)
          .describe('The people, each by id, e-mail address, phone number or profile address.'),
      })
      .meta({ id: 'SegmentAddition' }),
    response: SegmentRead.extend({
      added: z.number().describe('The number of people added.'),
      existing: z.number().describe('The number of people who already belonged to it.'),
      unknown: z.array(z.string()).describe('The given values by which nobody is known here.'),
    }).meta({ id: 'ExtendedSegment' }),
    async handler({ params, body }, { db, workspace, clock, changed }) {
      const segment = found(await lockSegment(db, workspace.id, params.id), 'segment')
      const { people, unknown } = await findPeopleByKeys(db, workspace.id, body.people)
      if (people.length === 0) throw namesNobody(body.people.length)
      const added = await addPeopleByHand(db, segment.id, people, clock.now())
      if (added > 0) {
        await updateSegment(db, segment.id, {}, clock.now())
        await wakeRunners(db, { segment: segment.id }, 'people')
        changed(segment.id, undefined, { added })
      }
      const counts = { added, existing: people.length - added, unknown }
      return { ...(await readSegment(db, workspace.id, segment.id)), ...counts }
    },
  }),

  change({
    method: 'DELETE',
    path: '/segments/{id}/people/{person}',
    operationId: 'removeSegmentPerson',
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
        if (ended > 0) await wakeRunners(db, { segment: segment.id }, 'letters')
        changed(segment.id, { person: person.id, ...taken }, { person: person.id, belonged: false })
      }
      return readSegment(db, workspace.id, segment.id)
    },
  }),

  change({
    method: 'PATCH',
    path: '/segments/{id}',
    operationId: 'updateSegment',
    summary: 'Edit a segment',
    description:
      'Renames it, saves a draft, turns refill on or off, or replaces a saved segment with a draft.',
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
        { name: segment.name, saved: segment.saved, refill: segment.refill },
        {
          ...(body.name !== undefined && { name: body.name }),
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
    operationId: 'deleteSegment',
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
