import { z } from 'zod'
import { findChannelIds, listHistoryChannels } from '../../../db/accounts/channels.ts'
import { declineArchive, insertArchive, lockArchive } from '../../../db/archive/archives.ts'
import { ApiError, type Problem } from '../../http/errors.ts'
import { type ChangeContext, change, read, type Scope } from '../../route.ts'
import { Archive, presentArchive } from '../../shapes/archive.ts'
import { Day, Id, optional, withValues } from '../../shapes/shapes.ts'

const Edit = z.strictObject({
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
  groups: optional(z.boolean()).describe('Whether to include messenger groups; by default false.'),
  fresh: optional(z.boolean()).describe('Whether to parse for new products too; by default false.'),
})
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
    summary: 'Read the state of the archive parse',
    scopes: ['inbox:read'],
    response: Archive,
    handler: (_, { db, workspace }) => presentArchive(db, workspace.id),
  }),

  change({
    method: 'POST',
    path: '/archive',
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
