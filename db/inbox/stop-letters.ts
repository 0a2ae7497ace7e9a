import { type SqlBool, sql } from 'kysely'
import { suppressPeople } from '../accounts/suppressions.ts'
import { failTouches, touchHappened } from '../campaigns/touches.ts'
import type { Trx } from '../database.ts'
import { recordEvents } from '../events/events.ts'
import { enqueueSignal } from '../operations/outbox.ts'

// The effects of an inbound message on letters that are still to go. The caller has locked the people, so that no effect
// crosses a claim.

/**
 * Somebody has answered: the remaining letters of every campaign that has written to them fail as `replied`, or as
 * `unsubscribed` if that is what they said. A campaign that has not written to them yet continues. A letter that is being
 * handed over right now is settled by its attempt.
 */
export async function stopLetters(
  trx: Trx,
  people: string[],
  reason: 'replied' | 'unsubscribed',
  at: Date,
  now: Date,
) {
  const rows = await trx
    .updateTable('touches')
    .from('campaigns')
    .set({ state: 'failed', reason })
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
  for (const touch of rows) await touchHappened(trx, touch, now, 'failed', reason)
  const runners = new Set(
    rows.flatMap(({ state, runner }) => (state === 'running' && runner) || []),
  )
  for (const runner of runners) await enqueueSignal(trx, runner, 'changed')
}

/**
 * People want no more campaign letters, or have complained about one: no further letter goes to any of their addresses. The
 * event is recorded where an address is suppressed by it, or with `isNews` where one was just before.
 */
export async function refuseLetters(
  trx: Trx,
  refusal: {
    workspace: string
    people: string[]
    reason: 'unsubscribe' | 'complaint'
    evidence: string
    now: Date
  },
  isNews = false,
) {
  const { workspace, people, reason, now } = refusal
  const kind = reason === 'complaint' ? 'person.complained' : 'person.unsubscribed'
  const added = await suppressPeople(trx, refusal)
  const told = (isNews ? people : added).map((person) => ({ resource: person, data: { person } }))
  await recordEvents(trx, { workspace, kind, at: now }, told)
  await failTouches(trx, { people }, reason === 'complaint' ? 'suppressed' : 'unsubscribed', now)
}
