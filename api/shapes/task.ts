import { z } from 'zod'
import type { TaskRow } from '../../db/conversations/tasks.ts'
import { iso, isoOrNull, OwnId, withValues } from './shapes.ts'

/** What a member asked an agent to do. `operation` is the key under which operations/{key} tells how it goes. */
export const Task = z
  .object({
    id: OwnId,
    conversation: z.string().describe('The id of the conversation it is about.'),
    text: z.string().describe('What the agent was asked to do, in words.'),
    due: z
      .string()
      .nullable()
      .describe('When it is to be done; null for an instruction, which is only kept.'),
    state: z.string().describe(
      withValues('Where it stands.', {
        queued: 'it is still to be done',
        done: 'it was done, or the instruction is kept',
        failed: 'it could not be done',
        cancelled: 'it was taken back',
      }),
    ),
    operation: z
      .string()
      .describe('The key under which `GET /operations/{key}` tells how it goes.'),
    // Beyond the interface: what became of it, and the record of what the agent was told and did.
    reason: z
      .string()
      .nullable()
      .describe(
        'Why it failed or was cancelled, as a stable code such as `no_agent`, `no_contact`, `suppressed` or `spam`; null otherwise.',
      ),
    agent: z.string().nullable().describe('The id of the agent that did it; null before.'),
    message: z
      .string()
      .nullable()
      .describe('The id of the message it wrote; null where it wrote none.'),
    told: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('What the agent was told when it wrote; null before.'),
    did: z.string().nullable().describe('What it did, in its own words; null before.'),
    author: z.string().describe('The id of the member who asked for it.'),
    at: z.string().describe('When it was asked for.'),
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
