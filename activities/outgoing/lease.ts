import { setTimeout as sleep } from 'node:timers/promises'
import { ApplicationFailure } from '@temporalio/common'
import type { Db } from '../../db/database.ts'
import { endLease, findLeaseMs, leaseMs, renewLease } from '../../db/outgoing/leases.ts'
import type { LetterKey } from '../../db/outgoing/letters.ts'

// An attempt shows by its lease that it is at work. Whoever finds the letter claimed waits until the lease has ended.

const renewMs = 2_000
// An attempt that hung until its lease ran out, such as while the database was away, can still renew it within this time.
const doubtMs = 2_500

/** The lease of an attempt. */
export type Lease = {
  /**
   * Whether the letter is still the attempt's to hand over. A process that was frozen may go on after its lease has ended, when a
   * person has had the letter sent again.
   */
  holds(): Promise<boolean>
}

/** Renews the lease that an attempt takes with its claim, for as long as the attempt works. */
export async function leasing<T>(
  db: Db,
  row: LetterKey,
  attempt: string,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  let renewing = false
  let renewedAt = performance.now()
  async function renew() {
    const began = performance.now()
    const holds = await renewLease(db, row, attempt)
    if (holds) renewedAt = began
    return holds
  }
  const renewals = setInterval(() => {
    if (renewing) return
    renewing = true
    renew()
      .catch(() => {})
      .finally(() => {
        renewing = false
      })
  }, renewMs)
  const holds = async () => performance.now() - renewedAt < leaseMs - renewMs || renew()
  try {
    return await work({ holds })
  } catch (error) {
    // The attempt is over, so no other has to wait for its lease.
    await endLease(db, row, attempt).catch(() => {})
    throw error
  } finally {
    clearInterval(renewals)
  }
}

/**
 * Returns once the attempt that claimed a letter is gone.
 * @throws trouble while it is still at work, with the time to look again: only that attempt may settle the letter.
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
    message: 'Another attempt is sending the letter; its outcome is checked again later.',
    nextRetryDelay: Math.ceil(leftMs) + 500,
  })
}
