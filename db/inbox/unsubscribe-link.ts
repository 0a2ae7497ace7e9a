import { suppressPerson } from '../accounts/suppressions.ts'
import { failTouches, findTouchByToken } from '../campaigns/touches.ts'
import type { Db } from '../database.ts'
import { recordAudit } from '../events/audit.ts'

/**
 * Takes the person of a letter off all campaigns: every e-mail address of the card, for ever; letters still queued fail.
 * Answers the letter; undefined when none carries that token. Doing it twice changes nothing.
 */
export async function unsubscribe(db: Db, token: string, now: Date) {
  return db.transaction().execute(async (trx) => {
    const touch = await findTouchByToken(trx, token)
    if (!touch) return undefined
    const { workspace, person } = touch
    // The lock that claims take: once this commits, no claim for this person succeeds.
    await trx.selectFrom('people').select('id').where('id', '=', person).forUpdate().execute()
    const reason = 'unsubscribe'
    const added = await suppressPerson(trx, { workspace, person, reason, touch: touch.id, now })
    await failTouches(trx, { person }, 'unsubscribed', now)
    if (added > 0)
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
