import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../db/database.ts'
import { migrateToLatest } from '../../db/migrate.ts'
import { createToken } from '../../db/workspace/tokens.ts'
import { notice } from '../../dev/operator/progress.ts'
import { makeDataDir } from '../../dev/operator/stack-values.ts'
import { serviceRole, withClient } from '../../dev/stack/postgres.ts'
import { startDatabase } from '../../dev/stack/services.ts'
import { readStack } from '../../process/config.ts'
import { secretKey } from '../support/given.ts'
import { readWholeAtSize } from '../support/plans/check.ts'
import { allScopes } from '../support/service.ts'
import { type HttpClient, openClient } from './load.ts'
import type { Size } from './place.ts'
import { serving, startUp } from './rest.ts'
import { quantile } from './rounds.ts'
import { fillAtSize, first } from './size-rows.ts'

// A deployment of some years on this machine: the data folder of `npm start`, filled by SQL, and then what is asked of it most. At a
// scale of 1 that takes half an hour and 20 GB of the folder for temporary files, which are removed again.

const usual = 1
const quickly = 0.002

export async function size({ quick, scale = quick ? quickly : usual }: Size) {
  const dataDir = mkdtempSync(join(tmpdir(), 'postroom-size-'))
  // Postgres may run as a user of its own.
  chmodSync(dataDir, 0o755)
  try {
    await fillFolder(dataDir, scale)
    await measureFolder(dataDir, quick ? 5 : 100)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Fills the Postgres of a data folder of `npm start`, which finds it there. */
export const fillFolder = (dataDir: string, scale: number) =>
  withDatabase(dataDir, async (url, ownerUrl) => {
    await migrateToLatest(ownerUrl, serviceRole)
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
  })

async function withDatabase(
  dataDir: string,
  work: (url: string, ownerUrl: string) => Promise<unknown>,
) {
  makeDataDir(dataDir)
  const { postgres, ownerUrl } = await startDatabase({ dataDir, say: notice })
  try {
    await work(postgres.url(new URL(ownerUrl).pathname.slice(1)), ownerUrl)
  } finally {
    await postgres.stop()
  }
}

/** Plans, then `npm start` and so many of each call. */
export async function measureFolder(dataDir: string, calls: number) {
  await withDatabase(dataDir, async (_, ownerUrl) => {
    const { read, whole } = await readWholeAtSize(ownerUrl)
    console.log(
      `${read} statements that tests have carried out on this machine; of large tables, these read one from end to end:`,
    )
    console.log(whole.length > 0 ? whole.join('\n') : '  none')
  })
  const begun = performance.now()
  const up = startUp(dataDir, { SECRET_KEY: secretKey.current })
  try {
    await serving(up.stdout)
    console.log(`npm start: ${((performance.now() - begun) / 1000).toFixed(1)} s`)
    const stack = readStack(dataDir)
    await measure(`http://127.0.0.1:${stack['PORT']}`, stack['DATABASE_URL'] ?? '', calls)
  } finally {
    up.kill('SIGINT')
    await once(up, 'exit')
  }
}

async function measure(url: string, databaseUrl: string, calls: number) {
  const db = openDatabase(databaseUrl, 1)
  const tokenOf = (workspace: string, member: string) =>
    createToken(db, { workspace, member, client: 'bench', scopes: allScopes })
  const [large, small] = [
    openClient(url, 30, (await tokenOf(first.workspace, first.member)).token),
    openClient(url, 1, (await tokenOf('wsp_s2', 'mem_s2')).token),
  ]
  await db.destroy()

  for (let i = 0; i < 5; i++) {
    const { text, ms } = await timed(large, '/metrics')
    const isWhole = /^postroom_gauges_ok 1$/m.test(text) ? 'all gauges' : 'GAUGES ARE ABSENT'
    console.log(`  a scrape of /metrics: ${ms.toFixed(0)} ms, ${isWhole}`)
    // A scrape within a second is answered with the one before.
    await sleep(1_100)
  }
  for (const path of asked) {
    const times: number[] = []
    let refused = ''
    for (let i = 0; i < calls; i++) {
      const { ms, status, text } = await timed(large, `/api/v1${path}`)
      times.push(ms)
      if (status !== 200) refused = ` ${status} ${text.slice(0, 100)}`
      // Ten seconds say enough of one that is slow.
      if (times.reduce((a, b) => a + b, 0) > 10_000) break
    }
    console.log(`  ${path.padEnd(70)} ${shown(times)}${refused}`)
  }
  await beside(large, small, calls)
  large.close()
  small.close()
}

const asked = [
  '/conversations?limit=50',
  '/conversations?state=open&owner=none&limit=50',
  '/conversations?waitingFor=us&state=open&limit=50',
  '/conversations/counts',
  `/conversations/${first.conversation}/messages?limit=50`,
  '/people?limit=50',
  '/campaigns',
  `/campaigns/${first.done}`,
  `/campaigns/${first.done}/touches?limit=50`,
  `/campaigns/${first.done}/people?outcome=failed&limit=50`,
  '/segments',
  `/segments/${first.segment}/people?limit=50`,
  '/events?limit=50',
  '/audit?limit=50',
  '/notifications?limit=50',
  '/operations?limit=50',
  `/webhooks/${first.webhook}/deliveries?limit=50`,
  '/suppressions?limit=50',
  '/senders/health',
  '/dashboard',
  // Of everybody, of some, of one, and of nobody.
  '/people?limit=50&q=firm',
  '/people?limit=50&q=weber',
  '/people?limit=50&q=firm4711.example',
  '/people?limit=50&q=567891',
  '/people?limit=50&q=zqzq',
  '/people?limit=50&q=zq',
  '/conversations?limit=50&q=offer',
  '/conversations?limit=50&q=567891',
  '/conversations?limit=50&q=zqzq',
  '/search?q=demo',
  '/search?q=zqzq',
]

/** Twenty searches without a hit at once, and how long another workspace's read takes beside them. */
async function beside(large: HttpClient, small: HttpClient, calls: number) {
  const read = async () => {
    const times: number[] = []
    for (let i = 0; i < calls; i++)
      times.push((await timed(small, '/api/v1/conversations?limit=50')).ms)
    return times
  }
  console.log(`  the reads of another workspace, alone: ${shown(await read())}`)
  for (const path of ['/people?q=', '/conversations?q=', '/search?q=']) {
    let over = false
    const times: number[] = []
    const search = async (i: number) => {
      for (let n = 0; !over; n++) times.push((await timed(large, `/api/v1${path}zq${i}x${n}`)).ms)
    }
    const searches = Array.from({ length: 20 }, (_, i) => search(i))
    const others = await read()
    over = true
    await Promise.all(searches)
    console.log(
      `  beside twenty ${path} without a hit: ${shown(others)}; they take ${shown(times)}`,
    )
  }
}

async function timed(client: HttpClient, path: string) {
  const begun = performance.now()
  const answer = await client.call('GET', path)
  return { ...answer, ms: performance.now() - begun }
}

const shown = (times: number[]) =>
  `p50 ${quantile(times, 0.5).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms of ${times.length}`
