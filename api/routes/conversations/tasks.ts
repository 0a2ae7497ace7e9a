import { z } from 'zod'
import { lockWrittenWith } from '../../../db/campaigns/written-with.ts'
import { findConversation } from '../../../db/conversations/conversations.ts'
import { isSpam, lockConversation } from '../../../db/conversations/moves.ts'
import { insertTask, type TaskRow } from '../../../db/conversations/tasks.ts'
import { newId } from '../../../db/ids.ts'
import { found } from '../../http/errors.ts'
import { change, type Scope } from '../../route.ts'
import {
  dueOf,
  IdParams,
  iso,
  isoOrNull,
  OwnId,
  Timestamp,
  text,
  withValues,
} from '../../shapes/shapes.ts'
import { editsLetters, lettersEdited } from '../written-with.ts'

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

// With a due time the agent writes to the client by itself, so a body that might have one needs the scope for that.
const scopesOfTask = (body: unknown): Scope[] => {
  if (body === undefined) return ['send', 'inbox:write']
  const due = typeof body === 'object' && body !== null && 'due' in body ? body.due : undefined
  return due === undefined || due === null ? ['inbox:write'] : ['send', 'inbox:write']
}

export const routes = [
  change({
    method: 'POST',
    path: '/conversations/{id}/tasks',
    operationId: 'createTask',
    summary: 'Give an agent a task',
    description: `With \`due\`, an agent writes to the client at that time, which also needs the scope \`send\`. Without it, the text is an instruction that agents follow in every later task and letter to the person. ${editsLetters}`,
    scopes: ['inbox:write'],
    scopesFor: scopesOfTask,
    action: 'task.created',
    params: IdParams,
    body: z
      .strictObject({
        text: text(10_000).describe('What the agent should do, in words.'),
        due: Timestamp.nullable()
          .optional()
          .describe(
            'When the agent writes to the client, which needs the scope `send`; without it, or with null, the text is kept as an instruction.',
          ),
      })
      .meta({ id: 'NewTask' }),
    response: Task,
    errors: ['time_in_past'],
    async handler({ params, body }, context) {
      const { db, workspace, member, clock, operation } = context
      const { person } = found(await findConversation(db, workspace.id, params.id), 'conversation')
      const now = clock.now()
      const due = dueOf(body.due ?? undefined, now, '/due')
      const campaigns = due === null ? await lockWrittenWith(db, workspace.id, { person }) : []
      const conversation = found(
        await lockConversation(db, workspace.id, params.id),
        'conversation',
      )
      // Instructions in a conversation marked as spam are not passed to any agent.
      if (!isSpam(conversation)) await lettersEdited(context, { person }, campaigns)
      const task = await insertTask(db, {
        id: newId('tsk'),
        workspace: workspace.id,
        conversation: conversation.id,
        text: body.text,
        due,
        member: member.id,
        operation: operation.id,
        key: operation.key,
        createdAt: now,
      })
      await context.start('runTask', [{ operation: operation.id, task: task.id }], {
        Conversation: conversation.id,
        Person: conversation.person,
      })
      context.changed(task.id, undefined, {
        conversation: conversation.id,
        due: isoOrNull(due),
      })
      return presentTask(task)
    },
  }),
]
