import { randomUUID } from 'node:crypto'
import type { Db } from '../../db/database.ts'
import { noteEnded, noteSeen, seenEveryMs } from '../../db/operations/workers.ts'
import { version } from '../../process/version.ts'

/** Records every few seconds, until `stop()`, that this worker is alive. A worker that hangs records nothing. */
export function startPresence(db: Db, reads: boolean) {
  const worker = { id: randomUUID(), version, reads }
  // Everything else reports a database that cannot be reached.
  let saying: Promise<unknown> = Promise.resolve()
  const say = () => {
    saying = noteSeen(db, worker).catch(() => {})
  }
  say()
  const timer = setInterval(say, seenEveryMs)
  return {
    async stop() {
      clearInterval(timer)
      await saying
      await noteEnded(db, worker.id).catch(() => {})
    },
  }
}
