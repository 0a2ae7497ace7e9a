import { sql } from 'kysely'
import type { Trx } from '../database.ts'
import { type NewOperation, operationRow } from '../operations/operations.ts'
import { commandRows, type NewCommand, wakingRelay } from '../operations/outbox.ts'
import { type AuditEntry, auditRow, eventOf } from './audit.ts'
import { addDeliveries, type Told, toldOf } from './deliveries.ts'
import { eventRow } from './events.ts'

// What is committed together with the change that a call makes. All of it is known when the change has been made, so it is one
// statement, and each of its rows is written once.

export type Acceptance = {
  operation: NewOperation
  commands: NewCommand[]
  /** What the call changed; undefined if it changed nothing. */
  line: AuditEntry | undefined
}

/** Records a change in its transaction. It fails if another call has taken the key (isOvertaken). */
export async function recordAcceptance(trx: Trx, { operation, commands, line }: Acceptance) {
  const event = line && eventOf(line)
  const parts = [sql`operation as (${operationRow(operation)})`]
  const answers = [sql`true as accepted`]
  if (commands.length > 0) {
    parts.push(sql`commands as (${commandRows(commands)})`)
    answers.push(wakingRelay)
  }
  if (line && event) {
    parts.push(sql`line as (${auditRow(line)})`, sql`told as (${eventRow(event)})`)
    answers.push(toldOf(event))
  }
  const { rows } = await sql<Told>`
    with ${sql.join(parts)} select ${sql.join(answers)} ${event ? sql`from told` : sql``}`.execute(
    trx,
  )
  if (event) await addDeliveries(trx, event, rows)
}
