import { suppressPeople } from '../accounts/suppressions.ts'
import { failTouches, findTouchByToken } from '../campaigns/touches.ts'
import type { Db } from '../database.ts'
import { recordAudit } from '../events/audit.ts'

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
