import { z } from 'zod'
import { type ListedOperation, listOperations } from '../../../db/operations/list.ts'
import { findOperationNamed, isAdministrative } from '../../../db/operations/operations.ts'
import { found, missing } from '../../http/errors.ts'
import { type ReadContext, type Route, read } from '../../route.ts'
import {
  cursorOf,
  Id,
  iso,
  isoOrNull,
  NoQuery,
  next,
  Paging,
  QueryTimestamp,
  readCursor,
  WaitSeconds,
  withValues,
} from '../../shapes/shapes.ts'

const states = {
  accepted: 'it is recorded and will be started',
  running: 'it is being carried out',
  waiting: 'it waits until a certain time, or for a person',
  done: 'it was carried out',
  failed: 'it could not be carried out',
  cancelled: 'it was cancelled',
}
const State = z.enum(Object.keys(states) as (keyof typeof states)[])

/** What became of a call, as those who made it read it. */
export const Operation = z
  .object({
    id: z.string().describe('The id of the operation: the workspace and the key.'),
    kind: z
      .string()
      .describe(
        'What is carried out: a workflow such as `sendMessage`, or the action of a change.',
      ),
    state: State.describe(withValues('The state of the operation.', states)),
    progress: z
      .object({
        done: z.number().describe('The amount that is done.'),
        total: z.number().describe('The amount in all.'),
      })
      .meta({ id: 'OperationProgress' })
      .nullable()
      .describe('The progress; null if it is not counted.'),
    waitingFor: z
      .string()
      .nullable()
      .describe(
        withValues('What it waits for, as a stable code; null if it does not wait.', {
          send_at: 'the time at which the message is to be sent',
          turn: 'an earlier message of the conversation',
          next_try: 'the next attempt, because the server deferred it',
          connection: 'an account that cannot be opened',
          resolve: 'a person who decides whether it arrived',
          restart: 'an operator who restarts it',
          due: 'the time of the task',
          hours: 'the hours of the agent',
          model: 'the model that writes',
          snooze: 'the end of the snooze',
          calendar: 'the server of the calendar',
          held: 'the end of a hold of an operator or of the administration',
        }),
      ),
    why: z
      .string()
      .optional()
      .describe('The reason of the hold; absent unless it waits for the end of one.'),
    until: z.string().nullable().describe('When it continues by itself; null if unknown.'),
    result: z
      .unknown()
      .describe(
        'Its result, with its members in the order of the answer of its call; null before its end.',
      ),
    acceptedAt: z.string().describe('When the call was accepted.'),
    startedAt: z.string().nullable().describe('When it started; null until then.'),
    endedAt: z.string().nullable().describe('When it ended; null until then.'),
    workflow: z
      .object({
        id: z.string().describe('The id of the workflow.'),
        runId: z.string().nullable().describe('The id of its run; null until it starts.'),
        url: z
          .string()
          .nullable()
          .describe('Its page in the Temporal Web UI; null if there is none.'),
      })
      .meta({ id: 'OperationWorkflow' })
      .nullable()
      .describe('The Temporal workflow that carries it out; null if there is none.'),
  })
  .meta({ id: 'Operation' })

/** An operation as it is shown; `all` are the routes of whose answers its result has the order of members. */
export function presentOperation(
  row: ListedOperation,
  all: Route[],
  { clock, deployment }: Pick<ReadContext, 'clock' | 'deployment'>,
) {
  const place = `${deployment.temporalUiUrl}/namespaces/${deployment.temporalNamespace}/workflows`
  return {
    id: row.id,
    kind: row.workflowType ?? row.kind,
    state: row.state,
    progress:
      row.progressTotal === null ? null : { done: row.progressDone ?? 0, total: row.progressTotal },
    waitingFor: row.waitingFor,
    ...(row.waitingFor === 'held' && row.waitingWhy !== null && { why: row.waitingWhy }),
    until: isoOrNull(row.waitingUntil),
    result: inOrder(row.result ?? null, modelOf(row, all)),
    acceptedAt: iso(earlier(clock.at(row.acceptedAt), row.startedAt)),
    startedAt: isoOrNull(row.startedAt),
    endedAt: isoOrNull(row.endedAt),
    workflow: row.workflowType
      ? { id: row.id, runId: row.runId, url: `${place}/${encodeURIComponent(row.id)}` }
      : null,
  }
}

/** `all` are the routes of the service. */
export const operationRoutes = (all: () => Route[]): Route[] => {
  const present = (row: ListedOperation, context: Pick<ReadContext, 'clock' | 'deployment'>) =>
    presentOperation(row, all(), context)

  return [
    read({
      path: '/operations',
      operationId: 'listOperations',
      summary: 'List operations',
      description:
        'What became of calls, newest first: those that still run, and those of the last 30 days (without an `Idempotency-Key`, of the last day). With `state` or `kind` a page may hold fewer entries than `limit`, or none, though `next` leads to more.',
      scopes: ['inbox:read'],
      query: Paging.extend({
        state: State.optional().describe(withValues('Only operations in this state.', states)),
        kind: z
          .string()
          .max(100)
          .optional()
          .describe(
            'Only operations of this kind, such as `sendMessage` or `person.edited`, as `kind` shows it.',
          ),
        from: QueryTimestamp.optional().describe(
          'Only operations of calls that were accepted at this time or later.',
        ),
      }),
      response: z
        .object({
          operations: z.array(Operation).describe('The operations, newest first.'),
          next,
        })
        .meta({ id: 'OperationList' }),
      async handler({ query: { cursor, limit, state, kind, from } }, context) {
        const after = readCursor(cursor, 'time', 'text')
        const filter = { state, kind, from: from ? context.clock.real(new Date(from)) : undefined }
        const { db, workspace } = context
        const { items, next } = await listOperations(db, workspace.id, filter, after, limit)
        return {
          operations: items.map((row) => present(row, context)),
          next: next ? cursorOf(iso(next[0]), next[1]) : null,
        }
      },
    }),
    read({
      path: '/operations/{key}',
      operationId: 'getOperation',
      summary: 'Read what became of a call',
      description:
        'The call is found by its `Idempotency-Key`, while it is being carried out and for 30 days afterwards. With `wait` the answer comes once the operation has ended, or after that time as it is then. At most 5 calls of a token wait at a time, here and for events.',
      scopes: ['inbox:read'],
      reduced: { query: NoQuery },
      params: z.object({
        key: Id.describe('The `Idempotency-Key` of the call, or the id of the operation.'),
      }),
      query: z.strictObject({
        wait: WaitSeconds.describe('For how many seconds to wait for the end of the operation.'),
      }),
      response: Operation,
      async handler({ params: { key }, query: { wait } }, context) {
        const { db, workspace } = context
        const look = async () => {
          const row = found(await findOperationNamed(db, workspace.id, key), 'operation')
          // Calls to the administration are no member's.
          if (isAdministrative(row)) throw missing('operation')
          return row
        }
        const operation = await look()
        if (!wait || operation.endedAt) return present(operation, context)
        await untilEnded(operation, wait * 1000, context)
        return present(await look(), context)
      },
    }),
  ]
}

/** Waits for the end of an operation. @throws ApiError rate_limited, unavailable. */
async function untilEnded(
  operation: { workspace: string; id: string },
  ms: number,
  { answers, events, token, gone }: ReadContext,
) {
  const leave = events.placed(operation.workspace, token)
  const left = gone()
  try {
    await answers.untilEnded(operation, ms, () => left.aborted || events.isStopping())
  } finally {
    leave()
  }
}

const refusal = ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId', 'retryable']

/** What has the members of a result in the order of the answer that it was, or is: the database keeps them in one of its own. */
function modelOf({ kind, result }: ListedOperation, all: Route[]): unknown {
  for (const route of all) {
    if (route.method === 'GET' || route.action !== kind) continue
    const answer = route.response.safeParse(result)
    if (answer.success) return answer.data
  }
  return Object.fromEntries(['state', 'reason', ...refusal].map((name) => [name, undefined]))
}

/** The value with the members of its objects in the order of those of `model`, behind which stand the others. */
function inOrder(value: unknown, model: unknown): unknown {
  if (Array.isArray(value))
    return value.map((item, i) => inOrder(item, Array.isArray(model) ? model[i] : undefined))
  if (!isObject(value)) return value
  const ordered = isObject(model) ? model : {}
  const names = new Set([...Object.keys(ordered), ...Object.keys(value)])
  return Object.fromEntries(
    [...names]
      .filter((name) => Object.hasOwn(value, name))
      .map((name) => [name, inOrder(value[name], ordered[name])]),
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

// The database keeps when a call was accepted, and a process when it began: their clocks may differ by a moment.
const earlier = (accepted: Date, started: Date | null) =>
  started && started < accepted ? started : accepted
