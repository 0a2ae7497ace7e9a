import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { findCampaign, updateCampaign } from '../../../db/campaigns/campaigns.ts'
import {
  beginLeaving,
  goOnLeaving,
  goOnLeavingAll,
  leave,
  leaveAll,
} from '../../../db/campaigns/leaving.ts'
import { lockForPlanning, planFirstLetters } from '../../../db/campaigns/planning.ts'
import { countProgress } from '../../../db/campaigns/progress.ts'
import type { Db, Trx } from '../../../db/database.ts'
import { newId } from '../../../db/ids.ts'
import { addPeopleByHand, lockSegment, takeOut } from '../../../db/segments/segments.ts'
import { withClient } from '../../../dev/stack/postgres.ts'
import { testPostgres } from '../../support/postgres.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

/** As judging does it: whoever is taken out by a member stays out, also as part of another card. */
const takeOutOf = (trx: Trx, segment: string, person: string) =>
  sql`update segment_people set matches = false where segment = ${segment} and person = ${person}`.execute(
    trx,
  )

// Planning, leaving and counting are told together, because each is about what the others have left behind.
describe('planning first letters', function () {
  this.timeout(120_000)
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  const superuser = async () =>
    (await testPostgres()).url(new URL(service.databaseUrl).pathname.slice(1))
  const insertSegment = (id: string, workspace: string, now: Date) =>
    service.db
      .insertInto('segments')
      .values({ id, workspace, name: '', query: 'q', rules: '[]', createdAt: now, updatedAt: now })
      .execute()
  const person = (n: number) => `per_${String(n).padStart(8, '0')}`

  /** A running campaign, and a segment with the people whose numbers are given. */
  async function given() {
    const { db, clock } = service
    const { id, call } = await service.workspace()
    const now = clock.now()
    const tag = randomUUID().slice(0, 6)
    const [segment, campaign] = [newId('seg'), newId('cmp')]
    const of = (n: number) => `${person(n)}${tag}`
    await insertSegment(segment, id, now)
    await sql`insert into campaigns (id, workspace, name, state, segment, run_epoch, created_at, started_at, updated_at)
      values (${campaign}, ${id}, '', 'running', ${segment}, 1, ${now}, ${now}, ${now})`.execute(db)
    const people = (from: number, to: number) =>
      sql`insert into people (id, workspace, name, created_at, updated_at)
        select 'per_' || lpad(i::text, 8, '0') || ${tag}, ${id}, '', ${now}, ${now}
        from generate_series(${from}::int, ${to}::int) i`.execute(db)
    const join = (from: number, to: number, on: Db = db) =>
      sql`insert into segment_people (segment, person, matches, version, at)
        select ${segment}, 'per_' || lpad(i::text, 8, '0') || ${tag}, true, 1, ${now}
        from generate_series(${from}::int, ${to}::int) i`.execute(on)
    const plan = (limit = 1000, also = async (_: Trx) => {}) =>
      db.transaction().execute(async (trx) => {
        await also(trx)
        const locked = await lockForPlanning(trx, campaign, 1)
        if (!locked) throw new Error('it does not run')
        await goOnLeaving(trx, locked, now)
        const seen = await planFirstLetters(trx, locked, now, limit)
        await also(trx)
        return seen
      })
    const planAll = async () => {
      for (let n = 0; n < 100; n++) if ((await plan()) === 0) return
    }
    const letters = async () =>
      (
        await db
          .selectFrom('touches')
          .select(['person', 'state', 'reason'])
          .where('campaign', '=', campaign)
          .orderBy('person')
          .execute()
      ).map((row) =>
        [Number(row.person.slice(4, 12)), row.state, row.reason ?? ''].join(' ').trim(),
      )
    const changes = (work: (trx: Trx) => Promise<unknown>) =>
      db.transaction().execute(async (trx) => {
        await lockSegment(trx, id, segment)
        await work(trx)
      })
    return {
      id,
      tag,
      call,
      now,
      segment,
      campaign,
      of,
      people,
      join,
      plan,
      planAll,
      letters,
      changes,
    }
  }

  it('costs the same for each batch, the first and the last of many', async () => {
    const { id, segment, plan } = await given()
    const batches = 30
    const size = 1000
    // So many that no table of them is read as a whole because it is small. They come without their triggers, which take long.
    await withClient(await superuser(), async (client) => {
      await client.query('set session_replication_role = replica')
      await client.query(
        `insert into people (id, workspace, name, created_at, updated_at)
          select 'per_many' || i, $1, '', now(), now() from generate_series(1, $2::int) i`,
        [id, batches * size],
      )
      await client.query(
        `insert into segment_people (segment, person, matches, version, at, joined)
          select $1, 'per_many' || i, true, 1, now(), i from generate_series(1, $2::int) i`,
        [segment, batches * size],
      )
      await client.query('analyze people, segment_people')
    })
    type Counted = { read: number; written: number }
    const counted: Counted[] = []
    let before: Counted | undefined
    // A process adds up what it has counted since it last told the others, so two counts are compared.
    const count = async (trx: Trx) => {
      const { rows } = await sql<{ read: number; written: number }>`
        select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read, sum(n_tup_ins + n_tup_upd)::int as written
        from pg_stat_xact_user_tables`.execute(trx)
      const [now] = rows as [Counted]
      if (before)
        counted.push({ read: now.read - before.read, written: now.written - before.written })
      before = before ? undefined : now
    }
    for (let n = 0; n < batches; n++) equal(await plan(size, count), size)
    equal(await plan(size, count), 0)
    const [first, last, none] = [counted[1], counted[batches - 1], counted[batches]]
    ok(first && last && none)
    equal(last.written, first.written)
    ok(last.read <= first.read * 1.1 && last.read < 10 * size, JSON.stringify(counted))
    ok(none.read < 20 && none.written === 0, JSON.stringify(none))
  })

  it('plans for everybody once, also for those who join later with smaller ids', async () => {
    const { people, join, planAll, letters } = await given()
    await people(1, 30)
    await join(11, 20)
    await planAll()
    await join(1, 5)
    await join(25, 30)
    await planAll()
    await planAll()
    deepEqual(
      await letters(),
      [1, 2, 3, 4, 5, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 25, 26, 27, 28, 29, 30].map(
        (n) => `${n} queued`,
      ),
    )
  })

  it('waits for whoever is joining, so that nobody is behind its place once they have committed', async () => {
    const { people, join, plan, letters } = await given()
    await people(1, 2)
    const [joined, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = service.db.transaction().execute(async (trx) => {
      await join(1, 1, trx)
      joined.resolve()
      await commit.promise
    })
    await joined.promise
    // Not even one that takes no lock of its own goes past it.
    await join(2, 2)
    const planning = plan()
    await eventually(
      async () =>
        (
          await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(service.db)
        ).rows[0]?.n,
      (n) => n === 1,
    )
    commit.resolve()
    await slow
    equal(await planning, 2)
    deepEqual(await letters(), ['1 queued', '2 queued'])
  })

  it('plans again for people who have left and come back', async () => {
    const { people, join, planAll, letters, changes, segment, of, now } = await given()
    await people(1, 3)
    await join(1, 3)
    await planAll()
    await changes(async (trx) => {
      await takeOut(trx, segment, of(2), now)
      await leave(trx, segment, [of(2)], now)
    })
    deepEqual(await letters(), ['1 queued', '2 failed left_segment', '3 queued'])
    await planAll()
    deepEqual(await letters(), ['1 queued', '2 failed left_segment', '3 queued'])
    await changes((trx) => addPeopleByHand(trx, segment, [of(2)], now))
    await planAll()
    deepEqual(await letters(), ['1 queued', '2 queued', '3 queued'])
  })

  it('plans for members of an earlier release, who have no numbers, and for those who join meanwhile', async () => {
    const { people, join, plan, planAll, letters, segment } = await given()
    await people(1, 25)
    await join(1, 20)
    await sql`update segment_people set joined = null where segment = ${segment}`.execute(
      service.db,
    )
    equal(await plan(15), 15)
    await join(21, 25)
    await planAll()
    equal((await letters()).length, 25)
  })

  it('begins anew where the campaign has another segment, and goes back to one it had', async () => {
    const { people, join, planAll, letters, campaign, segment, id, now } = await given()
    await people(1, 6)
    await join(1, 3)
    await planAll()
    const other = newId('seg')
    await insertSegment(other, id, now)
    await sql`insert into segment_people (segment, person, matches, version, at)
      select ${other}, id, true, 1, ${now} from people where workspace = ${id} and id >= ${person(3)}`.execute(
      service.db,
    )
    const moveTo = (to: string) =>
      service.db.transaction().execute(async (trx) => {
        await updateCampaign(trx, campaign, { segment: to }, now)
        await beginLeaving(trx, campaign, now)
      })
    await moveTo(other)
    await planAll()
    deepEqual(await letters(), [
      '1 failed left_segment',
      '2 failed left_segment',
      ...[3, 4, 5, 6].map((n) => `${n} queued`),
    ])
    await moveTo(segment)
    await planAll()
    deepEqual(await letters(), [
      ...[1, 2, 3].map((n) => `${n} queued`),
      ...[4, 5, 6].map((n) => `${n} failed left_segment`),
    ])
    // There and back before anybody was planned for.
    await moveTo(other)
    await moveTo(segment)
    await planAll()
    deepEqual(await letters(), [
      ...[1, 2, 3].map((n) => `${n} queued`),
      ...[4, 5, 6].map((n) => `${n} failed left_segment`),
    ])
  })

  it('goes on for a member whose card gets the letters of one that had left', async () => {
    const { call, people, join, planAll, letters, changes, segment, campaign, of, now } =
      await given()
    await people(1, 2)
    await join(1, 2)
    await planAll()
    await sql`with first as (
        update touches set state = 'sent', sent_at = ${now} where campaign = ${campaign} and person = ${of(1)} returning *)
      insert into touches (id, workspace, campaign, person, place, state, due_at, created_at)
        select id || 2, workspace, campaign, person, 2, 'queued', due_at, created_at from first`.execute(
      service.db,
    )
    await changes(async (trx) => {
      await takeOutOf(trx, segment, of(1))
      await leave(trx, segment, [of(1)], now)
    })
    deepEqual(await letters(), ['1 sent', '1 failed left_segment', '2 queued'])
    equal((await call('POST', `/people/${of(2)}/merge`, { from: [of(1)] })).status, 200)
    await planAll()
    deepEqual((await letters()).sort(), ['2 failed skipped', '2 queued', '2 sent'])
  })

  it('writes to nobody again whose card was merged by mistake and split off again', async () => {
    const { call, people, join, planAll, letters, campaign, of, now, tag } = await given()
    await people(1, 2)
    await join(1, 2)
    const email = (n: number) => `${n}-${tag}@client.example`
    for (const n of [1, 2])
      equal((await call('POST', '/people', { into: of(n), email: email(n) })).status, 200)
    await planAll()
    await sql`update touches set state = 'sent', sent_at = ${now},
      to_address = case person when ${of(1)} then ${email(1)} else ${email(2)} end
      where campaign = ${campaign}`.execute(service.db)
    await sql`insert into touches (id, workspace, campaign, person, place, state, due_at, created_at)
      select id || 2, workspace, campaign, person, 2, 'queued', due_at, created_at from touches
      where campaign = ${campaign} and person = ${of(1)}`.execute(service.db)
    equal((await call('POST', `/people/${of(1)}/merge`, { from: [of(2)] })).status, 200)
    const apart = await call('POST', `/people/${of(1)}/split`, { emails: [email(2)] })
    equal(apart.status, 200, apart.text)
    await planAll()
    const found = await service.db
      .selectFrom('touches')
      .select(['person', 'place', 'state', 'toAddress'])
      .where('campaign', '=', campaign)
      .execute()
    const names = new Map([
      [of(1), 'first'],
      [apart.body.id, 'second'],
    ])
    deepEqual(
      found
        .map((t) => [names.get(t.person), t.place, t.state, t.toAddress ?? ''].join(' ').trim())
        .sort(),
      [`first 1 sent ${email(1)}`, 'first 2 queued', `second 1 sent ${email(2)}`],
    )
    equal((await letters()).length, 3)
  })

  it('counts members once, whether they have letters yet or not, and those who left with a letter', async () => {
    const { people, join, plan, planAll, changes, segment, campaign, of, id, now } = await given()
    const { db } = service
    /** Members, and people who have a letter without having left before it went. */
    const everybody = async () => {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from (
        select person from segment_people where segment = ${segment} and (matches or by_hand)
        union select person from touches where campaign = ${campaign} and place = 1
          and reason is distinct from 'left_segment') everyone`.execute(db)
      return rows[0]?.n
    }
    const counted = async (expected: number) => {
      const row = await findCampaign(db, id, campaign)
      if (!row) throw new Error('it is gone')
      deepEqual([(await countProgress(db, row)).people, await everybody()], [expected, expected])
    }
    await people(1, 30)
    await counted(0)
    await join(1, 20)
    await counted(20)
    await plan(5)
    await counted(20)
    await planAll()
    await counted(20)
    await join(21, 25)
    await counted(25)
    await sql`update touches set state = 'sent', sent_at = ${now} where campaign = ${campaign} and person = ${of(3)}`.execute(
      db,
    )
    await changes(async (trx) => {
      for (const n of [2, 3, 22]) await takeOut(trx, segment, of(n), now)
      await leave(trx, segment, [of(2), of(3), of(22)], now)
    })
    await counted(23)
    await planAll()
    await counted(23)
    await changes((trx) => addPeopleByHand(trx, segment, [of(2), of(3), of(22)], now))
    await counted(25)
    await planAll()
    await counted(25)
    const other = newId('seg')
    await insertSegment(other, id, now)
    await updateCampaign(db as Trx, campaign, { segment: other }, now)
    await beginLeaving(db as Trx, campaign, now)
    await updateCampaign(db as Trx, campaign, { segment }, now)
    await counted(25)
    await sql`update segment_people set joined = null where segment = ${segment} and person <= ${person(10)}`.execute(
      db,
    )
    await counted(25)
  })

  it('ends the letters of many who have left, batch by batch, each at the same cost', async () => {
    const { people, join, planAll, letters, campaign, segment, now, plan } = await given()
    const size = 2_600
    await people(1, size)
    await join(1, size)
    await planAll()
    await sql`insert into touches (id, workspace, campaign, person, place, state, due_at, created_at)
      select id || follow, workspace, campaign, person, follow, 'queued', due_at, created_at
      from touches, unnest(array[2, 3]) as follow where campaign = ${campaign}`.execute(service.db)
    await sql`delete from segment_people where segment = ${segment} and person >= ${person(101)}`.execute(
      service.db,
    )
    await service.db.transaction().execute((trx) => beginLeaving(trx, campaign, now))
    const leftTo = () =>
      service.db
        .selectFrom('campaigns')
        .select('leftTo')
        .where('id', '=', campaign)
        .executeTakeFirstOrThrow()
    ok((await leftTo()).leftTo)
    for (let n = 0; n < 20 && (await leftTo()).leftTo !== null; n++) await plan()
    const ended = (await letters()).filter((line) => line.endsWith('left_segment'))
    equal(ended.length, 3 * (size - 100))
    equal((await leftTo()).leftTo, null)
  })

  it('ends as many letters in a call, however many campaigns the segment has', async () => {
    const { people, join, planAll, campaign, segment, id, now, changes } = await given()
    const { db } = service
    const size = 3_000
    await people(1, size)
    await join(1, size)
    await planAll()
    const others = [newId('cmp'), newId('cmp')]
    for (const other of others) {
      await sql`insert into campaigns (id, workspace, name, state, segment, run_epoch, created_at, started_at, updated_at)
        values (${other}, ${id}, '', 'running', ${segment}, 1, ${now}, ${now}, ${now})`.execute(db)
      await sql`insert into touches (id, workspace, campaign, person, place, state, due_at, created_at)
        select id || ${other}, workspace, ${other}, person, place, state, due_at, created_at
        from touches where campaign = ${campaign}`.execute(db)
    }
    await sql`delete from segment_people where segment = ${segment}`.execute(db)
    const ended = async () =>
      Number(
        (
          await db
            .selectFrom('touches')
            .select(sql<string>`count(*)`.as('n'))
            .where('workspace', '=', id)
            .where('reason', '=', 'left_segment')
            .executeTakeFirstOrThrow()
        ).n,
      )
    await changes((trx) => leaveAll(trx, segment, now))
    const first = await ended()
    ok(first > 4_000 && first <= 20 * 250, `${first}`)
    let isLeft = true
    for (let before = await ended(); isLeft; before = await ended()) {
      await changes(async (trx) => {
        isLeft = await goOnLeavingAll(trx, segment, now)
      })
      ok((await ended()) - before <= 250)
    }
    equal(await ended(), 3 * size)
  })
})
