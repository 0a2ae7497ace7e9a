import type { Clock } from '../db/clock.ts'
import type { Db } from '../db/database.ts'
import type { SecretKey } from '../db/secrets.ts'
import type { Log } from '../telemetry/log.ts'
import type { FindOperator } from './common/find-operator.ts'
import type { LookUpTxt } from './ports/dns.ts'
import type { Finder } from './ports/finder/finder.ts'
import type { Model } from './ports/model/model.ts'

/** What activities work with. */
export type Deps = {
  db: Db
  clock: Clock
  log: Log
  /** What the connections' passwords are sealed with. */
  secretKey: SecretKey
  /** What finds people beyond the contacts; unless given, the prospects of the workspace. */
  finder?: Finder | undefined
  /** Webhooks may lead to this machine and to private networks: WEBHOOK_ALLOW_PRIVATE. */
  webhookAllowPrivate?: boolean
  /** What writes letters and judges people; unless given, the embedded rules. */
  model?: Model | undefined
  /** Asks the DNS about sending domains; unless given, the machine's own resolvers. */
  lookUpTxt?: LookUpTxt
  /** Where unsubscribe links lead. */
  publicUrl: string
  /** Whether a workflow is open, by id; what has been forgotten is closed. */
  workflowState(id: string): Promise<'running' | 'closed'>
  /** Who, as Temporal knows, sent an update to a workflow, or cancelled it; empty where that is not known. */
  operator?: FindOperator
  /** Whether workflows may show the search attributes of temporal-dev.yml: WaitingFor came after 0.3.0. */
  searchable?(): boolean
  /** Aborted when the worker begins to stop: what would go on for long leaves off. */
  stopping?: AbortSignal
  /** Called at named points; the fault tests end the process at one of them. */
  crash(point: string): void
}
