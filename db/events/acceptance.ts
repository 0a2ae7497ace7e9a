import { sql } from 'kysely'
import { gathered } from '../../process/limits/gather.ts'
import { type Db, isConflict, isLockTimeout, isOvertaken } from '../database.ts'
import { type NewOperation, operationRows } from '../operations/operations.ts'
import { commandRows, type NewCommand, tellingRelay } from '../operations/outbox.ts'
import { insertsOf, type NewRows } from '../rows.ts'
import { type AuditEntry, auditRows, eventOf } from './audit.ts'
import { deliveryRows, tellingOf } from './deliveries.ts'
import { eventRows } from './events.ts'

// What is committed together with the change that a call makes. All of it is known once the change is, so it is one statement,
// and each of its rows is written once.

export type Acceptance = {
  operation: NewOperation
  commands: NewCommand[]
  /** Whether the commit notifies the relay of the commands. Otherwise that has to happen afterwards. */
  notifies: boolean
  /** What the call changed; undefined if it changed nothing. */
  line: AuditEntry | undefined
  /** Rows that are a part of the change, if it was not made by statements of its own. */
  added: NewRows[]
}

/**
 * Records a call and its change. It fails, and adds nothing, if another call has taken the key (isOvertaken).
 */
export const recordAcceptance = (db: Db, acceptance: Acceptance): Promise<unknown> =>
  record(db, acceptance.operation.workspace, [acceptance])

/**
 * The same for a call without a transaction: calls of a workspace that come together are recorded by one statement. Which of
 * them are recorded is decided for each alone, if not all can be.
 */
export const recordGathered = (db: Db, acceptance: Acceptance): Promise<unknown> =>
  recordTogether(db, acceptance.operation.workspace, acceptance)

// A statement of its own for each of a few numbers of calls, so that each is prepared.
const sizes = [8, 4, 2]

const recordTogether = gathered(record, {
  take: (waiting) => sizes.find((size) => size <= waiting) ?? 1,
  isOfOne: (error) => isOvertaken(error) || isConflict(error) || isLockTimeout(error),
})

async function record(db: Db, workspace: string, acceptances: Acceptance[]): Promise<unknown[]> {
  const parts = [
    sql`operation as (${operationRows(acceptances.map(({ operation }) => operation))})`,
  ]
  const tellings = [sql`true as accepted`]
  for (const [i, rows] of insertsOf(acceptances.flatMap(({ added }) => added)).entries())
    parts.push(sql`${sql.id(`added_${i}`)} as (${rows})`)
  const commands = acceptances.flatMap((one) => one.commands)
  if (commands.length > 0) parts.push(sql`commands as (${commandRows(commands)})`)
  if (acceptances.some(({ notifies }) => notifies)) tellings.push(tellingRelay)
  const lines = acceptances.flatMap(({ line }) => line ?? [])
  if (lines.length > 0) {
    parts.push(sql`line as (${auditRows(lines)})`, sql`told as (${eventRows(lines.map(eventOf))})`)
    parts.push(sql`queued as (${deliveryRows(workspace)})`)
    tellings.push(tellingOf(workspace))
  }
  const { rows } = await sql`with ${sql.join(parts)} select ${sql.join(tellings)}`.execute(db)
  return rows
}
