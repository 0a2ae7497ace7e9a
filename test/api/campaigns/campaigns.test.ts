import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { CampaignState } from '../../../rules/campaign.ts'
import { givenCampaign } from '../../support/campaigns.ts'
import { startService, type TestService } from '../../support/service.ts'
import { countStatements, listed } from '../../support/statements.ts'

// What the calls on campaigns themselves decide; nothing is sent here.

describe('campaigns', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  const given = (state?: CampaignState) => givenCampaign(service, state)
  const codes = (missing: { field: string; code: string }[]) =>
    missing.map(({ field, code }) => `${field} ${code}`)
  const unagreed = [
    'letters letter_not_agreed',
    'letters letter_not_agreed',
    'letters letter_not_agreed',
  ]

  describe('GET /campaigns', () => {
    it('reads for each of its campaigns what the list shows, and nothing of the letters', async () => {
      const { call } = await service.workspace()
      for (let n = 0; n < 6; n++) await call('POST', '/campaigns', { name: `No. ${n}` })
      const counter = countStatements(service.databaseUrl)
      const read = async (limit: number) => {
        counter.take()
        const { campaigns } = (await call('GET', `/campaigns?limit=${limit}`)).body
        equal(campaigns.length, limit)
        return counter.take().filter(({ unit }) => unit === 'GET /campaigns')
      }
      const [one, six] = [await read(1), await read(6)]
      counter.stop()
      deepEqual(
        six.filter(({ sql }) => /from "campaign_(templates|letters)"/.test(sql)),
        [],
      )
      equal((six.length - one.length) / 5, 4, listed(six))
    })
  })

  describe('POST /campaigns', () => {
    it('creates a draft that lists what it lacks, and answers what the read shows', async () => {
      const { call } = await service.workspace()
      const { status, body } = await call('POST', '/campaigns', {})
      equal(status, 200)
      const { id, state, ...shown } = body
      match(id, /^cmp_/)
      equal(state, 'draft')
      deepEqual((await call('GET', `/campaigns/${id}`)).body, shown)
      const { missing, term, ...campaign } = shown.campaign
      deepEqual(campaign, {
        id,
        name: '',
        goal: '',
        kind: 'outreach',
        state: 'draft',
        segment: '',
        agent: '',
        senders: [],
        people: 0,
        addRules: [],
        rules: [],
        places: 3,
        waitDays: [3, 5],
        materials: [],
        progress: { people: 0, written: 0, replied: 0, declined: 0, interested: 0, meetings: 0 },
        sending: { now: false, blockedBy: 'draft', nextAt: null, endsAt: null },
      })
      deepEqual(codes(missing), ['segment segment_missing', 'agent agent_missing', ...unagreed])
      for (const { message } of missing) ok(message)
      match(term.ends, /^\d{4}-\d\d-\d\d$/)
      equal(term.approx, true)
      ok(Number.isInteger(term.weeks))
      deepEqual(shown.letters, [])
      deepEqual(shown.funnel, {
        people: 0,
        queued: 0,
        review: 0,
        sending: 0,
        sent: 0,
        failed: 0,
        replied: 0,
        interested: 0,
        declined: 0,
        meetings: 0,
        skipped: 0,
      })
    })

    it('uses the goal as its name unless a name is given', async () => {
      const { call } = await service.workspace()
      const named = async (body: object) =>
        (await call('POST', '/campaigns', body)).body.campaign.name
      equal(await named({ goal: 'Book a demo' }), 'Book a demo')
      equal(await named({ goal: 'Book a demo', name: null }), 'Book a demo')
      equal(await named({ goal: 'Book a demo', name: 'Spring' }), 'Spring')
    })

    it('names an unknown id, also one of another workspace', async () => {
      const { call } = await service.workspace()
      const theirs = await given()
      for (const [member, id] of [
        ['segment', theirs.segment],
        ['agent', theirs.agent],
        ['agent', 'agt_none'],
      ] as const) {
        const { status, body } = await call('POST', '/campaigns', { [member]: id })
        equal(`${status} ${body.code}`, '422 validation_failed')
        deepEqual(body.errors[0].pointer, `/${member}`)
      }
    })
  })

  describe('POST /campaigns/{id}/state', () => {
    const moves: Record<CampaignState, CampaignState[]> = {
      draft: ['running'],
      running: ['paused', 'done'],
      paused: ['running', 'done'],
      done: [],
    }
    for (const [from, allowed] of Object.entries(moves) as [CampaignState, CampaignState[]][])
      it(`moves ${from} to ${allowed.join(' and ') || 'no other state'}`, async () => {
        for (const to of ['running', 'paused', 'done'] as const) {
          const { move, actions, read, id } = await given(from)
          const before = (await actions()).length
          const { status, body, text } = await move(to)
          const lines = (await actions()).length - before
          if (to === from || allowed.includes(to)) {
            equal(status, 200, text)
            const { id: its, state, inFlight, ...shown } = body
            deepEqual({ its, state, inFlight }, { its: id, state: to, inFlight: 0 })
            deepEqual(Object.keys(shown).sort(), [
              'campaign',
              'funnel',
              'letters',
              'templates',
              'variants',
            ])
            equal(shown.campaign.state, to)
            equal((await read()).campaign.state, to)
            equal(lines, to === from ? 0 : 1)
          } else {
            equal(`${status} ${body.code}`, '409 invalid_state')
            deepEqual([body.state, body.allowed], [from, allowed])
            equal((await read()).campaign.state, from)
            equal(lines, 0)
          }
        }
      })

    it('raises the epoch with each move, and not when the state stays the same', async () => {
      const { move, id } = await given()
      const epochs = []
      for (const to of ['running', 'running', 'paused', 'paused', 'running', 'done', 'done']) {
        await move(to)
        const { runEpoch } = await service.db
          .selectFrom('campaigns')
          .select('runEpoch')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        epochs.push(runEpoch)
      }
      deepEqual(epochs, [1, 1, 2, 2, 3, 4, 4])
    })

    it('does not start without a segment or an agent', async () => {
      const { call, agent } = await given()
      for (const [body, lacking] of [
        [{}, ['/segment', '/agent']],
        [{ agent }, ['/segment']],
      ] as const) {
        const { body: made } = await call('POST', '/campaigns', body)
        const key = randomUUID()
        const path = `/campaigns/${made.id}/state`
        const reply = await call('POST', path, { to: 'running' }, { key })
        equal(`${reply.status} ${reply.body.code}`, '409 campaign_incomplete')
        deepEqual(
          reply.body.errors.map(({ pointer }: { pointer: string }) => pointer),
          lacking,
        )
        equal((await call('POST', path, { to: 'running' }, { key })).text, reply.text)
      }
    })

    it('starts even if other things are missing, saves a draft segment and queues the first letters', async () => {
      const { move, call, segment, connections, agent } = await given()
      await service.db
        .updateTable('connections')
        .set({ alive: false })
        .where('id', 'in', connections)
        .execute()
      await call('PATCH', `/agents/${agent}`, { enabled: false })
      equal((await call('GET', `/segments/${segment}`)).body.saved, false)
      const { status, body } = await move('running')
      equal(status, 200)
      equal((await call('GET', `/segments/${segment}`)).body.saved, true)
      deepEqual(codes(body.campaign.missing), [
        'agent agent_disabled',
        'senders no_sender',
        ...unagreed,
      ])
      equal(body.campaign.sending.blockedBy, 'no_agent')
      equal(body.campaign.sending.now, false)
      equal(body.funnel.queued, 3)
    })

    it('fails what is queued or in review when it is done', async () => {
      const { move, call, id } = await given()
      await move('running')
      const { body } = await move('done')
      const { queued, failed, skipped } = body.funnel
      deepEqual([queued, failed, skipped], [0, 0, 3])
      const { touches } = (await call('GET', `/campaigns/${id}/touches`)).body
      for (const touch of touches) equal(`${touch.state} ${touch.reason}`, 'failed done')
      equal((await call('GET', `/campaigns/${id}/touches?state=queued`)).body.touches.length, 0)
    })

    it('needs send to start and to resume, not to pause or end', async () => {
      const { move, tokenWith } = await given()
      const token = await tokenWith(['campaigns:write'])
      for (const to of ['running', 'draft', '', ' running']) {
        const { status, body } = await move(to, { token })
        equal(status, 403)
        deepEqual(body.scopes, ['send', 'campaigns:write'])
      }
      equal((await move('running')).status, 200)
      equal((await move('paused', { token })).status, 200)
      equal((await move('done', { token })).status, 200)
      equal((await move('draft')).body.code, 'validation_failed')
    })
  })

  describe('sending', () => {
    const blocked = async (room: Awaited<ReturnType<typeof givenCampaign>>) =>
      (await room.read()).campaign.sending

    it('says what holds a campaign, and until when', async () => {
      const room = await given()
      await room.move('running')
      equal((await blocked(room)).blockedBy, 'review')
      await room.letters(true)
      deepEqual(codes((await room.read()).campaign.missing), [])
      const free = await blocked(room)
      deepEqual([free.now, free.blockedBy], [true, null])
      ok(free.endsAt)

      const { db } = service
      const connections = db.updateTable('connections').where('workspace', '=', room.workspace)
      await connections.set({ health: 'restricted' }).execute()
      equal((await blocked(room)).blockedBy, 'health')
      await connections.set({ health: 'caution', limitDay: 0 }).execute()
      equal((await blocked(room)).blockedBy, 'day_limit')
      equal((await blocked(room)).nextAt, '2026-11-23T23:00:00.000Z')
      await connections.set({ health: 'normal', limitDay: 50, limitWeek: 0 }).execute()
      equal((await blocked(room)).blockedBy, 'week_limit')
      equal((await blocked(room)).nextAt, '2026-11-29T23:00:00.000Z')
      await connections
        .set({ limitWeek: 250, gapSeconds: 600, lastClaimAt: service.clock.now() })
        .execute()
      equal((await blocked(room)).blockedBy, 'gap')
      await connections.set({ gapSeconds: 0, problem: 'smtp_unreachable' }).execute()
      equal((await blocked(room)).blockedBy, 'provider')
      await connections.set({ problem: null }).execute()

      await room.call('PATCH', `/agents/${room.agent}`, { hours: { from: '03:00', to: '04:00' } })
      deepEqual((await blocked(room)).blockedBy, 'hours')
      equal((await blocked(room)).nextAt, '2026-11-24T02:00:00.000Z')
      await room.call('PATCH', `/agents/${room.agent}`, { hours: { from: '00:00', to: '24:00' } })

      await room.move('paused')
      equal((await blocked(room)).blockedBy, 'paused')
      await room.move('done')
      equal((await blocked(room)).blockedBy, 'done')
    })
  })
})
