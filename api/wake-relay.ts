import type { Db } from '../db/database.ts'
import { tellRelay } from '../db/operations/outbox.ts'

// The first commit that brings commands tells the relay by itself. Those that come soon after it do not: transactions that notify
// commit one after another, so each of many at once would wait for the disk by itself. For all of them, the relay is told once,
// afterwards. If the process ends in between, the relay finds them by itself within a second.

/** One telling is for all commits of this time. */
const restMs = 20

const resting = new WeakMap<Db, { again: boolean }>()

/** Whether a commit is to tell the relay by itself: if it was not told just now. Otherwise, call `wakeRelay` after the commit. */
export function mayTellRelay(db: Db): boolean {
  if (resting.has(db)) return false
  const begun = { again: false }
  resting.set(db, begun)
  setTimeout(() => {
    resting.delete(db)
    if (begun.again) wakeRelay(db)
  }, restMs).unref()
  return true
}

/** Tells the relay that a commit has brought commands: at once, unless it was told just now. */
export function wakeRelay(db: Db) {
  const rest = resting.get(db)
  if (rest) {
    rest.again = true
    return
  }
  mayTellRelay(db)
  tellRelay(db).catch(() => {})
}
