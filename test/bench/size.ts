import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrateToLatest } from '../../db/migrate.ts'
import { notice } from '../../dev/operator/progress.ts'
import { makeDataDir } from '../../dev/operator/stack-values.ts'
import { serviceRole, withClient } from '../../dev/stack/postgres.ts'
import { startDatabase } from '../../dev/stack/services.ts'
import type { Size } from './place.ts'
import { fillAtSize } from './size-rows.ts'

// A deployment of some years on this machine: the data folder of `npm start`, filled by SQL. At a scale of 1 that takes a quarter of an
// hour and 40 GB of the folder for temporary files, which are removed again.

const usual = 1
const quickly = 0.002

export async function size({ quick, scale = quick ? quickly : usual }: Size) {
  const dataDir = mkdtempSync(join(tmpdir(), 'postroom-size-'))
  // Postgres may run as a user of its own.
  chmodSync(dataDir, 0o755)
  try {
    await fillFolder(dataDir, scale)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Fills the Postgres of a data folder of `npm start`, which finds it there. */
async function fillFolder(dataDir: string, scale: number) {
  makeDataDir(dataDir)
  const { postgres, ownerUrl } = await startDatabase({ dataDir, say: notice })
  try {
    await migrateToLatest(ownerUrl, serviceRole)
    const url = postgres.url(new URL(ownerUrl).pathname.slice(1))
    // A checkpoint for each gigabyte would write the same pages again and again.
    await withClient(url, async (client) => {
      await client.query(`alter system set max_wal_size = '8GB'`)
      await client.query('select pg_reload_conf()')
    })
    await fillAtSize({ url, scale, say: (line) => console.log(`  ${line}`) })
    await withClient(url, async (client) => {
      await client.query('alter system reset max_wal_size')
      const { rows } = await client.query(`
        select relname as table, n_live_tup::int as rows, pg_size_pretty(pg_table_size(relid)) as size,
          pg_size_pretty(pg_indexes_size(relid)) as indexes
        from pg_stat_user_tables order by pg_total_relation_size(relid) desc limit 20`)
      console.table(rows)
      await client.query('checkpoint')
    })
  } finally {
    await postgres.stop()
  }
}
