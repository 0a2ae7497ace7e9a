import type { Db } from '../db/database.ts'
import { tellRelay } from '../db/operations/outbox.ts'

// The first commit that brings commands tells the relay by itself. Those that come soon after it do not: transactions that notify
// commit one after another, so each of many at once would wait for the disk by itself. For all of them, the relay is told once,
// afterwards. If the process ends in between, the relay finds them by itself within a second.

/** One telling is for all commits of this time. */
const restMs = 20

const toldAt = new WeakMap<Db, number>()
const waiting = new WeakSet<Db>()

/** Whether a commit is to tell the relay by itself: if it was not told just now. Otherwise, call `wakeRelay` after the commit. */
export function mayTellRelay(db: Db): boolean {
  const now = performance.now()
  if (now - (toldAt.get(db) ?? Number.NEGATIVE_INFINITY) < restMs) return false
  toldAt.set(db, now)
  return true
}

/** Tells the relay that a commit has brought commands: at once, unless it was told just now. */
export function wakeRelay(db: Db) {
  if (waiting.has(db)) return
  if (mayTellRelay(db)) return void tellRelay(db).catch(() => {})
  waiting.add(db)
  setTimeout(() => {
    waiting.delete(db)
    wakeRelay(db)
  }, restMs).unref()
}
