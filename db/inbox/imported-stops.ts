import { suppressAddress, suppressionsHappened } from '../accounts/suppressions.ts'
import { failTouches } from '../campaigns/touches.ts'
import type { Trx } from '../database.ts'
import type { Stop } from '../people/import-resolve.ts'
import { refuseLetters } from './stop-letters.ts'

/**
 * Suppresses the people of whom a file says that nobody may write to them: all their addresses, or the one that a bounce is
 * about; of a row that leads to no card, those that it names. Letters that wait for them end. The caller has locked the people;
 * what is suppressed already stays as it is.
 */
export async function stopImported(
  trx: Trx,
  workspace: string,
  stops: Stop[],
  evidence: string,
  now: Date,
) {
  for (const { person, reason, emails } of stops) {
    if (person && reason !== 'bounce')
      await refuseLetters(trx, { workspace, person, reason, evidence, now })
    for (const address of reason === 'bounce' ? emails.slice(0, 1) : emails) {
      const told = { workspace, address, reason, evidence, now }
      const { row, added } = await suppressAddress(trx, told)
      if (!added) continue
      await suppressionsHappened(trx, workspace, [row], now)
      if (person && reason === 'bounce') await failTouches(trx, { person }, 'bounced', now)
    }
  }
}
