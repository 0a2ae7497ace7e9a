import { z } from 'zod'
import { hasInstruction, lockWrittenWith } from '../../../db/campaigns/written-with.ts'
import { findConversation } from '../../../db/conversations/conversations.ts'
import { cancelQueuedMessages } from '../../../db/conversations/messages.ts'
import {
  type ConversationEdit,
  isSpam,
  lockConversation,
  updateConversation,
} from '../../../db/conversations/moves.ts'
import { cancelTasks } from '../../../db/conversations/tasks.ts'
import { isMember } from '../../../db/workspace/members.ts'
import { ApiError, found, invalid } from '../../http/errors.ts'
import { type ChangeContext, change } from '../../route.ts'
import { Id, IdParams, optional, Timestamp, withValues } from '../../shapes/shapes.ts'
import { changesOf } from '../changes.ts'
import { lettersEdited } from '../written-with.ts'
import {
  CloseReason,
  ConversationRead,
  ReducedConversationRead,
  readConversation,
} from './conversations.ts'

const Edit = z.strictObject({
  snoozeUntil: Timestamp.nullable()
    .optional()
    .describe('Snoozes the conversation until this time; null wakes it up.'),
  why: optional(z.string().max(2000)).describe('Why it is snoozed, for the team to read.'),
  closed: optional(z.boolean()).describe('True closes the conversation, false reopens it.'),
  reason: optional(CloseReason).describe(
    withValues('Why it is closed; by default `other`.', {
      meeting_booked: 'a meeting was arranged',
      not_interested: 'the client is not interested',
      no_response: 'the client did not reply',
      wrong_person: 'the client is not the right person',
      spam: 'it is spam, and its queued messages are cancelled',
      personal: 'it is personal',
      other: 'for another reason',
    }),
  ),
  owner: Id.nullable()
    .optional()
    .describe('The id of the new owner, a member; null means no owner.'),
  met: optional(z.boolean()).describe(
    'True records a meeting that was arranged outside the conversation.',
  ),
})
type Edit = z.output<typeof Edit>

/** The state after an edit, by the interface's table of transitions. */
function stateAfter({ state }: ConversationEdit, { closed, snoozeUntil }: Edit) {
  if (closed) return 'closed'
  if (snoozeUntil) return 'snoozed'
  if (snoozeUntil === null && state === 'snoozed') return 'open'
  return closed === false && state === 'closed' ? 'open' : state
}

/**
 * The conversation after an edit. why belongs to a snooze and reason to a close: each is cleared when its move ends,
 * kept when the move is repeated without a value, and updated when it is given alone while the move is in effect.
 */
function after(row: ConversationEdit, edit: Edit): ConversationEdit {
  const state = stateAfter(row, edit)
  const kept = <T>(stored: T | null, given: T | undefined) =>
    state !== row.state ? null : stored === null ? null : (given ?? stored)
  const { owner = row.owner, met = row.met } = edit
  return {
    state,
    snoozeUntil:
      state !== 'snoozed' ? null : edit.snoozeUntil ? new Date(edit.snoozeUntil) : row.snoozeUntil,
    why: state === 'snoozed' ? (edit.why ?? row.why) : kept(row.why, edit.why),
    reason:
      state === 'closed'
        ? (edit.reason ?? (row.state === 'closed' ? row.reason : 'other'))
        : kept(row.reason, edit.reason),
    owner,
    met,
  }
}

export const routes = [
  change({
    method: 'PATCH',
    path: '/conversations/{id}',
    summary: 'Edit a conversation',
    description:
      'Snoozes it or wakes it up, closes or reopens it, gives it an owner, or records a meeting. All changes of one call are made together or not at all.',
    scopes: ['inbox:write'],
    reduced: { response: ReducedConversationRead },
    action: 'conversation.edited',
    params: IdParams,
    body: Edit.refine(({ snoozeUntil, closed }) => !(snoozeUntil && closed), {
      path: ['snoozeUntil'],
      message: 'must not be set together with closed: a conversation is either snoozed or closed',
    }),
    example: { snoozeUntil: '2030-11-26T08:30:00.000Z', why: 'She is back on Tuesday' },
    response: ConversationRead,
    errors: ['time_in_past'],
    async handler({ params, body }, context) {
      const { db, workspace, clock, operation } = context
      const campaigns = await lockTold(context, params.id, body)
      const row = found(await lockConversation(db, workspace.id, params.id), 'conversation')
      if (body.snoozeUntil && new Date(body.snoozeUntil) <= clock.now())
        throw inPast(body.snoozeUntil)
      if (body.owner && !(await isMember(db, workspace.id, body.owner)))
        throw invalid('/owner', 'unknown_id', 'is not a member of this workspace')

      const wanted = after(row, body)
      const edit = changesOf<ConversationEdit>(row, wanted)
      // This applies even if it was closed as spam before: what has been queued since must not be sent either.
      const spam = isSpam(wanted)
      // Instructions given here are no longer passed to agents, or are passed to them again.
      if (spam !== isSpam(row) && (await hasInstruction(db, row.id)))
        await lettersEdited(context, { person: row.person }, campaigns)
      if (spam && (body.closed || body.reason)) await cancelWaiting(context, row.id, edit)
      if (!edit) return readConversation(db, workspace.id, row.id)
      context.changed(row.id, edit.before, edit.after)

      // The snooze begins, moves or ends with this call: the workflow of an earlier snooze is signalled to read its
      // row.
      const snoozes = edit.after.snoozeUntil instanceof Date
      const moved = snoozes || (row.state === 'snoozed' && 'state' in edit.after)
      const version = await updateConversation(
        db,
        row.id,
        edit.after,
        moved ? { operation: snoozes ? operation.id : null } : undefined,
      )
      if (moved && row.snoozeOperation) await context.signal(row.snoozeOperation, 'changed')
      if (snoozes)
        await context.start(
          'snoozeConversation',
          [{ operation: operation.id, conversation: row.id, version }],
          { Conversation: row.id, Person: row.person },
        )
      return readConversation(db, workspace.id, row.id)
    },
  }),
]

/**
 * Locks the campaigns that write to the person, before the conversation, when an edit marks it as spam or takes that
 * back.
 */
async function lockTold({ db, workspace }: ChangeContext, id: string, edit: Edit) {
  const row = await findConversation(db, workspace.id, id)
  return row && isSpam(row) !== isSpam(after(row, edit))
    ? lockWrittenWith(db, workspace.id, { person: row.person })
    : undefined
}

/** Cancels the queued messages of a conversation; if the call changes nothing else, this is its audit line. */
async function cancelWaiting(context: ChangeContext, conversation: string, edit: unknown) {
  const { db, clock, signal, changed } = context
  const messages = await cancelQueuedMessages(db, conversation)
  const tasks = await cancelTasks(db, conversation, clock.now())
  for (const workflow of [...messages, ...tasks]) await signal(workflow, 'changed')
  if (!edit && messages.length + tasks.length > 0)
    changed(conversation, undefined, { cancelled: messages.length + tasks.length })
}

const inPast = (given: string) =>
  new ApiError('time_in_past', `${given} is in the past.`, {
    errors: [{ pointer: '/snoozeUntil', code: 'time_in_past', message: 'must be in the future' }],
  })
