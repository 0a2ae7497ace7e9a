import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { findRun, insertFind, insertRun } from '../../db/finds.ts'
import { lockSegment } from '../../db/segments.ts'
import { found, invalid } from '../errors.ts'
import { awaited, type ChangeContext, change } from '../route.ts'
import { Id, IdParams, optional, text } from '../shapes.ts'

const Channel = z.enum(['email', 'professional_network'])

// What a finder could not want to be told, and would have to be handed on with every page.
const longestFilters = 20_000
const Filters = z
  .looseObject({})
  .refine((filters) => JSON.stringify(filters).length <= longestFilters, {
    message: `must be at most ${longestFilters} characters of JSON`,
  })

const Add = z.strictObject({
  channel: optional(Channel),
  filters: optional(Filters),
  want: optional(z.int().min(1).max(1000)),
  run: optional(Id),
})
type Segment = NonNullable<Awaited<ReturnType<typeof lockSegment>>>

/**
 * The run that is meant, begun unless it is one to continue. Without filters those of the last find are gone by; the
 * interface leaves open what there is before any: what find would make of the segment's words.
 */
async function runFor({ db, clock }: ChangeContext, segment: Segment, body: z.output<typeof Add>) {
  const { filters, channel, run: id } = body
  if (id === undefined) {
    const run = {
      segment: segment.id,
      channel: channel ?? segment.foundChannel ?? 'email',
      filters: filters ?? segment.foundFilters,
    }
    return { ...run, id: await insertRun(db, run, clock.now()) }
  }
  const run = await findRun(db, segment.id, id)
  if (!run) throw invalid('/run', 'unknown_id', 'is no run of this segment')
  const another = (pointer: string) =>
    invalid(pointer, 'another_run', 'is not that of the run: begin one without run')
  if (channel && channel !== run.channel) throw another('/channel')
  if (filters && !isDeepStrictEqual(filters, run.filters)) throw another('/filters')
  return run
}

export const routes = [
  change({
    method: 'POST',
    path: '/segments/{id}/find',
    summary: 'Count the people beyond the contacts who fit words or filters',
    description:
      'Adds nobody. Filters that are given win over words and are returned as given; words are the query of the segment and the channel is email unless given. `find/add` goes by the filters of the last find.',
    scopes: ['campaigns:write'],
    action: 'segment.searched',
    keyOptional: () => true,
    params: IdParams,
    body: z.strictObject({
      words: optional(text(2000)),
      channel: optional(Channel),
      filters: optional(Filters),
    }),
    example: { words: 'kitchen managers in Valencia', channel: 'email' },
    response: z.object({ filters: z.looseObject({}), count: z.int(), channel: Channel }),
    errors: ['still_running'],
    async handler({ params, body }, { db, workspace, operation, start }) {
      const segment = found(await lockSegment(db, workspace.id, params.id), 'segment')
      const { words, channel = 'email', filters } = body
      const find = { operation: operation.id, segment: segment.id, channel, words, filters }
      await insertFind(db, find)
      await start('searchPeople', [{ operation: operation.id, segment: segment.id }])
      return awaited
    },
  }),

  change({
    method: 'POST',
    path: '/segments/{id}/find/add',
    summary: 'Add found people to the contacts and the segment, a batch a call',
    description:
      'Who is known by an address is completed, not added again; `existing` counts those who were in the segment. While `run` is not null, the next call with it goes on, under another key.',
    scopes: ['campaigns:write'],
    action: 'segment.people_found',
    params: IdParams,
    body: Add,
    example: { want: 25 },
    response: z.object({
      added: z.int(),
      existing: z.int(),
      remaining: z.int(),
      run: z.string().nullable(),
    }),
    errors: ['still_running'],
    async handler({ params, body }, context) {
      const { db, workspace, operation, changed } = context
      const segment = found(await lockSegment(db, workspace.id, params.id), 'segment')
      const { id: run, channel } = await runFor(context, segment, body)
      const { want = 25 } = body
      await insertFind(db, { operation: operation.id, segment: segment.id, channel, run, want })
      changed(segment.id, undefined, { want, channel, run })
      await context.start('findPeople', [{ operation: operation.id, segment: segment.id }])
      return awaited
    },
  }),
]
