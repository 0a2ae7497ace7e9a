import type { Db } from '../db/database.ts'
import { notifyRelay } from '../db/operations/outbox.ts'

// The first commit with new commands notifies the relay itself. Commits soon after it do not: Postgres commits transactions that
// notify one after another, so each of many at once would wait for the disk alone. One notification follows for all of them. If the
// process ends before it, the relay finds the commands within a second anyway.

/** One notification covers all commits of this time. */
const restMs = 20

const notifiedAt = new WeakMap<Db, number>()
const waiting = new WeakSet<Db>()

/** Whether a commit is to notify the relay itself: if nothing did so just now. Otherwise, call `wakeRelay` after the commit. */
export function mayNotifyRelay(db: Db): boolean {
  const now = performance.now()
  if (now - (notifiedAt.get(db) ?? Number.NEGATIVE_INFINITY) < restMs) return false
  notifiedAt.set(db, now)
  return true
}

/** Notifies the relay that a commit has brought commands: at once or, if something did so just now, a moment later. */
export function wakeRelay(db: Db) {
  if (waiting.has(db)) return
  if (mayNotifyRelay(db)) return void notifyRelay(db).catch(() => {})
  waiting.add(db)
  setTimeout(() => {
    waiting.delete(db)
    wakeRelay(db)
  }, restMs).unref()
}
