import { sql } from 'kysely'
import { wakeRunners } from '../campaigns/campaigns.ts'
import type { Db, Trx } from '../database.ts'
import { isHeld } from '../holds.ts'
import { commandRows, signalOf, tellingRelay } from '../operations/outbox.ts'

// A hold has ended: what waited for it goes on at once. What is still held by another one finds that out by itself.

/**
 * Has the campaigns and the mails about meetings of workspaces look again, and tells the workers of messages and events (`wakeHeld`,
 * activities/worker/waker.ts). Call it in the transaction that ends the hold; `workspaces` are those that it concerned.
 */
export async function goOn(trx: Trx, workspaces: readonly string[]) {
  for (const workspace of workspaces) {
    await wakeRunners(trx, { workspace }, 'hold')
    const mails = await trx
      .selectFrom('invitations')
      .select('id')
      .where('workspace', '=', workspace)
      .where('state', '=', 'queued')
      .execute()
    await tell(
      trx,
      mails.map(({ id }) => ({ id, workspace })),
    )
  }
  await sql`select pg_notify('deliveries', '')`.execute(trx)
}

const atOnce = 500

/**
 * Has messages look again that waited for the end of a hold, one batch behind the operation `after`; answers the last one of the
 * batch, and undefined after the last batch.
 */
export const wakeHeld = (db: Db, after: string): Promise<string | undefined> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string; workspace: string }>`
      with due as materialized (
        select o.id from operations o
          left join messages m on m.id = o.resource and m.workspace = o.workspace
        where o.waiting_for = 'held' and o.ended_at is null and o.workflow_type = 'sendMessage' and o.id > ${after}
          and not ${isHeld(sql.ref('o.workspace'), sql.ref('m.connection'))}
        order by o.id limit ${sql.lit(atOnce)} for update of o skip locked)
      update operations set state = 'running', waiting_for = null from due
      where operations.id = due.id returning operations.id, operations.workspace`.execute(trx)
    await tell(trx, rows)
    const last = rows.map(({ id }) => id).sort()
    return rows.length === atOnce ? last.at(-1) : undefined
  })

async function tell(trx: Trx, workflows: { id: string; workspace: string }[]) {
  for (let i = 0; i < workflows.length; i += atOnce) {
    const commands = workflows
      .slice(i, i + atOnce)
      .map(({ id, workspace }) => signalOf(id, 'changed', [], { workspace }))
    await sql`with commands as (${commandRows(commands)}) select ${tellingRelay}`.execute(trx)
  }
}
