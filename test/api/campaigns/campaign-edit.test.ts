import { deepEqual, equal } from 'node:assert/strict'
import { newId } from '../../../db/ids.ts'
import type { CampaignState } from '../../../rules/campaign.ts'
import { givenCampaign } from '../../support/campaigns.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('campaigns', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())
  const given = (state?: CampaignState) => givenCampaign(service, state)

  describe('PATCH /campaigns/{id}', () => {
    it('takes every member, appends rules, replaces materials, and leaves one audit line', async () => {
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

    it('takes a name, and rules that replace those it has', async () => {
      const { patch, letters } = await given()
      await letters(true)
      const named = await patch({ name: 'Autumn, second try' })
      deepEqual([named.status, named.body.campaign.name], [200, 'Autumn, second try'])
      for (const letter of named.body.letters) equal(letter.agreed, true)
      await patch({ addRules: ['Be brief.', 'No emoji.'] })
      const replaced = await patch({ rules: ['Be kind.'] })
      deepEqual(replaced.body.campaign.rules, ['Be kind.'])
      deepEqual(replaced.body.campaign.addRules, ['Be kind.'])
      for (const letter of replaced.body.letters) equal(letter.agreed, false)
      const both = await patch({ rules: ['One.'], addRules: ['Two.'] })
      deepEqual(both.body.campaign.rules, ['One.', 'Two.'])
      deepEqual((await patch({ rules: [] })).body.campaign.rules, [])
      for (const [edit, pointer] of [
        [{ name: ' ' }, '/name'],
        [{ name: 'x'.repeat(301) }, '/name'],
        [{ rules: [''] }, '/rules/0'],
        [{ rules: Array.from({ length: 201 }, () => 'x') }, '/rules'],
      ] as const) {
        const { status, body } = await patch(edit)
        deepEqual([status, body.errors[0].pointer], [422, pointer])
      }
    })

    it('withdraws the agreement of letters only for goal, agent, rules and materials', async () => {
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

    it('sees no change in the same materials, whatever the order of their members', async () => {
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
        // An unknown segment is reported before what the state allows is checked.
        const theirs = await patch({ segment })
        equal(theirs.status, 422)
        equal(theirs.body.errors[0].pointer, '/segment')
      }
    })
  })

  it('are deleted only as drafts', async () => {
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
    it('reads them without write and agree, and leaves no audit line', async () => {
      const { call, id, letters, actions } = await given()
      const path = `/campaigns/${id}/letters`
      deepEqual((await call('POST', path, {})).body, { letters: [], templates: [] })
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

    it('agrees only to what is written, and takes only the places that exist', async () => {
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
