import { type SqlBool, sql } from 'kysely'
import type { Db, Trx } from './database.ts'
import { enqueueSignal } from './outbox.ts'
import type { Suppressions } from './schema.ts'
import { touchHappened } from './touches.ts'

// What a message that came in does to letters that are still to go. The people are locked by the caller, so that none of it
// crosses a claim.

/**
 * Somebody has answered: the remaining letters of every campaign that has written to them fail as `replied`. A campaign that
 * has not begun with them goes on. What is being handed over at this moment is settled by its attempt.
 */
export async function stopLetters(trx: Trx, people: string[], at: Date, now: Date) {
  const rows = await trx
    .updateTable('touches')
    .from('campaigns')
    .set({ state: 'failed', reason: 'replied' })
    .whereRef('campaigns.id', '=', 'touches.campaign')
    .where('touches.person', 'in', people)
    .where('touches.state', 'in', ['queued', 'review'])
    .where(sql<SqlBool>`exists (select from touches first
      where first.campaign = touches.campaign and first.person = touches.person
        and first.state = 'sent' and first.sent_at <= ${at})`)
    .returning([
      'touches.id',
      'touches.workspace',
      'touches.campaign',
      'touches.person',
      'touches.place',
      'touches.connection',
      'touches.conversation',
      'campaigns.runner',
      'campaigns.state',
    ])
    .execute()
  for (const touch of rows) await touchHappened(trx, touch, now, 'failed', 'replied')
  const runners = new Set(
    rows.flatMap(({ state, runner }) => (state === 'running' && runner) || []),
  )
  for (const runner of runners) await enqueueSignal(trx, runner, 'changed')
}

// Nobody is away for longer; a date beyond it was misread.
const longestHoldMs = 90 * 24 * 60 * 60 * 1000

/** Somebody is away: their letters wait until they are back. */
export async function holdLetters(trx: Trx, people: string[], until: Date, now: Date) {
  const dueAt = new Date(Math.min(until.getTime(), now.getTime() + longestHoldMs))
  await trx
    .updateTable('touches')
    .set({ dueAt })
    .where('person', 'in', people)
    .where('state', 'in', ['queued', 'review'])
    .where('dueAt', '<', dueAt)
    .execute()
}

/** Notes that every e-mail address of a person must not be written to; answers how many were not noted yet. */
export async function suppressPerson(
  trx: Db,
  suppressed: {
    workspace: string
    person: string
    reason: Suppressions['reason']
    touch?: string
    now: Date
  },
): Promise<number> {
  const { workspace, person, reason, touch = null, now } = suppressed
  const added = await sql`
    insert into suppressions (workspace, address, reason, at, touch)
    select ${workspace}, value, ${reason}, ${now}::timestamptz, ${touch}::text
    from addresses where person = ${person} and kind = 'email'
    on conflict do nothing returning address`.execute(trx)
  return added.rows.length
}

/** Notes that one address must not be written to, such as one that bounced. */
export const suppressAddress = (
  trx: Db,
  suppressed: { workspace: string; address: string; reason: Suppressions['reason']; now: Date },
) =>
  trx
    .insertInto('suppressions')
    .values({
      workspace: suppressed.workspace,
      address: suppressed.address.toLowerCase(),
      reason: suppressed.reason,
      at: suppressed.now,
      touch: null,
    })
    .onConflict((oc) => oc.doNothing())
    .execute()
