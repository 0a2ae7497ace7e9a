import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database.ts'
import { type NewOperation, operationRow } from '../operations/operations.ts'
import { commandRows, type NewCommand } from '../operations/outbox.ts'
import { type AuditEntry, auditRow, eventOf } from './audit.ts'
import { deliveryRows, tellingOf } from './deliveries.ts'
import { eventRow } from './events.ts'

// What is committed together with the change that a call makes. All of it is known once the change is, so it is one statement,
// and each of its rows is written once.

export type Acceptance = {
  operation: NewOperation
  commands: NewCommand[]
  /** What the call changed; undefined if it changed nothing. */
  line: AuditEntry | undefined
  /** Inserts that are a part of the change, if it was not made by statements of its own. */
  added: RawBuilder<unknown>[]
}

/**
 * Records a call and its change; the relay has to be told of the commands afterwards. It fails, and adds nothing, if another call has
 * taken the key (isOvertaken).
 */
export async function recordAcceptance(db: Db, { operation, commands, line, added }: Acceptance) {
  const parts = [sql`operation as (${operationRow(operation)})`]
  const tellings = [sql`true as accepted`]
  for (const [i, rows] of added.entries()) parts.push(sql`${sql.id(`added_${i}`)} as (${rows})`)
  if (commands.length > 0) parts.push(sql`commands as (${commandRows(commands)})`)
  if (line) {
    const event = eventOf(line)
    parts.push(sql`line as (${auditRow(line)})`, sql`told as (${eventRow(event)})`)
    parts.push(sql`queued as (${deliveryRows(event)})`)
    tellings.push(tellingOf(line.workspace))
  }
  await sql`with ${sql.join(parts)} select ${sql.join(tellings)}`.execute(db)
}
