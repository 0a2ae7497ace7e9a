import { equal, ok } from 'node:assert/strict'
import { sql } from 'kysely'
import { readNextTouch } from '../../../db/campaigns/next-touch.ts'
import { lockForClaim } from '../../../db/campaigns/touch-sending.ts'
import { findTouch } from '../../../db/campaigns/touches.ts'
import { newId } from '../../../db/ids.ts'
import { withClient } from '../../../dev/stack/postgres.ts'
import { type GivenCampaign, givenCampaign } from '../../support/given-campaign.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { startService, type TestService } from '../../support/service.ts'

const sent = 300

describe('a campaign that has sent hundreds of letters', () => {
  let service: TestService
  let mail: MailSink
  let given: GivenCampaign
  const queued = newId('tch')
  before(async () => {
    service = await startService()
    mail = await testMail()
    given = await givenCampaign(service, mail, { people: sent + 1, places: [] })
    const { id: workspace, campaign, people } = given
    const at = service.clock.now()
    const of = { workspace, campaign, place: 1 as const, dueAt: at, createdAt: at }
    const rows = people.map((person, i) => {
      const id = i < sent ? newId('tch') : queued
      return { ...of, id, person, state: 'queued' as const }
    })
    await service.db.insertInto('touches').values(rows).execute()
    // As it is while a campaign runs: what Postgres knows of the letters is from when none had been sent.
    await withClient(service.ownerUrl, (client) => client.query('analyze touches'))
    const gone = { state: 'sent' as const, sentAt: at }
    await service.db.updateTable('touches').set(gone).where('id', '!=', queued).execute()
  })
  after(async () => {
    await mail.stop()
    await service.close()
  })

  it('finds the next one without planning anew for every letter', async () => {
    const { campaign, connections } = given
    const plans = await service.db.connection().execute(async (db) => {
      const now = service.clock.now()
      const free = { campaign, agreed: [1], connections: [...connections], behind: [], now }
      for (let i = 0; i < 12; i++) equal((await readNextTouch(db, free))?.id, queued)
      const { rows } = await sql<{ generic: number; custom: number }>`
        select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements
        where statement like '%unnest(%as place%' and statement not like '%pg_prepared_statements%'`.execute(
        db,
      )
      return rows[0]
    })
    // Postgres compares five plans that are made for the values with one that is kept.
    ok(plans && plans.custom <= 5 && plans.generic >= 5, JSON.stringify(plans))
  })

  it('claims one without reading those that were sent to others', async () => {
    const touch = await findTouch(service.db, queued)
    const connection = given.connections[0] as string
    const toAddress = given.emails[sent] as string
    ok(touch)
    const read = await service.db.transaction().execute(async (trx) => {
      const counted = async () => {
        const { rows } = await sql<{
          read: number
        }>`select (seq_tup_read + idx_tup_fetch)::int as read
          from pg_stat_xact_user_tables where relname = 'touches'`.execute(trx)
        return rows[0]?.read ?? 0
      }
      const before = await counted()
      const at = {
        epoch: 0,
        connection,
        day: '2026-01-01',
        monday: '2026-01-01',
        now: new Date(),
      }
      ok((await lockForClaim(trx, { ...touch, toAddress }, at)).obstacles)
      return (await counted()) - before
    })
    ok(read < 10, `${read} letters were read`)
  })
})
