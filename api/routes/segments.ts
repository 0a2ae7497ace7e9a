import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { wakeRunners } from '../../db/campaigns.ts'
import { findPeopleByKeys, presentPeople } from '../../db/people.ts'
import {
  addPeopleByHand,
  forgetVerdicts,
  insertSegment,
  listSegmentPeople,
  listSegments,
  lockSegment,
  presentSegment,
  type SegmentPersonRow,
  updateSegment,
} from '../../db/segments.ts'
import { changesOf } from '../changes.ts'
import { found, invalid } from '../errors.ts'
import { PersonShape } from '../people-shape.ts'
import { awaited, type ChangeContext, change, read } from '../route.ts'
import { readSegment, Segment, SegmentRead } from '../segment-shape.ts'
import { Id, IdParams, next, optional, Paging, page, readCursor, text } from '../shapes.ts'

const Judge = z.strictObject({
  query: text(2000),
  rules: optional(
    z.array(z.looseObject({ kind: z.enum(['only', 'except']), text: text(2000) })).max(100),
  ),
  refill: optional(z.boolean()),
  segment: optional(Id),
  name: optional(text(200)),
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
 * Goes on with a segment: the same words judge who is left, other words or rules judge everyone anew. The interface leaves
 * open what is not given: rules and refill stay, and so does a name that was given; one that was the query follows it.
 */
async function goOn(
  { db, workspace, clock, changed }: ChangeContext,
  body: z.output<typeof Judge>,
) {
  const { query, rules, refill, segment: id = '' } = body
  const segment = await lockSegment(db, workspace.id, id)
  if (!segment) throw invalid('/segment', 'unknown_id', 'is no segment of this workspace')
  const name = body.name ?? (segment.name === segment.query ? query : segment.name)
  const given = { name, query, ...(rules && { rules }), ...(refill !== undefined && { refill }) }
  const edit = changesOf(segment as Partial<typeof given>, given)
  changed(segment.id, edit?.before, edit?.after ?? { judged: 'further' }, 'segment.edited')
  if (edit) await updateSegment(db, segment.id, given, clock.now())
  if (query !== segment.query || (rules && !isDeepStrictEqual(rules, segment.rules))) {
    await forgetVerdicts(db, segment.id)
    await wakeRunners(db, { segment: segment.id })
  }
  return segment.id
}

const Member = PersonShape.extend({
  verdict: z.object({
    matches: z.boolean(),
    reason: z.string(),
    version: z.number(),
    byHand: z.boolean(),
  }),
}).meta({ id: 'SegmentMember' })

// The interface leaves open what a verdict says of people added by hand: what the rules say of them, and that they were.
const verdictOf = ({ matches, reason, version, byHand }: SegmentPersonRow) => ({
  matches,
  reason: byHand ? `Added by hand. ${reason}`.trim() : reason,
  version,
  byHand,
})

export const routes = [
  read({
    path: '/segments',
    summary: 'All segments, drafts included, newest first',
    scopes: ['inbox:read'],
    query: Paging,
    response: z.object({ segments: z.array(Segment), next }),
    handler: async (_, { db, workspace }) => ({
      segments: (await listSegments(db, workspace.id)).map(presentSegment),
      next: null,
    }),
  }),

  change({
    method: 'POST',
    path: '/segments',
    summary: 'Judges a batch of people for a new segment, or further for one there is',
    scopes: ['campaigns:write'],
    action: 'segment.created',
    body: Judge,
    example: {
      query: 'kitchen managers or owners',
      rules: [{ kind: 'except', text: 'in Bologna' }],
      name: 'Kitchens',
    },
    response: Segment.extend({ judged: z.number(), matched: z.number(), remaining: z.number() }),
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
    summary: 'One segment with its campaigns',
    scopes: ['inbox:read'],
    params: IdParams,
    response: SegmentRead,
    handler: ({ params }, { db, workspace }) => readSegment(db, workspace.id, params.id),
  }),

  read({
    path: '/segments/{id}/people',
    summary: 'The people of a segment by name, each with its verdict',
    scopes: ['inbox:read'],
    params: IdParams,
    query: Paging,
    response: z.object({ people: z.array(Member), next }),
    async handler({ params, query }, { db, workspace, clock }) {
      const { id } = await readSegment(db, workspace.id, params.id)
      const after = readCursor(query.cursor, 'text', 'text')
      const rows = await listSegmentPeople(db, id, after, query.limit + 1)
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
    summary: 'Adds people by hand, by their ids or addresses',
    scopes: ['campaigns:write'],
    action: 'segment.people_added',
    params: IdParams,
    body: z.strictObject({ people: z.array(z.string().min(1).max(500)).min(1).max(5000) }),
    response: SegmentRead.extend({
      added: z.number(),
      existing: z.number(),
      unknown: z.array(z.string()),
    }),
    async handler({ params, body }, { db, workspace, clock, changed }) {
      const segment = found(await lockSegment(db, workspace.id, params.id), 'segment')
      const { people, unknown } = await findPeopleByKeys(db, workspace.id, body.people)
      if (people.length === 0)
        throw invalid('/people', 'unknown_id', 'holds nobody who is known here')
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
]
