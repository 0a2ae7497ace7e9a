import { deepEqual, equal } from 'node:assert/strict'
import { MockActivityEnvironment } from '@temporalio/testing'
import { sql } from 'kysely'
import { syncCalendarsActivities } from '../../../activities/calendar/sync-calendars.ts'
import type { Deps } from '../../../activities/deps.ts'
import { listCalendarsToRead } from '../../../db/calendar/calendars.ts'
import { createLog } from '../../../process/telemetry/log.ts'
import { secretKey } from '../../support/given.ts'
import { startService } from '../../support/service.ts'

describe('calendars on other servers', function () {
  this.timeout(60_000)

  it('are read in turn, and one that cannot be read keeps none of the others from it', async () => {
    const service = await startService()
    try {
      const { db, clock } = service
      const { id, member } = await service.workspace()
      await sql`insert into calendars (id, workspace, name, member, caldav, secrets)
        select 'cal_' || i, ${id}, '', ${member}, '{"url": "http://127.0.0.1:9/", "user": "u"}',
          case when i = 1 then 'unreadable' end
        from generate_series(1, 5) i`.execute(db)
      const { syncCalendars } = syncCalendarsActivities({
        db,
        clock,
        secretKey,
        log: createLog('test', 'silent'),
      } as unknown as Deps)
      await new MockActivityEnvironment().run(syncCalendars)
      const rows = await db
        .selectFrom('calendars')
        .select(['triedAt', 'problem'])
        .orderBy('id')
        .execute()
      equal(rows.filter(({ triedAt }) => triedAt !== null).length, 5)
      equal(
        rows.slice(1).every(({ problem }) => problem !== null),
        true,
      )
      await sql`update calendars set tried_at = tried_at - interval '1 hour' where id = 'cal_4'`.execute(
        db,
      )
      await sql`update calendars set tried_at = null where id = 'cal_2'`.execute(db)
      const due = await listCalendarsToRead(db, new Date(clock.now().getTime() + 1000), 2)
      deepEqual(
        due.map((calendar) => calendar.id),
        ['cal_2', 'cal_4'],
      )
    } finally {
      await service.close()
    }
  })
})
