import type { Db } from '../../db/database.ts'
import { listOpenOperations } from '../../db/operations/upkeep.ts'
import { findSetting, keepSetting } from '../../db/settings.ts'

// A start is normally carried out within a second. An operation that has no workflow after this time has lost it.
const settlingMs = 2 * 60_000
const batch = 500

/**
 * The open operations that this run looks at, in turn: those that should be running at `now` and, separately, those that sleep
 * until later, so that any number of sleeping ones does not delay the others. `keep` stores how far both have come.
 */
export async function nextToSweep(db: Db, now: Date) {
  const turns = await Promise.all(
    [true, false].map(async (isDue) => {
      const name = isDue ? 'sweep-cursor' : 'sweep-cursor-later'
      const after = (await findSetting<string>(db, name)) ?? ''
      const page = { after, olderThanMs: settlingMs, limit: batch }
      const operations = await listOpenOperations(db, page, { isDue, now })
      return { name, operations, next: operations.length === batch ? operations.at(-1)?.id : '' }
    }),
  )
  return {
    operations: turns.flatMap(({ operations }) => operations),
    async keep() {
      for (const { name, next } of turns) await keepSetting(db, name, next)
    },
  }
}
