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

// What a finder could not want to be told, and would have to be handed on with every page.
const longestFilters = 20_000
const Filters = z
  .looseObject({})
  .refine((filters) => JSON.stringify(filters).length <= longestFilters, {
    message: `must be at most ${longestFilters} characters of JSON`,
  })

const Add = z.strictObject({
  channel: optional(Channel).describe(
    withValues('How the people are to be reached; the channel of the last find unless given.', {
      email: 'people with an e-mail address',
      professional_network: 'people with a profile in a professional network',
    }),
  ),
  filters: optional(Filters).describe(
    'Whom to look for, as `find` answered; those of the last find unless given.',
  ),
  want: optional(z.int().min(1).max(1000)).describe('How many people to add at most.'),
  run: optional(Id).describe('The run to continue, as the previous answer named it.'),
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
    summary: 'Find people beyond the contacts',
    description: 'Counts them and adds nobody.',
    scopes: ['campaigns:write'],
    action: 'segment.searched',
    keyOptional: () => true,
    params: IdParams,
    body: z.strictObject({
      words: optional(text(2000)).describe(
        'Whom to look for, in words; the query of the segment unless given.',
      ),
      channel: optional(Channel).describe(
        withValues('How the people are to be reached; `email` unless given.', {
          email: 'people with an e-mail address',
          professional_network: 'people with a profile in a professional network',
        }),
      ),
      filters: optional(Filters).describe(
        'Whom to look for, as filters; they win over words and are returned as given.',
      ),
    }),
    example: { words: 'kitchen managers in Valencia', channel: 'email' },
    response: z.object({
      filters: z.looseObject({}).describe('Whom was looked for; `find/add` takes it as it is.'),
      count: z.int().describe('How many people fit.'),
      channel: Channel.describe(withValues('How they are to be reached.', channels)),
    }),
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
    summary: 'Add found people to a segment',
    description:
      'They become contacts too; who is known by an address is completed, not added again. While `run` is not null, call again with it under another key.',
    scopes: ['campaigns:write'],
    action: 'segment.people_found',
    params: IdParams,
    body: Add,
    example: { want: 25 },
    response: z.object({
      added: z.int().describe('How many people this call added to the segment.'),
      existing: z.int().describe('How many were in the segment already.'),
      remaining: z.int().describe('How many more fit and were not looked at.'),
      run: z
        .string()
        .nullable()
        .describe(
          'The run to continue, in another call under another key; null when it is at its end.',
        ),
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
