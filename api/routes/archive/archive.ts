import { z } from 'zod'
import { findChannelIds, listHistoryChannels } from '../../../db/accounts/channels.ts'
import {
  declineArchive,
  findNewestArchive,
  insertArchive,
  lockArchive,
} from '../../../db/archive/archives.ts'
import type { Db } from '../../../db/database.ts'
import { ApiError, type Problem } from '../../http/errors.ts'
import { type ChangeContext, change, read, type Scope } from '../../route.ts'
import { Day, Id, isoOrNull, optional, withValues } from '../../shapes/shapes.ts'

const Archive = z
  .object({
    state: z.enum(['none', 'running', 'done', 'declined']).describe(
      withValues('The state of the parse.', {
        none: 'it has not been started',
        running: 'it is in progress',
        done: 'everything has been parsed',
        declined: 'it was declined, or stopped before its end',
      }),
    ),
    since: z
      .string()
      .nullable()
      .describe('The first day whose correspondence is parsed; null for all.'),
    channels: z.array(z.string()).describe('The ids of the connections whose history is parsed.'),
    groups: z.boolean().describe('Whether messenger groups are included.'),
    fresh: z.boolean().describe('Whether correspondence is parsed for new products too.'),
    progress: z
      .object({
        done: z.number().describe('The number of parsed messages.'),
        total: z.number().nullable().describe('The number of messages in all; null while unknown.'),
      })
      .meta({ id: 'ArchiveProgress' })
      .describe('The progress of the parse.'),
    startedAt: z.string().nullable().describe('When the parse started; null until then.'),
    endedAt: z.string().nullable().describe('When the parse ended; null until then.'),
    operation: z
      .string()
      .nullable()
      .describe('The key of the call that started it; null if none did.'),
  })
  .meta({ id: 'Archive' })

/**
 * The state of the newest parse of the archive; the operation is given by its key. `own` is the operation of the call that
 * asks, whose row is written after its answer.
 */
async function presentArchive(
  db: Db,
  workspace: string,
  own?: { id: string; key: string },
): Promise<z.input<typeof Archive>> {
  const row = await findNewestArchive(db, workspace)
  return {
    state: row?.state ?? 'none',
    since: row?.since ?? null,
    channels: row?.channels ?? [],
    groups: row?.groups ?? false,
    fresh: row?.fresh ?? false,
    progress: { done: row?.done ?? 0, total: row?.total ?? null },
    startedAt: isoOrNull(row?.startedAt),
    endedAt: isoOrNull(row?.endedAt),
    operation: row?.key ?? (own && row?.operation === own.id ? own.key : null),
  }
}

const Edit = z
  .strictObject({
    do: z.enum(['start', 'decline']).describe(
      withValues('The action.', {
        start: 'parse the archive',
        decline: 'do not parse it, or stop a running parse',
      }),
    ),
    since: optional(
      Day.refine((day) => day >= '0001', { message: 'must be in the year 1 or later' }),
    ).describe('Parse correspondence from this day on, as YYYY-MM-DD; by default everything.'),
    channels: optional(z.array(Id).max(1000)).describe(
      'The ids of the connections to parse; by default all that keep a history.',
    ),
    groups: optional(z.boolean()).describe(
      'Whether to include messenger groups; by default false.',
    ),
    fresh: optional(z.boolean()).describe(
      'Whether to parse for new products too; by default false.',
    ),
  })
  .meta({ id: 'ArchiveChange' })
type Edit = z.output<typeof Edit>

/** After a start agents may write by themselves, so it also needs send; a body that cannot be read counts as a start. */
const scopesOfEdit = (body: unknown): Scope[] =>
  (body as { do?: unknown } | null | undefined)?.do === 'decline'
    ? ['inbox:write']
    : ['inbox:write', 'send']

const refuse = (problems: Problem[]) => {
  const [first] = problems
  if (first)
    throw new ApiError('validation_failed', `${first.pointer}: ${first.message}`, {
      errors: problems,
    })
}

/** The channels to parse. The interface leaves an empty list open: like no list, it means all that keep a history. */
async function channelsOf({ db, workspace }: ChangeContext, given: string[] = []) {
  if (given.length === 0) return listHistoryChannels(db, workspace.id)
  const known = await findChannelIds(db, workspace.id, given)
  refuse(
    given.flatMap((id, at) =>
      known.has(id)
        ? []
        : [
            {
              pointer: `/channels/${at}`,
              code: 'unknown_id',
              message: 'is not a connection of this workspace',
            },
          ],
    ),
  )
  return [...new Set(given)]
}

async function start(context: ChangeContext, edit: Edit) {
  const { db, workspace, clock, operation, changed } = context
  const { since = null, groups = false, fresh = false } = edit
  const asked = { since, channels: await channelsOf(context, edit.channels), groups, fresh }
  const row = await lockArchive(db, workspace.id)
  if (row?.state === 'running') return
  const archive = { workspace: workspace.id, operation: operation.id, ...asked }
  const id = await insertArchive(db, archive, clock.now())
  changed(id, row && { state: row.state }, { state: 'running', ...asked })
  await context.start('parseArchive', [{ operation: operation.id, archive: id }])
}

/** A running parse stops after the current page, for which this waits; everything parsed before is kept. */
async function decline({ db, workspace, clock, changed, signal }: ChangeContext) {
  const row = await lockArchive(db, workspace.id)
  if (row?.state === 'declined') return
  const id = await declineArchive(db, workspace.id, row, clock.now())
  changed(id, row && { state: row.state }, { state: 'declined' }, 'archive.declined')
  if (row?.state === 'running' && row.operation) await signal(row.operation, 'changed')
}

export const routes = [
  read({
    path: '/archive',
    operationId: 'getArchive',
    summary: 'Read the state of the archive parse',
    scopes: ['inbox:read'],
    response: Archive,
    handler: (_, { db, workspace }) => presentArchive(db, workspace.id),
  }),

  change({
    method: 'POST',
    path: '/archive',
    operationId: 'updateArchive',
    summary: 'Parse the archive, or decline it',
    description:
      'Parses earlier correspondence. `start` also needs the scope `send`, because agents may write by themselves afterwards.',
    scopes: ['inbox:write'],
    scopesFor: scopesOfEdit,
    action: 'archive.started',
    body: Edit,
    example: { do: 'start', since: '2026-01-01' },
    response: Archive,
    check: ({ body: { do: what, ...others } }) => {
      if (what === 'start') return
      refuse(
        Object.entries(others).flatMap(([name, value]) =>
          value === undefined
            ? []
            : [{ pointer: `/${name}`, code: 'unexpected', message: 'is not allowed with decline' }],
        ),
      )
    },
    async handler({ body }, context) {
      if (body.do === 'start') await start(context, body)
      else await decline(context)
      return presentArchive(context.db, context.workspace.id, context.operation)
    },
  }),
]
