import type { Trx } from '../database.ts'
import { notify } from '../events/notifications.ts'
import { wakeRunners } from './campaigns.ts'

// If a mail server takes a letter and gives no answer, a person has to decide about that letter. After three in a row,
// campaigns stop sending through the account for a while; then a single letter tries it.

const mostInRow = 3
const minute = 60_000
const shortestMs = 15 * minute
const longestMs = 4 * 60 * minute

/** How long an account rests after this many letters in a row without an answer. */
const restMs = (inRow: number) => Math.min(shortestMs * 2 ** (inRow - mostInRow), longestMs)

/**
 * The server took a letter and gave no answer. Answers until when the account rests, if it does; its member is notified once.
 */
export async function noteUnanswered(trx: Trx, connection: string, now: Date) {
  const account = await trx
    .updateTable('connections')
    .set((eb) => ({ unconfirmedInRow: eb('unconfirmedInRow', '+', 1) }))
    .where('id', '=', connection)
    .returning(['workspace', 'member', 'account', 'unconfirmedInRow as inRow'])
    .executeTakeFirst()
  if (!account || account.inRow < mostInRow) return undefined
  const { workspace, member, inRow } = account
  const restsUntil = new Date(now.getTime() + restMs(inRow))
  await trx.updateTable('connections').set({ restsUntil }).where('id', '=', connection).execute()
  if (inRow === mostInRow)
    await notify(trx, {
      workspace,
      member,
      at: now,
      kind: 'sender.rests',
      text:
        `The mail server of ${account.account} has taken ${mostInRow} letters in a row without an answer, so it is not ` +
        'known whether they arrived. Until the server answers again, campaigns send only one letter at a time through this ' +
        'account, the first in 15 minutes.',
    })
  return restsUntil
}

/** The server has answered: the account's rest is over, and the campaigns of its workspace check what they may send now. */
export async function noteAnswered(trx: Trx, connection: string): Promise<undefined> {
  const account = await trx
    .updateTable('connections')
    .set({ unconfirmedInRow: 0, restsUntil: null })
    .where('id', '=', connection)
    .where('unconfirmedInRow', '>', 0)
    .returning('workspace')
    .executeTakeFirst()
  if (account) await wakeRunners(trx, account, 'accounts')
}

/** One letter tries an account whose rest is over; the others wait for its outcome. Call it with the connection locked. */
export async function restMeanwhile(
  trx: Trx,
  { id, unconfirmedInRow }: { id: string; unconfirmedInRow: number },
  now: Date,
) {
  if (unconfirmedInRow < mostInRow) return
  const restsUntil = new Date(now.getTime() + restMs(unconfirmedInRow))
  await trx.updateTable('connections').set({ restsUntil }).where('id', '=', id).execute()
}
