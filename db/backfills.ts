import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Db } from './database.ts'
import { limitWaiting, type Patience, untilLocked } from './lock-timeout.ts'
import type { Backfill } from './migrations/index.ts'

/** The rows of a batch: their locks are held for some hundredths of a second. */
const most = 1_000

/**
 * Fills in what a migration leaves to be filled in, batch by batch, while the service reads and writes. How far it has come is
 * kept with each batch, so a run that was interrupted goes on there, and two runs at once take turns.
 */
export async function fillIn(
  owner: Db,
  migration: string,
  backfill: Backfill,
  patience: Patience,
  log: (line: string) => void,
) {
  const what = `back-fill of ${migration}`
  await owner
    .insertInto('backfills')
    .values({ migration })
    .onConflict((oc) => oc.doNothing())
    .execute()
  for (let batches = 0; ; batches++) {
    const begun = performance.now()
    const is = await untilLocked(
      () => what,
      () => fillBatch(owner, migration, backfill, patience),
      patience,
      log,
    )
    if (is === 'over') return
    if (is === 'ended') return log(`${what}: Success`)
    if (batches === 0) log(`${what}: begins`)
    // Half of the time is the service's alone.
    await wait(performance.now() - begun)
  }
}

const fillBatch = (owner: Db, migration: string, backfill: Backfill, patience: Patience) =>
  owner.transaction().execute(async (trx) => {
    await limitWaiting(trx, patience)
    const { after, endedAt } = await trx
      .selectFrom('backfills')
      .select(['after', 'endedAt'])
      .where('migration', '=', migration)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (endedAt) return 'over'
    const last = await backfill(trx as unknown as Kysely<unknown>, after, most)
    await trx
      .updateTable('backfills')
      .set(last === undefined ? { endedAt: new Date() } : { after: last })
      .where('migration', '=', migration)
      .execute()
    return last === undefined ? 'ended' : 'more'
  })
