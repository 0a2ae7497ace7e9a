import { z } from 'zod'
import { lockWrittenWith } from '../../../db/campaigns/written-with.ts'
import { findConversation } from '../../../db/conversations/conversations.ts'
import { isSpam, lockConversation } from '../../../db/conversations/moves.ts'
import { insertTask } from '../../../db/conversations/tasks.ts'
import { newId } from '../../../db/ids.ts'
import { found } from '../../http/errors.ts'
import { change, type Scope } from '../../route.ts'
import { dueOf, IdParams, isoOrNull, Timestamp, text } from '../../shapes/shapes.ts'
import { presentTask, Task } from '../../shapes/task.ts'
import { editsLetters, lettersEdited } from '../written-with.ts'

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
    summary: 'Give an agent a task',
    description: `With \`due\`, an agent writes to the client at that time, which also needs the scope \`send\`. Without it, the text is an instruction that agents follow in every later task and letter to the person. ${editsLetters}`,
    scopes: ['inbox:write'],
    scopesFor: scopesOfTask,
    action: 'task.created',
    params: IdParams,
    body: z.strictObject({
      text: text(10_000).describe('What the agent should do, in words.'),
      due: Timestamp.nullable()
        .optional()
        .describe(
          'When the agent writes to the client, which needs the scope `send`; without it, or with null, the text is kept as an instruction.',
        ),
    }),
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
