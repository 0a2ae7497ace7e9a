import type { Generated } from 'kysely'
import type { At, Json, JsonOrNull } from '../columns.ts'

// Operations, the commands to Temporal that they cause, and the processes that carry them out.

export type OperationState = 'accepted' | 'running' | 'waiting' | 'done' | 'failed' | 'cancelled'

export interface Operations {
  id: string
  workspace: string
  key: string
  /** The workflow type if it runs as one, otherwise the route's action. */
  kind: string
  fingerprint: string
  workflowType: string | null
  /** firstExecutionRunId of the run that owns it; runId is the run that an operator opens. */
  ownerRun: string | null
  runId: string | null
  state: OperationState
  /** The HTTP answer comes from the workflow, not from the accepting transaction. */
  awaited: Generated<boolean>
  answerStatus: number | null
  answerBody: string | null
  result: JsonOrNull<unknown>
  progressDone: number | null
  progressTotal: number | null
  waitingFor: string | null
  waitingUntil: At | null
  /** The reason of the hold, where it waits for the end of one. */
  waitingWhy: string | null
  resource: string | null
  acceptedAt: At
  startedAt: At | null
  endedAt: At | null
  lastUsedAt: At
  /** The token's id: a confidential answer is repeated to it alone. */
  token: string | null
  /** The call had no key: the answer is not kept for repeats. */
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
  /** An operator starts it again: a closed run with the same id does not prevent it. */
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

/** Workers and when each was last known to be alive. Real time. */
export interface Workers {
  id: string
  version: string
  startedAt: Generated<At>
  seenAt: Generated<At>
  /** It reads mailboxes. */
  reads: Generated<boolean>
}
