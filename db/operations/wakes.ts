import { type RawBuilder, sql } from 'kysely'
import type { WakeReason } from '../../rules/wakes.ts'
import type { Db } from '../database.ts'
import { tellingRelay } from './outbox.ts'

// Runners of campaigns are woken far more often than they have to look: by each account that is checked, each mailbox that is read,
// each batch of people who are judged. One signal stands for all that ask before it goes.

/** How long a wake of many runners waits for others to join it. */
const togetherMs = 1_000

/**
 * Has runners look again, in the transaction of the change. A runner gets no second signal with the same reason while one waits in
 * the outbox. `workflows` is a query of their ids as `workflow`; with `together`, the signals wait for a second, so that what comes
 * meanwhile joins them.
 *
 * A signal may stand for this change only if it goes after the commit. So the one that waits is locked until then, and relays pass
 * over locked commands. One that a relay has locked is being carried out now, and one that was left to a relay whose call is still
 * open has a later `next_try_at` and no problem: neither of them counts, and another signal is written.
 */
export const enqueueWakes = (
  trx: Db,
  workflows: RawBuilder<unknown>,
  reason: WakeReason,
  { together = false } = {},
) =>
  sql`
    with wanted as materialized (${workflows}),
    waiting as materialized (
      select workflow_id from outbox
      where workflow_id in (select workflow from wanted) and kind = 'signal' and dispatched_at is null and dead_at is null
        and signal = 'changed' and args = ${JSON.stringify([reason])}::jsonb
        and (problem is not null or next_try_at <= created_at + ${togetherMs} * interval '1 ms')
      for key share skip locked),
    commands as (
      insert into outbox (kind, workspace, priority, next_try_at, workflow_id, args, signal)
      select 'signal', split_part(workflow, ':', 1), 2, now() + ${together ? togetherMs : 0} * interval '1 ms', workflow,
        ${JSON.stringify([reason])}::jsonb, 'changed'
      from wanted where workflow not in (select workflow_id from waiting))
    select case when exists (select from wanted) then ${tellingRelay} end`.execute(trx)

/** The same for the runner of one campaign, at once. */
export const enqueueWake = (trx: Db, runner: string, reason: WakeReason) =>
  enqueueWakes(trx, sql`select ${runner}::text as workflow`, reason)
