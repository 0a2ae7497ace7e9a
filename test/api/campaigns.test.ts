import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { newId } from '../../db/ids.ts'
import type { CampaignState } from '../../db/schema.ts'
import { givenCards } from '../support/segments.ts'
import { startService, type TestService } from '../support/service.ts'

// What the calls on campaigns decide by themselves; nothing is sent here.

describe('campaigns', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  /** A workspace with three people in a segment, and a complete campaign in a state. */
  async function given(state: CampaignState = 'draft') {
    const room = await givenCards(service, [{ name: 'Ada' }, { name: 'Ben' }, { name: 'Cem' }])
    const { db, clock } = service
    const segment = newId('seg')
    const now = clock.now()
    const row = { id: segment, workspace: room.workspace, name: 'S', query: 'q', rules: '[]' }
    await db
      .insertInto('segments')
      .values({ ...row, createdAt: now, updatedAt: now })
      .execute()
    const people = ['Ada', 'Ben', 'Cem'].map(room.idOf)
    await db
      .insertInto('segmentPeople')
      .values(people.map((person) => ({ segment, person, matches: true, version: 1, at: now })))
      .execute()
    const { body } = await room.call('POST', '/campaigns', {
      name: 'Spring',
      goal: 'Book a demo',
      segment,
      agent: room.agent,
    })
    const id: string = body.id
    if (state !== 'draft')
      await db.updateTable('campaigns').set({ state }).where('id', '=', id).execute()
    return {
      ...room,
      segment,
      id,
      read: async () => (await room.call('GET', `/campaigns/${id}`)).body,
      patch: (edit: object) => room.call('PATCH', `/campaigns/${id}`, edit),
      move: (to: string, options = {}) =>
        room.call('POST', `/campaigns/${id}/state`, { to }, options),
      letters: async (agreed: boolean) =>
        db
          .insertInto('campaignLetters')
          .values(
            [1, 2, 3].map((place) => ({
              ...{ campaign: id, place, subject: 'S', text: 'T', agreed, writtenAt: now },
            })),
          )
          .execute(),
      actions: async () =>
        (await room.call('GET', '/audit')).body.entries.map((e: { action: string }) => e.action),
    }
  }
  const codes = (missing: { field: string; code: string }[]) =>
    missing.map(({ field, code }) => `${field} ${code}`)
  const unagreed = [
    'letters letter_not_agreed',
    'letters letter_not_agreed',
    'letters letter_not_agreed',
  ]

  describe('POST /campaigns', () => {
    it('makes a draft that says what it lacks, and answers what the read shows', async () => {
      const { call } = await service.workspace()
      const { status, body } = await call('POST', '/campaigns', {})
      equal(status, 200)
      const { id, state, ...shown } = body
      match(id, /^cmp_/)
      equal(state, 'draft')
      deepEqual((await call('GET', `/campaigns/${id}`)).body, shown)
      const { missing, term, ...campaign } = shown.campaign
      deepEqual(campaign, {
        ...{ id, name: '', goal: '', kind: 'outreach', state: 'draft', segment: '', agent: '' },
        ...{ senders: [], people: 0, addRules: [], materials: [] },
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
        ...{ people: 0, queued: 0, review: 0, sending: 0, sent: 0, failed: 0, replied: 0 },
        ...{ interested: 0, declined: 0, meetings: 0 },
      })
    })

    it('takes the goal for a name, and a name that is given', async () => {
      const { call } = await service.workspace()
      const named = async (body: object) =>
        (await call('POST', '/campaigns', body)).body.campaign.name
      equal(await named({ goal: 'Book a demo' }), 'Book a demo')
      equal(await named({ goal: 'Book a demo', name: null }), 'Book a demo')
      equal(await named({ goal: 'Book a demo', name: 'Spring' }), 'Spring')
    })

    it('names the id that is not known, also that of another workspace', async () => {
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
      it(`takes ${from} to ${allowed.join(' and ') || 'nothing else'}`, async () => {
        for (const to of ['running', 'paused', 'done'] as const) {
          const { move, actions, read, id } = await given(from)
          const before = (await actions()).length
          const { status, body, text } = await move(to)
          const lines = (await actions()).length - before
          if (to === from || allowed.includes(to)) {
            equal(status, 200, text)
            const { id: its, state, inFlight, ...shown } = body
            deepEqual({ its, state, inFlight }, { its: id, state: to, inFlight: 0 })
            deepEqual(Object.keys(shown).sort(), ['campaign', 'funnel', 'letters'])
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

    it('raises the epoch with each move, and not when nothing moves', async () => {
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

    it('does not start what has no segment or no agent', async () => {
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

    it('starts whatever else is lacking, saves a draft segment and queues the first letters', async () => {
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
      deepEqual([body.funnel.queued, body.funnel.failed], [0, 3])
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
    const blocked = async (room: Awaited<ReturnType<typeof given>>) =>
      (await room.read()).campaign.sending

    it('says what holds a campaign and until when', async () => {
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
      await connections.set({ health: 'caution', limitDay: 1 }).execute()
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

  describe('PATCH /campaigns/{id}', () => {
    it('takes every member, appends rules, replaces materials, and leaves one line', async () => {
      const { patch, actions, connections, id, call } = await given()
      await patch({ addRules: ['Be brief.'] })
      const { status, body } = await patch({
        goal: 'Meet',
        senders: [connections[1]],
        addRules: ['No emoji.'],
        materials: [{ title: 'Case', text: 'It works.', source: { page: 4 } }, { text: 'More.' }],
      })
      equal(status, 200)
      const { goal, senders, addRules, materials } = body.campaign
      deepEqual(
        { goal, senders, addRules, materials },
        {
          goal: 'Meet',
          senders: [connections[1]],
          addRules: ['Be brief.', 'No emoji.'],
          materials: [
            { title: 'Case', text: 'It works.', source: { page: 4 } },
            { title: '', text: 'More.' },
          ],
        },
      )
      deepEqual((await call('GET', `/campaigns/${id}`)).body.campaign, body.campaign)
      const replaced = await patch({ materials: [] })
      deepEqual(replaced.body.campaign.materials, [])
      const made = await actions()
      deepEqual(made, [
        ...['campaign.edited', 'campaign.edited', 'campaign.edited', 'campaign.created'],
      ])
    })

    it('withdraws the agreement of letters with goal, agent, rules and materials alone', async () => {
      for (const [edit, stays] of [
        [{ goal: 'Other' }, false],
        [{ addRules: ['x'] }, false],
        [{ materials: [{ title: 'a', text: 'b' }] }, false],
        [{ agent: null }, true],
        [{ goal: 'Book a demo', addRules: [], materials: [] }, true],
        [{ senders: [] }, true],
        [{}, true],
      ] as const) {
        const { patch, letters } = await given()
        await letters(true)
        const { body } = await patch(edit)
        for (const letter of body.letters) equal(letter.agreed, stays, JSON.stringify(edit))
      }
    })

    it('takes the same materials for no change, in whatever order of their members', async () => {
      const { patch, letters, actions } = await given()
      await patch({ materials: [{ title: 'Case', text: 'It works.' }] })
      await letters(true)
      const { body } = await patch({ materials: [{ text: 'It works.', title: 'Case' }] })
      for (const { agreed } of body.letters) equal(agreed, true)
      equal((await actions()).length, 2)
    })

    it('changes the segment in a draft and while paused, and nothing when done', async () => {
      for (const [state, edit, wanted] of [
        ['draft', 'segment', 200],
        ['paused', 'segment', 200],
        ['running', 'segment', 409],
        ['done', 'segment', 409],
        ['running', 'goal', 200],
        ['done', 'goal', 409],
        ['done', 'nothing', 200],
      ] as const) {
        const { patch, call } = await given(state)
        const { body: made } = await call('POST', '/campaigns', {})
        ok(made.id)
        const segment = (await given()).segment
        const own = newId('seg')
        const { db, clock } = service
        const times = { createdAt: clock.now(), updatedAt: clock.now() }
        const workspace = (await call('GET', '')).body.workspace
        const row = { id: own, workspace, name: 'Other', query: 'q', rules: '[]', ...times }
        await db.insertInto('segments').values(row).execute()
        const body = { segment: { segment: own }, goal: { goal: 'G' }, nothing: {} }[edit]
        const reply = await patch(body)
        equal(reply.status, wanted, `${state} ${edit}: ${reply.text}`)
        if (wanted === 409)
          equal(`${reply.body.code} ${reply.body.state}`, `invalid_state ${state}`)
        if (state === 'draft') {
          const theirs = await patch({ segment })
          equal(theirs.body.errors[0].pointer, '/segment')
        }
      }
    })
  })

  it('are deleted as drafts only', async () => {
    for (const state of ['running', 'paused', 'done'] as const) {
      const { call, id } = await given(state)
      const { status, body } = await call('DELETE', `/campaigns/${id}`)
      equal(`${status} ${body.code} ${body.state}`, `409 invalid_state ${state}`)
    }
    const { call, id, actions } = await given()
    const { status, body } = await call('DELETE', `/campaigns/${id}`)
    equal(status, 200)
    deepEqual(body, { id, deleted: true })
    equal((await call('GET', `/campaigns/${id}`)).status, 404)
    equal((await actions())[0], 'campaign.deleted')
  })

  describe('POST /campaigns/{id}/letters', () => {
    it('reads them without write and agree, and leaves no line', async () => {
      const { call, id, letters, actions } = await given()
      const path = `/campaigns/${id}/letters`
      deepEqual((await call('POST', path, {})).body, { letters: [] })
      await letters(false)
      const { body } = await call('POST', path, { write: null, agree: [] })
      deepEqual(
        body.letters.map(({ place, agreed }: { place: number; agreed: boolean }) => [
          place,
          agreed,
        ]),
        [
          [1, false],
          [2, false],
          [3, false],
        ],
      )
      deepEqual(Object.keys(body.letters[0]).sort(), [
        'agreed',
        'place',
        'subject',
        'text',
        'writtenAt',
      ])
      equal((await actions()).length, 1)
    })

    it('agrees only with what is written, and takes the places there are', async () => {
      const { call, id } = await given()
      const path = `/campaigns/${id}/letters`
      const { status, body } = await call('POST', path, { agree: [2] })
      equal(`${status} ${body.code}`, '409 letter_not_written')
      equal(body.errors[0].pointer, '/agree/0')
      for (const write of [[0], [4], ['1'], [1.5], 1]) {
        const refused = await call('POST', path, { write })
        equal(`${refused.status} ${refused.body.code}`, '422 validation_failed')
      }
    })
  })
})
