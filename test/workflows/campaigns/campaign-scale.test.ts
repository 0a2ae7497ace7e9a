import { equal, ok } from 'node:assert/strict'
import { sql } from 'kysely'
import { runCampaignActivities } from '../../../activities/campaigns/run-campaign.ts'
import { findCampaignFacts, findRun, type Run } from '../../../db/campaigns/facts.ts'
import { readNextTouch } from '../../../db/campaigns/next-touch.ts'
import { newId } from '../../../db/ids.ts'
import { createLog } from '../../../process/telemetry/log.ts'
import { paceOf } from '../../../rules/pace.ts'
import { secretKey } from '../../support/given.ts'
import { startService, type TestService } from '../../support/service.ts'

// What a large campaign costs in Postgres. The bounds are those of a slow machine: they are there to catch a plan that
// grows quadratically, which took minutes. SCALE_PEOPLE=100000 prints the figures.

const people = Number(process.env['SCALE_PEOPLE'] ?? 20_000)
const perPersonMs = 0.05
const step = 100 + people * perPersonMs
const read = 500 + people * perPersonMs

describe(`a campaign of ${people} people`, function () {
  this.timeout(60_000 + people * 5)
  let service: TestService
  let workspace: Awaited<ReturnType<TestService['workspace']>>
  const [segment, campaign] = [newId('seg'), newId('cmp')]
  const figures: Record<string, string> = {}

  before(async () => {
    service = await startService()
    workspace = await service.workspace()
    const { db } = service
    const now = service.clock.now()
    const { id, agent, connections } = workspace
    const numbers = sql`generate_series(1, ${people}::int) i`
    const person = sql`'per_' || lpad(i::text, 8, '0')`
    await sql`insert into people (id, workspace, name, created_at, updated_at)
      select ${person}, ${id}, 'Person ' || i, ${now}, ${now} from ${numbers}`.execute(db)
    await sql`insert into addresses (workspace, kind, value, given, person, position)
      select ${id}, 'email', 'p' || i || '@client.example', '', ${person}, 0 from ${numbers}`.execute(
      db,
    )
    await sql`insert into segments (id, workspace, name, query, rules, created_at, updated_at)
      values (${segment}, ${id}, 'All', 'everyone', '[]', ${now}, ${now})`.execute(db)
    await sql`insert into segment_people (segment, person, matches, version, at)
      select ${segment}, ${person}, true, 1, ${now} from ${numbers}`.execute(db)
    await sql`insert into campaigns (id, workspace, name, state, segment, agent, senders, run_epoch, created_at,
        started_at, updated_at)
      values (${campaign}, ${id}, 'Large', 'running', ${segment}, ${agent}, ${connections}, 1, ${now}, ${now}, ${now})`.execute(
      db,
    )
    await sql`insert into campaign_letters (campaign, place, subject, text, agreed, written_at)
      select ${campaign}, place, '', '', true, ${now} from generate_series(1, 3) place`.execute(db)
  })
  after(async () => {
    await service.close()
    if (process.env['SCALE_PEOPLE']) console.table(figures)
  })

  const input = { operation: 'wsp:none', campaign, epoch: 1 }
  const activities = () =>
    runCampaignActivities({
      db: service.db,
      clock: service.clock,
      log: createLog('test', 'silent'),
      secretKey,
      publicUrl: service.url,
      crash: () => {},
      workflowState: async () => 'running',
    })

  /** The slowest of three, so that a plan which is only good when warm is caught. */
  async function within(what: string, ms: number, run: () => Promise<unknown>) {
    let slowest = 0
    for (let i = 0; i < 3; i++) {
      const begun = performance.now()
      await run()
      slowest = Math.max(slowest, performance.now() - begun)
    }
    figures[what] = `${slowest.toFixed(0)} ms`
    ok(slowest < ms, `${what} took ${slowest.toFixed(0)} ms`)
  }
  const readCampaign = async () => {
    const { status, text } = await workspace.call('GET', `/campaigns/${campaign}`)
    equal(status, 200, text)
  }
  /** What a sitting reads before a letter: the facts of the campaign, and the letter. */
  const next = (isFound: boolean) => async () => {
    const { db, clock } = service
    const now = clock.now()
    const facts = await findCampaignFacts(db, (await findRun(db, campaign)) as Run, now)
    const { agreed, behind } = facts
    const connections = paceOf(facts, now).senders
    const letter = await readNextTouch(db, { campaign, agreed, connections, behind, now })
    equal(letter !== undefined, isFound)
  }

  it('plans the first letters, a batch at a time', async () => {
    const begun = performance.now()
    let slowest = 0
    for (let more = 1; more > 0; ) {
      const at = performance.now()
      more = await activities().planLetters(input)
      slowest = Math.max(slowest, performance.now() - at)
    }
    figures['all letters planned'] = `${(performance.now() - begun).toFixed(0)} ms`
    figures['the slowest activity'] = `${slowest.toFixed(0)} ms`
    ok(slowest < 5_000, `an activity took ${slowest.toFixed(0)} ms`)
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from touches where campaign = ${campaign}`.execute(service.db)
    equal(rows[0]?.n, people)
    await within('planning nobody', step, () => activities().planLetters(input))
  })

  it('finds the next letter right after planning, while Postgres knows nothing of the rows', async () => {
    await within('next step, all queued', step, next(true))
    await within('GET campaign, all queued', read, readCampaign)
  })

  it('finds the next letter when half are sent and their follow-ups wait', async () => {
    const { db } = service
    const now = service.clock.now()
    const [first, second] = workspace.connections
    await sql`insert into conversations (id, workspace, person, connection, kind, last_message_at, waiting_since)
      select 'cnv_' || t.id, workspace, person, case when right(person, 1)::int < 5 then ${first} else ${second} end,
        'email', ${now}, ${now} from touches t where campaign = ${campaign} and right(person, 2)::int < 50`.execute(
      db,
    )
    await sql`update touches set state = 'sent', sent_at = ${now}, connection = c.connection, conversation = c.id,
        claimed_day = '2026-11-20'
      from conversations c where c.person = touches.person and campaign = ${campaign}`.execute(db)
    await sql`insert into messages (id, workspace, conversation, direction, sender_handle, at, state)
      select 'msg_' || t.id, t.workspace, conversation, 'inbound', a.value, sent_at, 'received'
      from touches t join addresses a on a.person = t.person
      where campaign = ${campaign} and t.state = 'sent' and right(t.person, 2)::int < 5`.execute(db)
    await sql`insert into touches (id, workspace, campaign, person, place, state, due_at, connection, conversation, created_at)
      select id || 'b', workspace, campaign, person, 2, 'queued', ${now}, connection, conversation, ${now}
      from touches where campaign = ${campaign} and state = 'sent'`.execute(db)
    await within('next step, half sent', step, next(true))
    await within('GET campaign, half sent', read, readCampaign)
    const { body } = await workspace.call('GET', `/campaigns/${campaign}`)
    equal(body.campaign.progress.replied, people / 20)
  })

  it('finds that nobody is left when all letters are sent', async () => {
    await sql`update touches set state = 'sent', sent_at = ${service.clock.now()} where campaign = ${campaign}`.execute(
      service.db,
    )
    await within('next step, all sent', step, next(false))
    await within('GET campaign, all sent', read, readCampaign)
    for (const state of ['queued', 'sent', 'failed'])
      await within(`GET touches ${state}`, step, () =>
        workspace.call('GET', `/campaigns/${campaign}/touches?state=${state}`),
      )
  })

  it('ends at once with everything still queued', async () => {
    await sql`update touches set state = 'queued' where campaign = ${campaign}`.execute(service.db)
    const begun = performance.now()
    const { status, body } = await workspace.call('POST', `/campaigns/${campaign}/state`, {
      to: 'done',
    })
    const ms = performance.now() - begun
    figures['POST state done, all queued'] = `${ms.toFixed(0)} ms`
    equal(status, 200)
    equal(body.funnel.queued, 0)
    ok(ms < 20_000, `it took ${ms.toFixed(0)} ms`)
  })
})
