import { z } from 'zod'
import type { TaskRow } from '../../db/conversations/tasks.ts'
import { iso, isoOrNull, OwnId, withValues } from './shapes.ts'

/** The task that a member gave an agent. `operation` is the key with which operations/{key} shows its progress. */
export const Task = z
  .object({
    id: OwnId,
    conversation: z.string().describe('The id of the conversation it is about.'),
    text: z.string().describe('What the agent was asked to do, in words.'),
    due: z
      .string()
      .nullable()
      .describe('When it is due; null for an instruction, which is only kept.'),
    state: z.string().describe(
      withValues('The state of the task.', {
        queued: 'it is still to be done',
        done: 'it was done, or the instruction is kept',
        failed: 'it could not be done',
        cancelled: 'it was cancelled',
      }),
    ),
    operation: z
      .string()
      .describe('The key with which `GET /operations/{key}` shows its progress.'),
    // Beyond the interface: what became of the task, and the record of what the agent knew and did.
    reason: z
      .string()
      .nullable()
      .describe(
        'Why it failed or was cancelled, as a stable code such as `no_agent`, `no_contact`, `suppressed` or `spam`; null otherwise.',
      ),
    agent: z.string().nullable().describe('The id of the agent that did it; null until then.'),
    message: z
      .string()
      .nullable()
      .describe('The id of the message it wrote; null if it wrote none.'),
    told: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('What the agent was told when it wrote; null until then.'),
    did: z.string().nullable().describe('What it did, in its own words; null until then.'),
    author: z.string().describe('The id of the member who gave the task.'),
    at: z.string().describe('When it was given.'),
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

// The descriptions of the company, the product and the knowledge are long, so they are read from their own resources.
function toldOf(told: Record<string, unknown>) {
  const { words, goal, rules, messages, by } = told
  return { words, goal, rules, messages, by }
}
