import { z } from 'zod'
import { lockWrittenWith } from '../../../db/campaigns/written-with.ts'
import { ensureLabel, findLabel, labelConversations } from '../../../db/conversations/labels.ts'
import { lockConversations, readConversations } from '../../../db/conversations/moves.ts'
import { type AuditEntry, recordAudits } from '../../../db/events/audit.ts'
import { newId } from '../../../db/ids.ts'
import { insertOperations, operationId } from '../../../db/operations/operations.ts'
import { enqueueStarts, type Start } from '../../../db/operations/outbox.ts'
import { missing, type Problem, refusalOf } from '../../http/errors.ts'
import { type ChangeContext, change } from '../../route.ts'
import { Id, ItemProblem, optional, text, withValues } from '../../shapes/shapes.ts'
import { checkEdit, Edit, editConversation, isOneMove, turnsSpam, twoMoves } from './edit.ts'

const mostConversations = 500
const mostLabels = 20
const LabelName = text(100).transform((name) => name.trim())

const Labels = z
  .strictObject({
    add: optional(z.array(LabelName).max(mostLabels)).describe(
      'Names of labels to put on them; one that is not in use yet is created.',
    ),
    remove: optional(z.array(Id).max(mostLabels)).describe(
      'Labels to take off them, by id or name; one that is not on a conversation changes nothing.',
    ),
  })
  .meta({ id: 'LabelChange' })
const Change = Edit.pick({ closed: true, reason: true, owner: true, snoozeUntil: true })
  .extend({ labels: optional(Labels).describe('Labels to put on them and to take off them.') })
  .refine(isOneMove, twoMoves)
  .refine((given) => Object.values(given).some((value) => value !== undefined), {
    message: 'give at least one of closed, reason, owner, snoozeUntil and labels',
  })
  .meta({ id: 'ConversationChange' })

export const routes = [
  change({
    method: 'POST',
    path: '/conversations/bulk',
    operationId: 'updateConversations',
    summary: 'Edit many conversations',
    description:
      'Makes one change in up to 500 conversations, each as `PATCH /conversations/{id}` and the calls for labels do, with the same events, in one transaction. One that is refused changes nothing and refuses no other.',
    scopes: ['inbox:write'],
    action: 'conversation.edited',
    body: z
      .strictObject({
        conversations: z.array(Id).max(mostConversations).describe('The ids of the conversations.'),
        change: Change.describe('What is changed in each of them.'),
      })
      .meta({ id: 'ConversationBulkUpdate' }),
    example: {
      conversations: ['cnv_01m5q8y2k7cv3'],
      change: { closed: true, reason: 'no_response', labels: { add: ['spring'] } },
    },
    response: z
      .object({
        results: z
          .array(
            z
              .object({
                conversation: z.string().describe('The id of the conversation, as it was given.'),
                outcome: z.enum(['changed', 'same', 'refused']).describe(
                  withValues('What became of the conversation.', {
                    changed: 'it was changed',
                    same: 'it was so already, or stands earlier in the call',
                    refused: 'nothing of it was changed; see `errors`',
                  }),
                ),
                errors: z
                  .array(ItemProblem)
                  .optional()
                  .describe('The reasons for a refusal; absent if there was none.'),
              })
              .meta({ id: 'ConversationBulkResult' }),
          )
          .describe('What became of each conversation, in the order of the call.'),
      })
      .meta({ id: 'ConversationBulkResults' }),
    errors: ['time_in_past'],
    async handler({ body }, context) {
      const { db, workspace } = context
      const { labels, ...moves } = body.change
      const edit = { ...moves, why: undefined, met: undefined }
      await checkEdit(context, edit, '/change')
      const ids = [...new Set(body.conversations)]
      // Campaigns are locked before conversations.
      const turning = (await readConversations(db, workspace.id, ids)).filter((row) =>
        turnsSpam(row, edit),
      )
      const people = [...new Set(turning.map(({ person }) => person))]
      if (people.length > 0) await lockWrittenWith(db, workspace.id, { people })
      const rows = new Map(
        (await lockConversations(db, workspace.id, ids)).map((row) => [row.id, row]),
      )

      const lines: Line[] = []
      const snoozes: Snooze[] = []
      const refused = new Map<string, Problem[]>()
      for (const id of ids) {
        const row = rows.get(id)
        const operation = { key: newId('snz') }
        try {
          if (!row) throw missing('conversation')
          const made = await editConversation(context, row, edit, {
            operation: operationId(workspace.id, operation.key),
          })
          if (made) lines.push({ ...made, action: 'conversation.edited', resource: id })
          if (made?.snooze !== undefined)
            snoozes.push({ ...operation, id, person: row.person, version: made.snooze })
        } catch (error) {
          refused.set(id, refusalOf(error))
        }
      }
      const there = ids.filter((id) => !refused.has(id))
      lines.push(...(await labelled(context, there, labels)))
      await startSnoozes(context, snoozes)
      await recordLines(context, lines)

      const changed = new Set(lines.map(({ resource }) => resource))
      return {
        results: body.conversations.map((conversation, i) => {
          const errors = refused.get(conversation)
          if (errors) return { conversation, outcome: 'refused' as const, errors }
          const isFirst = body.conversations.indexOf(conversation) === i
          const outcome: Outcome = isFirst && changed.has(conversation) ? 'changed' : 'same'
          return { conversation, outcome }
        }),
      }
    },
  }),
]

type Outcome = 'changed' | 'same' | 'refused'
type Line = Pick<AuditEntry, 'action' | 'resource' | 'before' | 'after'>
type Snooze = { key: string; id: string; person: string; version: number }

/** Puts labels on conversations and takes others off them. */
async function labelled(
  { db, workspace }: ChangeContext,
  conversations: string[],
  labels: z.output<typeof Labels> | undefined,
): Promise<Line[]> {
  if (conversations.length === 0) return []
  const { add = [], remove = [] } = labels ?? {}
  const lines: Line[] = []
  for (const name of add) {
    const label = await ensureLabel(db, workspace.id, name)
    for (const resource of await labelConversations(db, label.id, conversations, 'add'))
      lines.push({ action: 'conversation.labelled', resource, before: null, after: { label } })
  }
  for (const given of remove) {
    const label = await findLabel(db, workspace.id, given)
    if (!label) continue
    for (const resource of await labelConversations(db, label.id, conversations, 'remove'))
      lines.push({ action: 'conversation.unlabelled', resource, before: { label }, after: null })
  }
  return lines
}

/** Each snooze has an operation of its own, because it ends by itself. */
async function startSnoozes({ db, workspace, operation }: ChangeContext, snoozes: Snooze[]) {
  const kind = 'conversation.edited'
  await insertOperations(
    db,
    snoozes.map(({ key, id }) => ({
      id: operationId(workspace.id, key),
      workspace: workspace.id,
      key,
      kind,
      fingerprint: `bulk ${operation.id}`,
      workflowType: 'snoozeConversation' as const,
      resource: id,
    })),
  )
  const starts = snoozes.map(({ key, id, person, version }): Start<'snoozeConversation'> => {
    const own = operationId(workspace.id, key)
    return {
      type: 'snoozeConversation',
      workflowId: own,
      args: [{ operation: own, conversation: id, version }],
      attributes: {
        Workspace: workspace.id,
        IdempotencyKey: operation.key,
        Conversation: id,
        Person: person,
      },
      operation: own,
    }
  })
  await enqueueStarts(db, starts)
}

/** Each changed conversation has its own lines of the audit log, with the events of them. */
const recordLines = (
  { db, workspace, clock, member, client, operation }: ChangeContext,
  lines: Line[],
) =>
  recordAudits(
    db,
    workspace.id,
    lines.map((line) => ({
      workspace: workspace.id,
      at: clock.now(),
      member: member.id,
      client,
      key: operation.key,
      ...line,
    })),
  )
