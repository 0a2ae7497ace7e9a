import type { Trx } from '../database.ts'
import type { LetterRow } from './letters.ts'
import { isUnconfirmed, type Kind } from './life.ts'

/** What a person found out about an unconfirmed letter: it was sent, or it is to be sent again. */
export type Finding = 'sent' | 'again'

/**
 * Writes down what became of an unconfirmed letter: it was sent, or it is queued again under the same Message-ID. False if it is
 * not unconfirmed, or no longer: then nothing is changed, so of two who decide at once only one does.
 */
export async function resolveLetter<Row extends LetterRow>(
  trx: Trx,
  kind: Kind<Row>,
  read: Row,
  outcome: Finding,
  now: Date,
): Promise<boolean> {
  const letter = await kind.lock(trx, read)
  if (!letter || !isUnconfirmed(letter)) return false
  const marker = { letter, attempt: null, now }
  if (outcome === 'sent') await kind.sent(trx, marker)
  else await kind.deferred(trx, marker, null)
  return true
}
