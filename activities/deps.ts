import type { Clock } from '../db/clock.ts'
import type { Db } from '../db/database.ts'
import type { SecretKey } from '../db/secrets.ts'
import type { OauthClients } from '../oauth/provider.ts'
import type { Log } from '../process/telemetry/log.ts'
import type { FindOperator } from './common/find-operator.ts'
import type { LookUpTxt } from './ports/dns.ts'
import type { Finder } from './ports/finder/finder.ts'
import type { Ask } from './ports/mail/discover.ts'
import type { Model } from './ports/model/model.ts'

/** What activities work with. */
export type Deps = {
  db: Db
  /**
   * Connections for claims, leases and settlements of letters alone, so that whoever waits with one of `db` keeps none of them
   * waiting. By default, those of `db`.
   */
  letters?: Db | undefined
  clock: Clock
  log: Log
  /** What the connections' passwords are sealed with. */
  secretKey: SecretKey
  /** Our clients at providers of OAuth 2.0 that are known by name. */
  oauth?: OauthClients | undefined
  /** Finds people beyond the contacts. The default searches the prospects of the workspace. */
  finder?: Finder | undefined
  /** Whether webhooks may lead to this machine and to private networks: WEBHOOK_ALLOW_PRIVATE. */
  webhookAllowPrivate?: boolean
  /** Writes letters and judges people. The default is the embedded rules. */
  model?: Model | undefined
  /** How long people are judged within a call before no further question is asked. The default is eight seconds. */
  judgingMs?: number
  /** How long a webhook rests at first when its address accepts nothing. The default is ten seconds. */
  firstRestMs?: number
  /** How long an account whose server refuses the login is left alone at first. The default is fifteen seconds. */
  refusedPauseMs?: number
  /** Asks the DNS about sending domains. The default is the machine's own resolvers. */
  lookUpTxt?: LookUpTxt
  /** Answers where the mailboxes of a domain are. The default is the net itself. */
  askServers?: Ask
  /** The base address of unsubscribe links. */
  publicUrl: string
  /** Whether the workflow of an id is open. One that Temporal has forgotten counts as closed. */
  workflowState(id: string): Promise<'running' | 'closed'>
  /** Ends the workflow of an id at once, if it is open. Absent without a cluster. */
  endWorkflow?(id: string, reason: string): Promise<void>
  /** The ids of the open workflows of a workspace, as Temporal lists them, which may be a moment ago. */
  openWorkflows?(workspace: string): Promise<string[]>
  /** Who sent an update to a workflow, or cancelled it, as far as Temporal knows; empty if it does not. */
  operator?: FindOperator
  /** How long a reader waits for its server to report mail before it looks into Sent again. The default is ten seconds. */
  mailWaitMs?: number
  /** Whether workflows may set the search attributes of temporal-dev.yml: a cluster lacks them until `npm run cluster` has run. */
  searchable?(): boolean
  /** Aborted when the worker begins to stop, so that long-running activities end early. */
  stopping?: AbortSignal
  /** Called at named points, so that the fault tests can end the process at one of them. */
  crash(point: string): void
}
