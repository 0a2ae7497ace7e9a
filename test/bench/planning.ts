import { sql } from 'kysely'
import { runCampaignActivities } from '../../activities/campaigns/run-campaign.ts'
import type { Deps } from '../../activities/deps.ts'
import { openDatabase } from '../../db/database.ts'
import { newId } from '../../db/ids.ts'
import { withClient } from '../../dev/stack/postgres.ts'
import { givenWorkspace } from '../support/given.ts'
import { createTestDatabase, testPostgres } from '../support/postgres.ts'
import type { Size } from './place.ts'

// How long it takes to plan the first letters of a campaign to a whole segment, activity by activity, then to find that nobody is left,
// and to end the letters of those who left.

const usual = 1_000_000
const quickly = 20_000
// Each letter that ends is an event too, which costs more than finding it.
const mostLeft = 20_000

export async function planning({ quick, rows = quick ? quickly : usual }: Size) {
  const database = await createTestDatabase()
  const superuser = (await testPostgres()).url(new URL(database.url).pathname.slice(1))
  const db = openDatabase(database.url, 2)
  try {
    const now = new Date()
    const { id: workspace, agent } = await givenWorkspace(db, now)
    const [segment, campaign] = [newId('seg'), newId('cmp')]
    const person = `'per_' || lpad(i::text, 8, '0')`
    // Without triggers and references, which others measure.
    await withClient(superuser, async (client) => {
      await client.query(`set session_replication_role = replica`)
      await client.query(
        `insert into people (id, workspace, name, created_at, updated_at)
          select ${person}, $1, '', now(), now() from generate_series(1, $2::int) i`,
        [workspace, rows],
      )
      await client.query(
        `insert into segments (id, workspace, name, query, rules, created_at, updated_at)
          values ($1, $2, 'All', 'all', '[]', now(), now())`,
        [segment, workspace],
      )
      await client.query(
        `insert into segment_people (segment, person, matches, version, at, joined)
          select $1, ${person}, true, 1, now(), i from generate_series(1, $2::int) i`,
        [segment, rows],
      )
      await client.query(
        `insert into campaigns (id, workspace, name, state, segment, agent, run_epoch, created_at, started_at, updated_at, left_to)
          values ($1, $2, 'All', 'running', $3, $4, 1, now(), now(), now(), null)`,
        [campaign, workspace, segment, agent],
      )
      await client.query('analyze people, segment_people')
    })
    const { planLetters } = runCampaignActivities({ db, clock: { now: () => now } } as Deps)
    const input = { operation: '', campaign, epoch: 1 }
    const all = async (what: string) => {
      const took: number[] = []
      const from = performance.now()
      for (let more = 1; more > 0; ) {
        const begun = performance.now()
        more = await planLetters(input)
        took.push(performance.now() - begun)
      }
      const ms = (n: number) => `${n.toFixed(0)} ms`
      console.log(
        `  ${what}: ${((performance.now() - from) / 1000).toFixed(0)} s in ${took.length} activities, the slowest ${ms(Math.max(...took))}; ` +
          `the first ${ms(took[0] ?? 0)}`,
      )
    }
    await all(`${rows} first letters planned`)
    const from = performance.now()
    await planLetters(input)
    console.log(`  that nobody is left: ${(performance.now() - from).toFixed(1)} ms`)
    const left = Math.min(rows, mostLeft)
    await sql`update segment_people set matches = false where segment = ${segment} and joined <= ${left}`.execute(
      db,
    )
    await sql`update campaigns set left_to = '' where id = ${campaign}`.execute(db)
    await all(`all letters gone through, and ${left} of them ended`)
  } finally {
    await db.destroy()
    await database.drop()
  }
}
