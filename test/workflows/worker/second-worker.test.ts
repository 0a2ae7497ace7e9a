import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { makeAccounts } from '../../bench/mailbox-accounts.ts'
import { givenCampaign } from '../../support/given-campaign.ts'
import { startImapProcess } from '../../support/imap-server/start-process.ts'
import { testMail } from '../../support/mail.ts'
import { eventually, reaches, startService } from '../../support/service.ts'
import { countStatements, listed } from '../../support/statements.ts'

// What the start of a second worker costs those who are at work: as little with many mailboxes and campaigns as with few.

const mailboxes = 200
const campaigns = 50
// A Saturday: the campaigns wait, and each of their letters is due.
const saturday = '2026-11-21T09:00:00.000Z'
// Who is alive, which sets of mailboxes each of them reads, and how far these are read.
const own = ['mailbox_readers', 'mailbox_sets', 'mailboxes', 'workers']

describe(`a second worker beside one with ${mailboxes} mailboxes and ${campaigns} campaigns`, function () {
  this.timeout(400_000)

  it('plans nothing, wakes nobody and writes nothing beyond its own', async function () {
    const service = await startService({ now: saturday })
    const imap = await startImapProcess({ profile: 'dovecot' })
    try {
      const { db } = service
      const mail = await testMail()
      const taskQueue = `test-${randomUUID()}`
      await service.work(this, {}, { taskQueue })
      const given = await givenCampaign(service, mail, { people: 20, places: [1, 2] })
      const all = [given]
      while (all.length < campaigns) all.push({ ...given, ...(await given.another()) })
      const accounts = await makeAccounts({ db, clock: service.clock }, imap.port, mailboxes, given)
      await accounts.read()
      for (const { move } of all) await move('running')
      const count = async (query: ReturnType<typeof sql<{ n: number }>>) =>
        (await query.execute(db)).rows[0]?.n ?? 0
      const untilAllRead = () =>
        reaches(
          () =>
            count(sql`select count(*)::int as n from mailbox_readers r join mailbox_sets s on s.id = r.mailbox_set
              where r.caught_up_at is not null and r.holder = s.holder`),
          mailboxes,
          180_000,
        )
      await untilAllRead()
      await reaches(
        () => count(sql`select count(*)::int as n from operations where waiting_for = 'weekend'`),
        campaigns,
        120_000,
      )
      await untilQuiet(db)

      const counter = countStatements(service.databaseUrl)
      const before = await written(db)
      await service.work(this, {}, { taskQueue })
      // Each of the two reads half of the sets.
      await reaches(
        () =>
          count(
            sql`select count(distinct holder)::int as n from mailbox_sets where lease_until > now()`,
          ),
        2,
        120_000,
      )
      await untilAllRead()
      await untilQuiet(db)
      const after = await written(db)
      counter.stop()
      const statements = counter.take()
      equal(listed(statements.filter(({ unit }) => unit === 'planLetters')), '')
      const changed = [...after].filter(([table, n]) => n > (before.get(table) ?? 0))
      deepEqual(
        changed.filter(([table]) => !own.includes(table)),
        [],
        listed(statements),
      )
      ok(changed.length > 0)
    } finally {
      await service.close()
      await imap.stop()
    }
  })
})

type Database = Awaited<ReturnType<typeof startService>>['db']

/** How many rows of each table were written so far, by all processes that have told so. */
async function written(db: Database) {
  const { rows } = await sql<{ table: string; n: number }>`
    select relname as table, (n_tup_ins + n_tup_upd + n_tup_del)::int as n from pg_stat_user_tables`.execute(
    db,
  )
  return new Map(rows.map(({ table, n }) => [table, n]))
}

// A session that rests tells Postgres after ten seconds what it has written.
const toldWithinMs = 12_000

/** Until nothing but the leases of the sets and the signs of life have been written for a while. */
async function untilQuiet(db: Database) {
  let last = ''
  let since = performance.now()
  await eventually(
    async () => {
      const now = JSON.stringify([...(await written(db))].filter(([table]) => !own.includes(table)))
      if (now !== last) since = performance.now()
      last = now
      return performance.now() - since
    },
    (ms) => ms > toldWithinMs,
    120_000,
  )
}
