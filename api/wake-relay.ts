import type { Db } from '../db/database.ts'
import { tellRelay } from '../db/operations/outbox.ts'

// The relay is told of new commands after their commit and not by it: transactions that notify commit one after another, so
// each of many at once would wait for the disk by itself. If the process ends in between, the relay finds them by itself within
// a second.

/** One telling is for all commits of this time. */
const restMs = 20

const resting = new WeakMap<Db, { again: boolean }>()

/** Tells the relay that a commit has brought commands: at once, unless it was told just now. */
export function wakeRelay(db: Db) {
  const rest = resting.get(db)
  if (rest) {
    rest.again = true
    return
  }
  const begun = { again: false }
  resting.set(db, begun)
  tellRelay(db).catch(() => {})
  setTimeout(() => {
    resting.delete(db)
    if (begun.again) wakeRelay(db)
  }, restMs).unref()
}
