import { z } from 'zod'
import { findOperation, operationId } from '../../db/operations.ts'
import { found } from '../errors.ts'
import { read } from '../route.ts'
import { Id, isoOrNull } from '../shapes.ts'

export const routes = [
  read({
    path: '/operations/{key}',
    summary: 'What became of a call, by its Idempotency-Key',
    scopes: ['inbox:read'],
    reduced: true,
    params: z.object({ key: Id }),
    response: z.object({
      id: z.string(),
      kind: z.string(),
      state: z.enum(['accepted', 'running', 'waiting', 'done', 'failed', 'cancelled']),
      progress: z.object({ done: z.number(), total: z.number() }).nullable(),
      waitingFor: z.string().nullable(),
      until: z.string().nullable(),
      result: z.unknown(),
      startedAt: z.string().nullable(),
      endedAt: z.string().nullable(),
      workflow: z
        .object({ id: z.string(), runId: z.string().nullable(), url: z.string().nullable() })
        .nullable(),
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
