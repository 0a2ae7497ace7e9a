import { findSuppression } from '../../db/accounts/suppressions.ts'
import { findHouseBrief, findWrittenPerson, listInstructions } from '../../db/campaigns/briefs.ts'
import { signatureOf } from '../../db/campaigns/signers.ts'
import type { Clock } from '../../db/clock.ts'
import { listContacts } from '../../db/conversations/contacts.ts'
import { findThread, insertQueuedMessage } from '../../db/conversations/messages.ts'
import { isClosedAsSpam } from '../../db/conversations/moves.ts'
import {
  endTask,
  findTask,
  findTaskAgent,
  findTaskSender,
  listSaid,
  lockQueuedTask,
  type OpenTask,
  type TaskAgent,
  type TaskEnd,
} from '../../db/conversations/tasks.ts'
import type { Db, Trx } from '../../db/database.ts'
import { recordAudit } from '../../db/events/audit.ts'
import { recordEvent } from '../../db/events/events.ts'
import { notify } from '../../db/events/notifications.ts'
import { newId } from '../../db/ids.ts'
import {
  endOperation,
  insertOperation,
  operationId,
  operationRuns,
  operationWaits,
} from '../../db/operations/operations.ts'
import { enqueueStart } from '../../db/operations/outbox.ts'
import { nextOpening, windowAt } from '../../rules/hours.ts'
import { replySubject } from '../../rules/mail/subjects.ts'
import type { TaskInput } from '../../workflows/inputs.ts'
import { beating, cancelSignal } from '../common/heartbeat.ts'
import type { Deps } from '../deps.ts'
import { modelOf } from '../ports/model/embedded.ts'
import { isModelTrouble } from '../ports/model/model.ts'
import type { TaskBrief } from '../ports/model/task-words.ts'

/** What the workflow does next. Instants are ISO 8601; delays are milliseconds from the moment of the answer. */
export type TaskStep =
  | { do: 'carry_out' | 'end' }
  | { do: 'wait'; for: 'due' | 'hours'; until: string | null; delayMs: number }

// The agent's hours may be edited while a task waits for them, so they are read again this often.
const hoursPollMs = 60 * 60_000
const messagesTold = 10

/** How a task's message is sent: to which address, through which account, and by which agent. */
type Route = {
  agent: TaskAgent
  to: string
  via: { id: string; account: string; memberName: string; memberSignature: string }
}

/** A message that an agent has written, and what the task's row keeps of how. */
type Written = {
  text: string
  route: Route
  record: { agent: string; told: Record<string, unknown>; did: string }
}

/** Why a task was not carried out. */
type Failed = Omit<TaskEnd, 'state'> & { reason: string }

export const runTaskActivities = (deps: Deps) => {
  const { db, clock } = deps

  return {
    /** Reads the row and says what is next; ends the operation with the task. Safe to retry: it only restates the row. */
    async taskStep(input: TaskInput): Promise<TaskStep> {
      const task = await findTask(db, input.task)
      const now = clock.now()
      if (!task) {
        await endOperation(db, input.operation, { state: 'cancelled', result: null }, now)
        return { do: 'end' }
      }
      // The interface leaves open what a task without a due time does. Only a task with a due time requires the scope to send,
      // so only such a task writes to anybody. The other is an instruction, given to agents in every later task and letter.
      if (task.state === 'queued' && task.due === null)
        await endTask(db, task.id, { state: 'done', did: 'Kept as an instruction.' }, now)
      const step = await nextStep(db, task, now)
      if (step.do === 'wait')
        await operationWaits(
          db,
          input.operation,
          step.for,
          step.until ? new Date(step.until) : null,
        )
      else if (step.do === 'carry_out') await operationRuns(db, input.operation)
      else await endWithTask(db, input, now)
      return step
    },

    /**
     * Has the agent write, and queues the message with its own workflow; the task's outcome is in the same transaction. Safe to
     * retry: a task that has ended is not carried out again, and a model's earlier answer is discarded.
     */
    async carryOutTask(input: TaskInput): Promise<void> {
      const task = await findTask(db, input.task)
      if (task?.state !== 'queued' || task.due === null) return
      const route = await routeOf(db, task)
      const written = 'reason' in route ? route : await write(deps, input, task, route)
      await db
        .transaction()
        .execute((trx) =>
          'text' in written
            ? queueMessage(trx, clock, task, written)
            : failTask(trx, task, written, clock.now()),
        )
    },

    /** Safe to retry: only a task that is still to be done is cancelled. */
    async cancelTask(input: TaskInput): Promise<void> {
      const now = clock.now()
      await endTask(db, input.task, { state: 'cancelled', reason: 'operator' }, now)
      await endWithTask(db, input, now)
    },
  }
}

async function nextStep(db: Db, task: OpenTask, now: Date): Promise<TaskStep> {
  if (task.state !== 'queued' || task.due === null) return { do: 'end' }
  if (task.due > now) return waitUntil('due', task.due, now)
  const agent = await findTaskAgent(db, task)
  // Without an agent there are no hours to wait for; carrying the task out then fails with the reason.
  const window = agent && windowAt(agent.hours, now, 'every day')
  return !window || window.open ? { do: 'carry_out' } : waitUntil('hours', window.opensAt, now)
}

async function routeOf(db: Db, task: OpenTask): Promise<Route | { reason: string }> {
  const agent = await findTaskAgent(db, task)
  if (!agent) return { reason: 'no_agent' }
  const contacts = await listContacts(db, { ...task, id: task.conversation })
  // If somebody else has joined the conversation, a person must answer, who sees who it is.
  if (contacts.foreign) return { reason: 'foreign_sender' }
  if (contacts.candidates) return { reason: 'contact_ambiguous' }
  const to = contacts.last ?? contacts.person[0]
  if (to === undefined) return { reason: 'no_contact' }
  if (await findSuppression(db, task.workspace, to)) return { reason: 'suppressed' }
  const via = await findTaskSender(db, task, agent.channels)
  return via ? { agent, to, via } : { reason: 'no_sender' }
}

/** Has the agent write the message of a task. */
async function write(
  deps: Deps,
  { operation }: TaskInput,
  task: OpenTask,
  route: Route,
): Promise<Written | Failed> {
  const { db } = deps
  const [house, person, instructions, messages] = await Promise.all([
    findHouseBrief(db, task.workspace, route.agent.id),
    findWrittenPerson(db, task.person),
    listInstructions(db, task.person),
    listSaid(db, task.conversation, messagesTold),
  ])
  const { memberName: name, memberSignature: signature } = route.via
  const brief: TaskBrief = {
    ...house,
    rules: [...house.rules, ...instructions],
    words: task.text,
    person,
    messages,
    signature: signatureOf({ name, signature }, house.company),
  }
  const model = modelOf(deps)
  const outcome = await beating(() =>
    model.answerTask(brief, { workspace: task.workspace, signal: cancelSignal() }),
  ).catch(async (error) => {
    if (isModelTrouble(error)) await operationWaits(db, operation, 'model')
    throw error
  })
  // Only the ids of messages: their texts are in the conversation.
  const told = { ...brief, messages: messages.map(({ id }) => id), by: model.name }
  const record = { agent: route.agent.id, told }
  if (outcome.kind !== 'answer') return { ...record, reason: outcome.code }
  const { text, note: did } = outcome.answer
  return { text, route, record: { ...record, did } }
}

/** The task failed: its member is notified. */
async function failTask(trx: Trx, task: OpenTask, end: Failed, at: Date) {
  const { id, workspace, member, conversation } = task
  if (!(await endTask(trx, id, { ...end, state: 'failed' }, at))) return
  const text = 'An agent could not carry out a task.'
  await notify(trx, { workspace, member, at, kind: 'task.failed', text, conversation })
  const data = { state: 'failed', reason: end.reason, conversation }
  await recordEvent(trx, { workspace, kind: 'task.failed', at, resource: id, data })
}

/** Writes the message, its operation and workflow, the task's outcome and the audit line in one transaction, once. */
async function queueMessage(
  trx: Trx,
  clock: Clock,
  task: OpenTask,
  { text, route, record }: Written,
) {
  const { agent, to, via } = route
  // The conversation is locked before the task, in the same order as when a conversation is closed as spam, which cancels
  // tasks.
  const spam = await isClosedAsSpam(trx, task.conversation)
  if (!(await lockQueuedTask(trx, task.id))) return
  const now = clock.now()
  if (spam) {
    await endTask(trx, task.id, { state: 'cancelled', reason: 'spam' }, now)
    return
  }
  if (await findSuppression(trx, task.workspace, to))
    return failTask(trx, task, { ...record, did: null, reason: 'suppressed' }, now)
  const message = newId('msg')
  const operation = operationId(task.workspace, message)
  const row = { workspace: task.workspace, key: message, kind: 'message.queued' }
  const fingerprint = `task ${task.id}`
  if (!(await insertOperation(trx, { ...row, id: operation, fingerprint })))
    throw new Error(`The id ${message} is taken; the activity is retried with another.`)
  const thread = await findThread(trx, task.conversation)
  const subject = thread.subject || task.subject
  await insertQueuedMessage(trx, {
    id: message,
    workspace: task.workspace,
    conversation: task.conversation,
    text,
    now,
    senderName: via.memberName,
    senderHandle: via.account,
    toAddress: to,
    operation,
    connection: via.id,
    sendAt: null,
    automated: true,
    agent: agent.id,
    subject: replySubject(subject),
  })
  await enqueueStart(trx, {
    type: 'sendMessage',
    workflowId: operation,
    args: [{ operation, message }],
    attributes: {
      Workspace: task.workspace,
      IdempotencyKey: message,
      Person: task.person,
      Conversation: task.conversation,
      Connection: via.id,
    },
    operation,
  })
  await endTask(trx, task.id, { ...record, state: 'done', message }, now)
  await recordAudit(trx, {
    workspace: task.workspace,
    at: now,
    member: null,
    client: null,
    key: null,
    action: 'task.carried_out',
    resource: task.id,
    after: { message, agent: agent.id },
  })
}

/** Ends the operation once the task has ended, with how it ended. */
async function endWithTask(db: Db, { operation, task: id }: TaskInput, now: Date) {
  const task = await findTask(db, id)
  if (!task || task.state === 'queued') return
  const { state, reason, message, agent } = task
  const lateBy = state === 'done' ? await latenessOf(db, task) : undefined
  const result = {
    task: id,
    state,
    reason,
    message,
    agent,
    ...(lateBy !== undefined && { lateBy }),
  }
  await endOperation(db, operation, { state, result }, now)
}

/** Seconds between when the task could have been carried out, by its due time and its agent's hours, and when it was. */
async function latenessOf(db: Db, task: OpenTask): Promise<number | undefined> {
  const { due, endedAt } = task
  if (!due || !endedAt) return undefined
  const agent = await findTaskAgent(db, task)
  const from = (agent && nextOpening(agent.hours, due, 'every day')) ?? due
  return Math.max(0, Math.floor((endedAt.getTime() - from.getTime()) / 1000))
}

const waitUntil = (what: 'due' | 'hours', at: Date | null, now: Date): TaskStep => {
  const delayMs = at ? at.getTime() - now.getTime() : hoursPollMs
  return {
    do: 'wait',
    for: what,
    until: at?.toISOString() ?? null,
    delayMs: what === 'hours' ? Math.min(delayMs, hoursPollMs) : delayMs,
  }
}
