import { z } from 'zod'
import type { Db } from '../../../db/database.ts'
import { beginWorkspaceErasure } from '../../../db/erasure/begin-workspace.ts'
import { goOn } from '../../../db/inbox/hold-ends.ts'
import { endHolds, type HoldRow, hold, holdsOf, tellMembers } from '../../../db/workspace/holds.ts'
import { usedOf } from '../../../db/workspace/quotas.ts'
import type { HoldSetter } from '../../../db/workspace/tables.ts'
import { listWorkspaces } from '../../../db/workspace/workspaces.ts'
import { heldSentence, releasedSentence } from '../../../rules/hold-words.ts'
import { quotaNames } from '../../../rules/quotas.ts'
import { modes } from '../../../rules/sandbox/mode.ts'
import { ApiError, found, invalid, missing } from '../../http/errors.ts'
import { type AdminChangeContext, adminChange, adminRead } from '../../route.ts'
import {
  CreatedAt,
  IdParams,
  iso,
  modeWords,
  next,
  OneLine,
  OwnId,
  Paging,
  page,
  readCursor,
  withValues,
} from '../../shapes/shapes.ts'

const Hold = z
  .object({
    why: z.string().describe('The reason.'),
    setBy: z.string().describe(
      withValues('Who has set it.', {
        operator: 'the operator of the service',
        administration: 'an application whose token sees all workspaces',
        workspace: 'an application whose token sees this one alone',
      }),
    ),
    client: z.string().optional().describe('The name of the application; absent if it was none.'),
    since: z.string().describe('Since when it is held.'),
  })
  .meta({ id: 'WorkspaceHold' })

const Workspace = z
  .object({
    id: OwnId,
    name: z.string().describe('The name of the workspace.'),
    timezone: z
      .string()
      .describe('The IANA name of the time zone by which days and weeks are counted.'),
    mode: z.enum(modes).describe(modeWords),
    members: z.number().describe('How many people work there.'),
    connections: z.number().describe('How many accounts it has.'),
    quotas: z
      .array(
        z
          .object({
            quota: z.enum(quotaNames).describe('Of what.'),
            most: z.number().describe('How many it may have at once.'),
            used: z
              .number()
              .describe('How many it has, counted up to a little beyond what it may have.'),
          })
          .meta({ id: 'QuotaUse' }),
      )
      .optional()
      .describe('What it may have at once, and has; absent if nothing is bounded.'),
    held: Hold.extend({
      others: z
        .array(Hold)
        .optional()
        .describe('The other holds that it is under; absent if there are none.'),
    })
      .meta({ id: 'WorkspaceHolds' })
      .optional()
      .describe(
        'While it is held, nothing of it is sent, posted or filed; absent while it is not held.',
      ),
    createdAt: CreatedAt,
  })
  .meta({ id: 'AdministeredWorkspace' })

type Row = Awaited<ReturnType<typeof listWorkspaces>>[number]

async function present(db: Db, rows: Row[]): Promise<z.input<typeof Workspace>[]> {
  const [one, ...more] = rows.flatMap(({ id, isHeld }) => (isHeld ? id : []))
  const holds = one === undefined ? [] : await holdsOf(db, one, ...more)
  const used = await usedOf(db, rows)
  return rows.map(({ isHeld: _, quotas: __, createdAt, ...row }) => {
    const [first, ...others] = holds
      .filter(({ workspace }) => workspace === null || workspace === row.id)
      .map(presentHold)
    const held = first && { ...first, ...(others.length > 0 && { others }) }
    const quotas = used.get(row.id)
    return {
      ...row,
      ...(quotas && { quotas }),
      ...(held && { held }),
      createdAt: iso(createdAt),
    }
  })
}

const presentHold = ({ why, setBy, clientName, createdAt }: HoldRow) => ({
  why,
  setBy,
  ...(clientName !== null && { client: clientName }),
  since: iso(createdAt),
})

export const routes = [
  adminRead({
    path: '/workspaces',
    operationId: 'listWorkspaces',
    summary: 'List workspaces',
    description: 'The workspaces that the token sees, in the order of their ids.',
    scopes: ['workspaces'],
    query: Paging,
    response: z
      .object({
        workspaces: z.array(Workspace).describe('The workspaces.'),
        next,
      })
      .meta({ id: 'AdministeredWorkspaceList' }),
    handler: async ({ query }, { db, only }) => {
      const [after] = readCursor(query.cursor, 'text') ?? []
      const rows = await listWorkspaces(db, { only, after, limit: query.limit + 1 })
      const { items, next } = page(rows, query.limit, ({ id }) => [id])
      return { workspaces: await present(db, items), next }
    },
  }),

  adminChange({
    method: 'PATCH',
    path: '/workspaces/{id}',
    operationId: 'holdWorkspace',
    summary: 'Hold a workspace, or let it go on',
    description:
      'While a workspace is held, nothing of it is sent, posted to webhooks or filed; reads and calls go on, and what a server has been given is settled. Once this call is answered, nothing more is claimed. With `null` it goes on at once. The operator, applications that see all workspaces and applications that see this one alone have a hold each, and it goes on when all of them have ended. `null` ends those of the token and of narrower ones; where only others are left, the call is 409 `invalid_state`.',
    scopes: ['workspaces'],
    action: 'workspace.held',
    params: IdParams,
    body: z
      .strictObject({
        held: z
          .strictObject({
            why: OneLine(300)
              .trim()
              .min(1)
              .describe('The reason; everybody who waits for the end of the hold reads it.'),
          })
          .meta({ id: 'NewWorkspaceHold' })
          .nullish()
          .describe('Holds the workspace; null ends the hold.'),
      })
      .meta({ id: 'WorkspaceHoldEdit' }),
    example: { held: { why: 'The invoice of October is not paid.' } },
    response: Workspace,
    errors: ['invalid_state'],
    async handler({ body: { held } }, context) {
      const { db, workspace } = context
      if (held) await holdFor(context, held.why)
      else if (held === null) await letGoOn(context)
      const rows = await listWorkspaces(db, { only: workspace.id, after: undefined, limit: 1 })
      return found((await present(db, rows))[0], 'workspace')
    },
  }),

  adminChange({
    method: 'DELETE',
    path: '/workspaces/{id}',
    operationId: 'eraseWorkspace',
    summary: 'Erase a workspace',
    description:
      'Stops everything in the workspace at once: from the answer on, no token opens it, every address of it is answered as for one that does not exist, and nothing of it is sent, posted or read. Then the operation deletes all that it holds, and `GET /admin/v1/operations/{key}?workspace=` says when that is done, with the number of rows of each kind. Its id is never given again. For a token that sees all workspaces.',
    scopes: ['workspaces'],
    action: 'workspace.erased',
    erases: true,
    params: IdParams,
    body: z
      .strictObject({
        confirm: z
          .string()
          .describe('The id of the workspace once more, so that none is erased by mistake.'),
      })
      .meta({ id: 'ErasureConfirmation' }),
    response: z
      .object({
        id: OwnId,
        operation: z.string().describe('The id of the operation that deletes it.'),
        state: z.string().describe('Always `accepted`: how far it is, the operation says.'),
      })
      .meta({ id: 'WorkspaceErasure' }),
    async handler({ body }, { db, workspace, only, operation, clock, changed, start }) {
      if (only !== null)
        throw new ApiError(
          'insufficient_scope',
          'A token of one workspace may not erase it: that is for tokens that see all workspaces.',
        )
      if (body.confirm !== workspace.id)
        throw invalid('/confirm', 'invalid_value', 'must be the id of the workspace')
      const begun = await beginWorkspaceErasure(db, workspace.id, {
        operation: operation.id,
        now: clock.now(),
      })
      if (!begun) throw missing('workspace')
      changed(workspace.id)
      await start('eraseWorkspace', [{ operation: operation.id }])
      return { id: workspace.id, operation: operation.id, state: 'accepted' }
    },
  }),
]

async function holdFor(
  { db, workspace, client, clock, only, changed }: AdminChangeContext,
  why: string,
) {
  const setBy = only === null ? 'administration' : 'workspace'
  const now = clock.now()
  const before = (await holdsOf(db, workspace.id)).find(
    (one) => one.setBy === setBy && one.what === 'workspace',
  )
  if (before?.why === why) return
  if (!before) await tellMembers(db, workspace.id, 'workspace.held', heldSentence(why), now)
  changed(workspace.id, before && { why: before.why, setBy }, { why, setBy })
  await hold(db, { what: 'workspace', workspace: workspace.id, setBy, client, why }, now)
}

/** @throws ApiError invalid_state where nothing but holds of others is left. */
async function letGoOn({ db, workspace, clock, only, changed }: AdminChangeContext) {
  const mine: HoldSetter[] = only === null ? ['administration', 'workspace'] : ['workspace']
  const { id } = workspace
  const ended = await endHolds(db, { what: 'workspace', workspace: id }, mine)
  const left = await holdsOf(db, id)
  if (ended.length === 0) {
    if (left.length === 0) return
    const who = left.map(({ setBy }) =>
      setBy === 'operator' ? 'the operator' : 'an application that sees all workspaces',
    )
    throw new ApiError(
      'invalid_state',
      `The workspace is held by ${[...new Set(who)].join(' and ')}, who alone can end that.`,
    )
  }
  const [{ why, setBy } = { why: '', setBy: '' }] = ended
  changed(id, { why, setBy }, { why: null }, 'workspace.released')
  if (left.length > 0) return
  await tellMembers(db, id, 'workspace.released', releasedSentence, clock.now())
  await goOn(db, [id])
}
