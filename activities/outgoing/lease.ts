import { setTimeout as sleep } from 'node:timers/promises'
import { ApplicationFailure } from '@temporalio/common'
import type { Db } from '../../db/database.ts'
import { endLease, findLeaseMs, renewLease } from '../../db/outgoing/leases.ts'
import type { LetterKey } from '../../db/outgoing/letters.ts'

const renewMs = 2_000
// An attempt that was held up for as long as its lease, as by a database that was away, renews it within this time.
const doubtMs = 2_500

/** Renews the lease that an attempt takes with its claim, for as long as it is at work. */
export async function leasing<T>(
  db: Db,
  row: LetterKey,
  attempt: string,
  work: () => Promise<T>,
): Promise<T> {
  let renewing = false
  const renewals = setInterval(() => {
    if (renewing) return
    renewing = true
    renewLease(db, row, attempt)
      .catch(() => {})
      .finally(() => {
        renewing = false
      })
  }, renewMs)
  try {
    return await work()
  } catch (error) {
    // It is over, and another need not wait for it.
    await endLease(db, row, attempt).catch(() => {})
    throw error
  } finally {
    clearInterval(renewals)
  }
}

/**
 * Looks whether the attempt that has claimed a letter is gone. @throws trouble while it is at work, with the time of another
 * look: what becomes of the letter is its own to say.
 */
export async function untilAbandoned(db: Db, row: LetterKey): Promise<void> {
  await whileLeased(db, row)
  await sleep(doubtMs)
  await whileLeased(db, row)
}

async function whileLeased(db: Db, row: LetterKey) {
  const leftMs = await findLeaseMs(db, row)
  if (leftMs <= 0) return
  throw ApplicationFailure.create({
    type: 'busy',
    message: 'Another attempt has the letter in hand; what has become of it is looked at again.',
    nextRetryDelay: Math.ceil(leftMs) + 500,
  })
}
