import type { Clock } from '../db/clock.ts'
import type { Db } from '../db/database.ts'
import type { Log } from '../log.ts'

/** What activities work with. */
export type Deps = {
  db: Db
  clock: Clock
  log: Log
  /** SECRET_KEY: what the connections' passwords are sealed with. */
  secretKey: string
  /** Where unsubscribe links lead. */
  publicUrl: string
  /** Whether a workflow is open, by id; what has been forgotten is closed. */
  workflowState(id: string): Promise<'running' | 'closed'>
  /** Called at named points; the fault tests end the process at one of them. */
  crash(point: string): void
}
