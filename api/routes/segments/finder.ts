import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { findRun, insertFind, insertRun } from '../../../db/segments/finds.ts'
import { lockSegment } from '../../../db/segments/segments.ts'
import { found, invalid } from '../../http/errors.ts'
import { awaited, type ChangeContext, change } from '../../route.ts'
import { Id, IdParams, optional, text, withValues } from '../../shapes/shapes.ts'

const Channel = z.enum(['email', 'professional_network'])
const channels = {
  email: 'people with an e-mail address',
  professional_network: 'people with a profile in a professional network',
}

// Filters pass through the finder with every page, so their size has a limit.
const longestFilters = 20_000
const Filters = z
  .looseObject({})
  .refine((filters) => JSON.stringify(filters).length <= longestFilters, {
    message: `must be at most ${longestFilters} characters of JSON`,
  })

const Add = z
  .strictObject({
    channel: optional(Channel).describe(
      withValues('The channel for reaching the people; by default that of the last find.', {
        email: 'people with an e-mail address',
        professional_network: 'people with a profile in a professional network',
      }),
    ),
    filters: optional(Filters).describe(
      'The filters, as `find` answered them; by default those of the last find.',
    ),
    want: optional(z.int().min(1).max(1000)).describe('The most people to add.'),
    run: optional(Id).describe('The run to continue, as the previous answer named it.'),
  })
  .meta({ id: 'FinderAddition' })
type Segment = NonNullable<Awaited<ReturnType<typeof lockSegment>>>

/**
 * The run to continue, or a new one. Without filters, those of the last find apply; the interface leaves open what
 * applies before any find: the filters that find would derive from the segment's words.
 */
async function runFor({ db, clock }: ChangeContext, segment: Segment, body: z.output<typeof Add>) {
  const { filters, channel, run: id } = body
  if (id === undefined) {
    const run = {
      segment: segment.id,
      channel: channel ?? segment.foundChannel ?? 'email',
      filters: filters ?? segment.foundFilters,
    }
    if (segment.query === '' && run.filters === null)
      throw invalid('/filters', 'required', 'are required, because the segment has no query')
    return { ...run, id: await insertRun(db, run, clock.now()) }
  }
  const run = await findRun(db, segment.id, id)
  if (!run) throw invalid('/run', 'unknown_id', 'is not a run of this segment')
  const another = (pointer: string) =>
    invalid(
      pointer,
      'another_run',
      'differs from that of the run: leave out run to begin a new one',
    )
  if (channel && channel !== run.channel) throw another('/channel')
  if (filters && !isDeepStrictEqual(filters, run.filters)) throw another('/filters')
  return run
}

export const routes = [
  change({
    method: 'POST',
    path: '/segments/{id}/find',
    operationId: 'findPeople',
    summary: 'Find people beyond the contacts',
    description: 'Counts them without adding anybody.',
    scopes: ['campaigns:write'],
    action: 'segment.searched',
    keyOptional: () => true,
    params: IdParams,
    body: z
      .strictObject({
        words: optional(text(2000)).describe(
          'The people to look for, in words; by default the query of the segment.',
        ),
        channel: optional(Channel).describe(
          withValues('The channel for reaching the people; by default `email`.', {
            email: 'people with an e-mail address',
            professional_network: 'people with a profile in a professional network',
          }),
        ),
        filters: optional(Filters).describe(
          'The people to look for, as filters. They take precedence over words, and are returned as given.',
        ),
      })
      .meta({ id: 'FinderQuery' }),
    example: { words: 'kitchen managers in Valencia', channel: 'email' },
    response: z
      .object({
        filters: z
          .looseObject({})
          .describe('The filters that were used; `find/add` accepts them unchanged.'),
        count: z.int().describe('The number of matching people.'),
        channel: Channel.describe(withValues('The channel for reaching them.', channels)),
      })
      .meta({ id: 'FinderResult' }),
    errors: ['still_running'],
    async handler({ params, body }, { db, workspace, operation, start }) {
      const segment = found(await lockSegment(db, workspace.id, params.id), 'segment')
      const { words, channel = 'email', filters } = body
      if (segment.query === '' && words === undefined && filters === undefined)
        throw invalid('/words', 'required', 'is required, because the segment has no query')
      const find = { operation: operation.id, segment: segment.id, channel, words, filters }
      await insertFind(db, find)
      await start('searchPeople', [{ operation: operation.id, segment: segment.id }])
      return awaited
    },
  }),

  change({
    method: 'POST',
    path: '/segments/{id}/find/add',
    operationId: 'addFoundPeople',
    summary: 'Add found people to a segment',
    description:
      'They become contacts too; people who are known by an address are completed, not added again. While `run` is not null, call again with it, using a new key.',
    scopes: ['campaigns:write'],
    action: 'segment.people_found',
    params: IdParams,
    body: Add,
    example: { want: 25 },
    response: z
      .object({
        added: z.int().describe('The number of people that this call added to the segment.'),
        existing: z.int().describe('The number of people who were already in the segment.'),
        remaining: z
          .int()
          .describe('The number of matching people who have not been processed yet.'),
        run: z
          .string()
          .nullable()
          .describe(
            'The run to continue, in another call with a new key; null when the run is complete.',
          ),
      })
      .meta({ id: 'FinderAdded' }),
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
