import { EventEmitter } from 'node:events'

// Passes on, within this process, that accounts of a set of mailboxes have changed, or that a mail has come back to a sandbox
// (activities/worker/start.ts hears of it).

const sets = new EventEmitter().setMaxListeners(0)

export const setChanged = (set: string) => void sets.emit(set)

/** `next()` is aborted at the next change since the last call. */
export function whenSetChanges(set: string) {
  let changed = new AbortController()
  const hear = () => changed.abort()
  sets.on(set, hear)
  return {
    next() {
      if (changed.signal.aborted) {
        changed = new AbortController()
        return AbortSignal.abort()
      }
      return changed.signal
    },
    close: () => void sets.off(set, hear),
  }
}
