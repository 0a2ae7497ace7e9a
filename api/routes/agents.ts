import { z } from 'zod'
import { findAgent, listAgents, lockAgent, updateAgent } from '../../db/agents.ts'
import { changesLetters } from '../../db/campaign-words.ts'
import { wakeRunners } from '../../db/campaigns.ts'
import { findChannelIds } from '../../db/channels.ts'
import type { Db } from '../../db/database.ts'
import { findProductIds } from '../../db/products.ts'
import { editsLetters, lettersEdited, lettersReleased } from '../campaign-words.ts'
import { changesOf } from '../changes.ts'
import { ApiError, found, invalid, type Problem } from '../errors.ts'
import { Hours, HoursEdit } from '../hours.ts'
import { change, read } from '../route.ts'
import { Id, IdParams, next, optional, Paging, readCursor, Words } from '../shapes.ts'

const Agent = z
  .object({
    id: z.string(),
    name: z.string(),
    company: z.string(),
    goal: z.string(),
    rules: z.string(),
    knowledge: z.string(),
    enabled: z.boolean(),
    labels: z.array(z.string()),
    channels: z.array(z.string()),
    hours: Hours,
  })
  .meta({ id: 'Agent' })

export const routes = [
  read({
    path: '/agents',
    summary: 'All agents',
    scopes: ['inbox:read'],
    reduced: true,
    query: Paging,
    response: z.object({ agents: z.array(Agent), next }),
    handler: async ({ query }, { db, workspace }) => {
      readCursor(query.cursor)
      return { agents: await listAgents(db, workspace.id), next: null }
    },
  }),
  read({
    path: '/agents/{id}',
    summary: 'One agent with its goal, rules and knowledge',
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
    summary: 'Change what an agent aims at, knows and keeps to, and where and when it writes',
    description: `${editsLetters} So does enabling an agent.`,
    scopes: ['inbox:write'],
    reduced: true,
    action: 'agent.edited',
    params: IdParams,
    body: z.strictObject({
      goal: optional(z.string().max(20_000)),
      rules: optional(Words),
      knowledge: optional(Words),
      enabled: optional(z.boolean()),
      labels: optional(z.array(Id).max(1000)),
      channels: optional(z.array(Id).max(1000)),
      hours: optional(HoursEdit),
    }),
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
      await wakeRunners(db, { agent: now.id })
      return { ...now, ...edit.after }
    },
  }),
]

type Given = { labels?: string[] | undefined; channels?: string[] | undefined }

/** The products and connections an edit names, each once. @throws ApiError naming every one that is not there. */
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
