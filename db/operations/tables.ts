import type { Generated } from 'kysely'
import type { At, Json, JsonOrNull } from '../columns.ts'

// Operations, the commands to Temporal that they cause, and the processes that carry them out.

export type OperationState = 'accepted' | 'running' | 'waiting' | 'done' | 'failed' | 'cancelled'

export interface Operations {
  id: string
  workspace: string
  key: string
  /** The workflow type where it runs as one, else the route's action. */
  kind: string
  fingerprint: string
  workflowType: string | null
  /** firstExecutionRunId of the run that owns it; runId is the one an operator looks at. */
  ownerRun: string | null
  runId: string | null
  state: OperationState
  /** The answer to HTTP comes from the workflow, not from the accepting transaction. */
  awaited: Generated<boolean>
  answerStatus: number | null
  answerBody: string | null
  result: JsonOrNull<unknown>
  progressDone: number | null
  progressTotal: number | null
  waitingFor: string | null
  waitingUntil: At | null
  resource: string | null
  acceptedAt: At
  startedAt: At | null
  endedAt: At | null
  lastUsedAt: At
  /** The token's id: a confidential answer is repeated to it alone. */
  token: string | null
  /** Asked without a key: it is not kept for repeats. */
  keyless: Generated<boolean>
}

export interface Outbox {
  id: Generated<string>
  operation: string | null
  kind: 'start' | 'signal'
  workspace: Generated<string>
  priority: Generated<number>
  workflowType: string | null
  workflowId: string
  signal: string | null
  args: Json<unknown[]>
  attributes: Json<Record<string, string>>
  /** An operator starts it again: a closed run of the same id is no obstacle. */
  restart: Generated<boolean>
  createdAt: Generated<At>
  attempts: Generated<number>
  nextTryAt: Generated<At>
  dispatchedAt: At | null
  deadAt: At | null
  problem: string | null
  /** Since when Temporal has refused it as invalid; real time. */
  refusedAt: At | null
}

/** Real time. */
export interface ProcessStarts {
  process: string
  at: Generated<At>
}

/** Workers, as they say that they live. Real time. */
export interface Workers {
  id: string
  version: string
  startedAt: Generated<At>
  seenAt: Generated<At>
}
