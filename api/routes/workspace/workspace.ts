import { z } from 'zod'
import { wakeRunners } from '../../../db/campaigns/campaigns.ts'
import { findWorkspace, lockWorkspace, updateWorkspace } from '../../../db/workspace/workspaces.ts'
import { found } from '../../http/errors.ts'
import { change, read } from '../../route.ts'
import { OwnId, optional, Zone } from '../../shapes/shapes.ts'
import { changesOf } from '../changes.ts'

const Workspace = z
  .object({
    id: OwnId,
    name: z.string().describe('The name of the workspace.'),
    timezone: z
      .string()
      .describe('The IANA name of the time zone by which days and weeks are counted.'),
    tagging: z
      .boolean()
      .describe('Whether correspondence is marked automatically with importance, intent and tags.'),
  })
  .meta({ id: 'Workspace' })

export const routes = [
  read({
    path: '/workspace',
    summary: 'Read the workspace',
    scopes: ['inbox:read'],
    reduced: true,
    response: Workspace,
    handler: async (_, { db, workspace }) =>
      found(await findWorkspace(db, workspace.id), 'workspace'),
  }),
  change({
    method: 'PATCH',
    path: '/workspace',
    summary: 'Edit the workspace',
    description:
      'Sets the time zone by which days are counted, and whether correspondence is marked automatically.',
    scopes: ['inbox:write'],
    reduced: true,
    action: 'workspace.edited',
    body: z.strictObject({
      timezone: optional(Zone).describe(
        'The IANA name of the time zone by which days and weeks are counted.',
      ),
      tagging: optional(z.boolean()).describe('Whether correspondence is marked automatically.'),
    }),
    response: Workspace,
    handler: async ({ body }, { db, workspace, changed }) => {
      const now = found(await lockWorkspace(db, workspace.id), 'workspace')
      const edit = changesOf(now, body)
      if (!edit) return now
      await updateWorkspace(db, now.id, edit.after)
      changed(now.id, edit.before, edit.after)
      // The days, weeks and weekdays of every campaign are counted again.
      if (edit.after.timezone) await wakeRunners(db, { workspace: now.id })
      return { ...now, ...edit.after }
    },
  }),
]
