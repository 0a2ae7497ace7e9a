import { z } from 'zod'
import {
  type Hanging,
  hasInstruction,
  lockWrittenWith,
} from '../../../db/campaigns/written-with.ts'
import { findConversation } from '../../../db/conversations/conversations.ts'
import { cancelQueuedMessages } from '../../../db/conversations/messages.ts'
import {
  type ConversationEdit,
  isSpam,
  type LockedConversation,
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

export const Edit = z
  .strictObject({
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
  .meta({ id: 'ConversationUpdate' })
export type Edit = z.output<typeof Edit>

/** A conversation is either snoozed or closed. */
export const isOneMove = ({ snoozeUntil, closed }: Pick<Edit, 'snoozeUntil' | 'closed'>) =>
  !(snoozeUntil && closed)
export const twoMoves = {
  path: ['snoozeUntil'],
  message: 'must not be set together with closed: a conversation is either snoozed or closed',
}

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
    operationId: 'updateConversation',
    summary: 'Edit a conversation',
    description:
      'Snoozes it or wakes it up, closes or reopens it, gives it an owner, or records a meeting. All changes of one call are made together or not at all.',
    scopes: ['inbox:write'],
    reduced: { response: ReducedConversationRead },
    action: 'conversation.edited',
    params: IdParams,
    body: Edit.refine(isOneMove, twoMoves),
    example: { snoozeUntil: '2030-11-26T08:30:00.000Z', why: 'She is back on Tuesday' },
    response: ConversationRead,
    errors: ['time_in_past'],
    async handler({ params, body }, context) {
      const { db, workspace, operation } = context
      const campaigns = await lockTold(context, params.id, body)
      const row = found(await lockConversation(db, workspace.id, params.id), 'conversation')
      await checkEdit(context, body)
      const made = await editConversation(context, row, body, {
        operation: operation.id,
        campaigns,
      })
      if (made) context.changed(row.id, made.before, made.after)
      if (made?.snooze !== undefined)
        await context.start(
          'snoozeConversation',
          [{ operation: operation.id, conversation: row.id, version: made.snooze }],
          { Conversation: row.id, Person: row.person },
        )
      return readConversation(db, workspace.id, row.id)
    },
  }),
]

/** What an edit has changed, for the audit log, and the version of the snooze that begins with it, if one does. */
type Made = { before?: object; after: object; snooze?: number }

/**
 * Makes an edit of a locked conversation, whose snooze is waited for by `operation`; undefined if it changes nothing.
 * `campaigns` are those that write to its person, if the caller has locked them. The caller starts the workflow of a snooze.
 * @throws ApiError insufficient_scope, before anything is written.
 */
export async function editConversation(
  context: Pick<ChangeContext, 'db' | 'workspace' | 'scopes' | 'clock' | 'signal'>,
  row: LockedConversation,
  edit: Edit,
  { operation, campaigns }: { operation: string; campaigns?: Hanging[] | undefined },
): Promise<Made | undefined> {
  const { db, signal } = context
  const wanted = after(row, edit)
  const made = changesOf<ConversationEdit>(row, wanted)
  // This applies even if it was closed as spam before: what has been queued since must not be sent either.
  const spam = isSpam(wanted)
  // Instructions given here are no longer passed to agents, or are passed to them again.
  if (spam !== isSpam(row) && (await hasInstruction(db, row.id)))
    await lettersEdited(context, { person: row.person }, campaigns)
  const cancelled = spam && (edit.closed || edit.reason) ? await cancelWaiting(context, row.id) : 0
  if (!made) return cancelled > 0 ? { after: { cancelled } } : undefined

  // The snooze begins, moves or ends with this call: the workflow of an earlier snooze is signalled to read its row.
  const snoozes = made.after.snoozeUntil instanceof Date
  const moved = snoozes || (row.state === 'snoozed' && 'state' in made.after)
  const version = await updateConversation(
    db,
    row.id,
    made.after,
    moved ? { operation: snoozes ? operation : null } : undefined,
  )
  if (moved && row.snoozeOperation) await signal(row.snoozeOperation, 'changed')
  return { ...made, ...(snoozes && { snooze: version }) }
}

/**
 * Locks the campaigns that write to the person, before the conversation, when an edit marks it as spam or takes that
 * back.
 */
async function lockTold({ db, workspace }: ChangeContext, id: string, edit: Edit) {
  const row = await findConversation(db, workspace.id, id)
  return row && turnsSpam(row, edit)
    ? lockWrittenWith(db, workspace.id, { person: row.person })
    : undefined
}

/** Whether an edit marks a conversation as spam, or takes that back. */
export const turnsSpam = (row: ConversationEdit, edit: Edit) =>
  isSpam(row) !== isSpam(after(row, edit))

/** Cancels the messages and tasks of a conversation that wait; answers how many these are. */
async function cancelWaiting(
  { db, clock, signal }: Pick<ChangeContext, 'db' | 'clock' | 'signal'>,
  conversation: string,
) {
  const messages = await cancelQueuedMessages(db, conversation)
  const tasks = await cancelTasks(db, conversation, clock.now())
  for (const workflow of [...messages, ...tasks]) await signal(workflow, 'changed')
  return messages.length + tasks.length
}

/** @throws ApiError for a time in the past and for an owner who is not a member; `at` is where the edit stands in the body. */
export async function checkEdit(
  { db, workspace, clock }: Pick<ChangeContext, 'db' | 'workspace' | 'clock'>,
  { snoozeUntil, owner }: Pick<Edit, 'snoozeUntil' | 'owner'>,
  at = '',
) {
  if (snoozeUntil && new Date(snoozeUntil) <= clock.now())
    throw inPast(snoozeUntil, `${at}/snoozeUntil`)
  if (owner && !(await isMember(db, workspace.id, owner)))
    throw invalid(`${at}/owner`, 'unknown_id', 'is not a member of this workspace')
}

const inPast = (given: string, pointer: string) =>
  new ApiError('time_in_past', `${given} is in the past.`, {
    errors: [{ pointer, code: 'time_in_past', message: 'must be in the future' }],
  })
