import type { Session } from './served.ts'
import type { Entry } from './store.ts'

/** Tells what has changed in the open folder since the client was last told. */
export function sync(session: Session) {
  const { folder, view } = session
  if (!folder) return
  const { entries } = folder
  if (session.seen !== entries) {
    const present = new Set(entries)
    for (let i = view.length - 1; i >= 0; i--) {
      if (present.has(view[i] as Entry)) continue
      view.splice(i, 1)
      session.say(`${i + 1} EXPUNGE`)
    }
    session.seen = entries
  }
  if (entries.length > view.length) {
    view.push(...entries.slice(view.length))
    session.say(`${view.length} EXISTS`)
  }
}
