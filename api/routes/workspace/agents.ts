import { z } from 'zod'
import { findChannelIds } from '../../../db/accounts/channels.ts'
import { wakeRunners } from '../../../db/campaigns/campaigns.ts'
import { changesLetters } from '../../../db/campaigns/written-with.ts'
import type { Db } from '../../../db/database.ts'
import { findAgent, listAgents, lockAgent, updateAgent } from '../../../db/workspace/agents.ts'
import { findProductIds } from '../../../db/workspace/products.ts'
import { ApiError, found, invalid, type Problem } from '../../http/errors.ts'
import { change, read } from '../../route.ts'
import { Hours, HoursEdit } from '../../shapes/hours.ts'
import {
  Id,
  IdParams,
  NoNext,
  OwnId,
  optional,
  readCursor,
  WholeList,
  Words,
} from '../../shapes/shapes.ts'
import { changesOf } from '../changes.ts'
import { editsLetters, lettersEdited, lettersReleased } from '../written-with.ts'

const Agent = z
  .object({
    id: OwnId,
    name: z.string().describe('The name of the agent.'),
    company: z.string().describe('The id of the company on whose behalf it writes.'),
    goal: z.string().describe('Its goal; an instruction to the writer.'),
    rules: z.string().describe('The rules for everything it writes.'),
    knowledge: z.string().describe('What it may use when it writes.'),
    enabled: z.boolean().describe('Whether it writes at all.'),
    labels: z.array(z.string()).describe('The ids of the products it handles; empty means all.'),
    channels: z
      .array(z.string())
      .describe(
        'The ids of the connections it writes through; empty means all channels of its people.',
      ),
    hours: Hours.describe('When it works.'),
  })
  .meta({ id: 'Agent' })

export const routes = [
  read({
    path: '/agents',
    operationId: 'listAgents',
    summary: 'List agents',
    scopes: ['inbox:read'],
    reduced: true,
    query: WholeList,
    response: z
      .object({
        agents: z.array(Agent).describe('All agents of the workspace.'),
        next: NoNext,
      })
      .meta({ id: 'AgentList' }),
    handler: async ({ query }, { db, workspace }) => {
      readCursor(query.cursor)
      return { agents: await listAgents(db, workspace.id), next: null }
    },
  }),
  read({
    path: '/agents/{id}',
    operationId: 'getAgent',
    summary: 'Read an agent',
    scopes: ['inbox:read'],
    reduced: true,
    params: IdParams,
    response: Agent,
    handler: async ({ params }, { db, workspace }) =>
      found(await findAgent(db, workspace.id, params.id), 'agent'),
  }),
  change({
    method: 'PATCH',
    path: '/agents/{id}',
    operationId: 'updateAgent',
    summary: 'Edit an agent',
    description: `${editsLetters} The same applies to enabling an agent.`,
    scopes: ['inbox:write'],
    reduced: true,
    action: 'agent.edited',
    params: IdParams,
    body: z
      .strictObject({
        goal: optional(z.string().max(20_000)).describe('Its goal; an instruction to the writer.'),
        rules: optional(Words).describe('The rules for everything it writes.'),
        knowledge: optional(Words).describe('What it may use when it writes.'),
        enabled: optional(z.boolean()).describe('Whether it writes at all.'),
        labels: optional(z.array(Id).max(1000)).describe(
          'The products it handles, by id or exact name; an empty list means all.',
        ),
        channels: optional(z.array(Id).max(1000)).describe(
          'The ids of the connections it writes through; an empty list means all channels of its people.',
        ),
        hours: optional(HoursEdit).describe(
          'When it works; members that are left out keep their values.',
        ),
      })
      .meta({ id: 'AgentUpdate' }),
    response: Agent,
    handler: async ({ params, body }, context) => {
      const { db, workspace, changed } = context
      const now = found(await lockAgent(db, workspace.id, params.id), 'agent')
      const { labels, channels } = await known(db, workspace.id, body)
      const hours = body.hours && { ...now.hours, ...body.hours }
      if (hours && hours.from >= hours.to)
        throw invalid('/hours/to', 'invalid_hours', 'must be later than from')
      const edit = changesOf(now, { ...body, labels, channels, hours })
      if (!edit) return now
      const edited = { table: 'agents', id: now.id } as const
      if (changesLetters('agents', edit.before, edit.after)) await lettersEdited(context, edited)
      else if (edit.after.enabled) await lettersReleased(context, edited)
      await updateAgent(db, now.id, edit.after)
      changed(now.id, edit.before, edit.after)
      await wakeRunners(db, { agent: now.id }, 'settings')
      return { ...now, ...edit.after }
    },
  }),
]

type Given = { labels?: string[] | undefined; channels?: string[] | undefined }

/** The products and connections that an edit names, each once. @throws ApiError naming every one that does not exist. */
async function known(db: Db, workspace: string, { labels, channels }: Given) {
  const products = await findProductIds(db, workspace, labels ?? [])
  const connections = await findChannelIds(db, workspace, channels ?? [])
  const problems: Problem[] = []
  const unknown = (member: string, at: number, what: string) =>
    problems.push({
      pointer: `/${member}/${at}`,
      code: 'unknown_id',
      message: `is not a known ${what}`,
    })
  for (const [at, id] of products.entries()) if (!id) unknown('labels', at, 'product')
  for (const [at, id] of (channels ?? []).entries())
    if (!connections.has(id)) unknown('channels', at, 'connection')
  const [first] = problems
  if (first)
    throw new ApiError('validation_failed', `${first.pointer}: ${first.message}`, {
      errors: problems,
    })
  return {
    labels: labels && [...new Set(products.flatMap((id) => id ?? []))],
    channels: channels && [...new Set(channels)],
  }
}
