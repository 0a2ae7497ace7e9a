import { type SqlBool, sql } from 'kysely'
import type { Stop } from '../../rules/people/import-batch.ts'
import { suppressAddresses, suppressPeople } from '../accounts/suppressions.ts'
import { failTouches, findTouchByToken, touchHappened } from '../campaigns/touches.ts'
import type { Db, Trx } from '../database.ts'
import { recordAudit } from '../events/audit.ts'
import { recordEvents } from '../events/events.ts'
import { enqueueWake } from '../operations/wakes.ts'

// What ends letters that are still to go: an inbound message, a file of people, and the link in a letter. The people are locked
// first, so that no effect crosses a claim.

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
      'touches.message',
      'campaigns.runner',
      'campaigns.state',
    ])
    .execute()
  for (const touch of rows) await touchHappened(trx, touch, now, 'failed', reason)
  const runners = new Set(
    rows.flatMap(({ state, runner }) => (state === 'running' && runner) || []),
  )
  for (const runner of runners) await enqueueWake(trx, runner, 'letters')
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

/**
 * Suppresses the people of whom a file says that nobody may write to them: all their addresses, or the one that a bounce is
 * about; of a row that leads to no card, those that it names. Letters that wait for them end. The caller has locked the people;
 * what is suppressed already stays as it is. All of them take the same few statements, since a file may consist of them.
 */
export async function stopImported(
  trx: Trx,
  workspace: string,
  stops: Stop[],
  evidence: string,
  now: Date,
) {
  const told = { workspace, evidence, now }
  for (const reason of ['unsubscribe', 'complaint'] as const) {
    const people = [...new Set(stops.filter((stop) => stop.reason === reason).flatMap(personOf))]
    if (people.length > 0) await refuseLetters(trx, { ...told, people, reason })
  }
  const entries = stops.flatMap(({ reason, emails }) =>
    (reason === 'bounce' ? emails.slice(0, 1) : emails).map((address) => ({ address, reason })),
  )
  const added = await suppressAddresses(trx, { ...told, entries })
  const back = new Set(added.flatMap(({ address, reason }) => (reason === 'bounce' ? address : [])))
  const bounced = stops.filter(
    ({ reason, emails }) => reason === 'bounce' && back.has(emails[0] ?? ''),
  )
  if (bounced.length > 0)
    await failTouches(trx, { people: bounced.flatMap(personOf) }, 'bounced', now)
}

const personOf = ({ person }: Stop) => person ?? []

/**
 * Permanently removes the person of a letter from all campaigns: suppresses every e-mail address of the card and fails the
 * letters that are still queued. Answers the letter; undefined if no letter has that token. Calling it twice changes nothing.
 */
export async function unsubscribe(db: Db, token: string, now: Date) {
  return db.transaction().execute(async (trx) => {
    const touch = await findTouchByToken(trx, token)
    if (!touch) return undefined
    const { workspace, person } = touch
    // The lock that claims take: once this commits, no claim for this person succeeds.
    await trx.selectFrom('people').select('id').where('id', '=', person).forUpdate().execute()
    const reason = 'unsubscribe'
    const people = [person]
    const added = await suppressPeople(trx, { workspace, people, reason, touch: touch.id, now })
    await failTouches(trx, { people }, 'unsubscribed', now)
    if (added.length > 0)
      await recordAudit(trx, {
        workspace,
        at: now,
        member: null,
        client: null,
        action: 'person.unsubscribed',
        resource: person,
        after: { touch: touch.id },
        key: null,
      })
    return touch
  })
}
