import { z } from 'zod'
import { findOperation, operationId } from '../../../db/operations/operations.ts'
import { found } from '../../http/errors.ts'
import { read } from '../../route.ts'
import { Id, isoOrNull, withValues } from '../../shapes/shapes.ts'

export const routes = [
  read({
    path: '/operations/{key}',
    summary: 'Read what became of a call',
    description:
      'The call is found by its `Idempotency-Key`, while it is being carried out and for 30 days afterwards.',
    scopes: ['inbox:read'],
    reduced: true,
    params: z.object({ key: Id.describe('The `Idempotency-Key` of the call.') }),
    response: z.object({
      id: z.string().describe('The id of the operation: the workspace and the key.'),
      kind: z
        .string()
        .describe(
          'What is carried out: a workflow such as `sendMessage`, or the action of a change.',
        ),
      state: z.enum(['accepted', 'running', 'waiting', 'done', 'failed', 'cancelled']).describe(
        withValues('The state of the operation.', {
          accepted: 'it is recorded and will be started',
          running: 'it is being carried out',
          waiting: 'it waits until a certain time, or for a person',
          done: 'it was carried out',
          failed: 'it could not be carried out',
          cancelled: 'it was cancelled',
        }),
      ),
      progress: z
        .object({
          done: z.number().describe('The amount that is done.'),
          total: z.number().describe('The amount in all.'),
        })
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
          }),
        ),
      until: z.string().nullable().describe('When it continues by itself; null if unknown.'),
      result: z.unknown().describe('Its result; null before its end.'),
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
        .nullable()
        .describe('The Temporal workflow that carries it out; null if there is none.'),
    }),
    handler: async ({ params }, { db, workspace, deployment }) => {
      const row = found(await findOperation(db, operationId(workspace.id, params.key)), 'operation')
      const place = `${deployment.temporalUiUrl}/namespaces/${deployment.temporalNamespace}/workflows`
      return {
        id: row.id,
        kind: row.workflowType ?? row.kind,
        state: row.state,
        progress:
          row.progressTotal === null
            ? null
            : { done: row.progressDone ?? 0, total: row.progressTotal },
        waitingFor: row.waitingFor,
        until: isoOrNull(row.waitingUntil),
        result: row.result ?? null,
        startedAt: isoOrNull(row.startedAt),
        endedAt: isoOrNull(row.endedAt),
        workflow: row.workflowType
          ? { id: row.id, runId: row.runId, url: `${place}/${encodeURIComponent(row.id)}` }
          : null,
      }
    },
  }),
]
