import { z } from 'zod'
import type { TaskRow } from '../db/tasks.ts'
import { iso, isoOrNull } from './shapes.ts'

/** What a member asked an agent to do. `operation` is the key under which operations/{key} tells how it goes. */
export const Task = z
  .object({
    id: z.string(),
    conversation: z.string(),
    text: z.string(),
    due: z.string().nullable(),
    state: z.string(),
    operation: z.string(),
    // Beyond the interface: what became of it, and the record of what the agent was told and did.
    reason: z.string().nullable(),
    agent: z.string().nullable(),
    message: z.string().nullable(),
    told: z.record(z.string(), z.unknown()).nullable(),
    did: z.string().nullable(),
    author: z.string(),
    at: z.string(),
  })
  .meta({ id: 'Task' })

export const presentTask = (row: TaskRow): z.input<typeof Task> => ({
  id: row.id,
  conversation: row.conversation,
  text: row.text,
  due: isoOrNull(row.due),
  state: row.state,
  operation: row.key,
  reason: row.reason,
  agent: row.agent,
  message: row.message,
  told: row.told && toldOf(row.told),
  did: row.did,
  author: row.member,
  at: iso(row.createdAt),
})

// What it is told of company, product and knowledge is long, and read where it is kept.
function toldOf(told: Record<string, unknown>) {
  const { words, goal, rules, messages, by } = told
  return { words, goal, rules, messages, by }
}
