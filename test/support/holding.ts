import type { Db } from '../../db/database.ts'
import { endHolds, hold } from '../../db/workspace/holds.ts'

/**
 * Begins to hold a workspace, and stops right before the commit: what reads the holds without waiting at the fence finds none.
 * `set` commits, and `end` lets the workspace go on; call `set` first.
 */
export async function beginHold(db: Db, workspace: string) {
  const commit = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const what = { what: 'workspace', workspace } as const
  const done = db.transaction().execute(async (trx) => {
    await hold(trx, { ...what, setBy: 'operator', why: 'A test' }, new Date())
    begun.resolve()
    await commit.promise
  })
  done.catch(begun.reject)
  await begun.promise
  return {
    async set() {
      commit.resolve()
      await done
    },
    end: () => db.transaction().execute((trx) => endHolds(trx, what, ['operator'])),
  }
}
