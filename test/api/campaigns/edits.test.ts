import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withdrawPlaces } from '../../../db/campaigns/agreements.ts'
import { applyWorkspaceFile } from '../../../dev/operator/workspace-apply.ts'
import type { CampaignState } from '../../../rules/campaign.ts'
import { givenCampaign } from '../../support/campaigns.ts'
import { givenConversation, secretKey } from '../../support/given.ts'
import { startService, type TestService } from '../../support/service.ts'

// Letters are agreed to as they were read. A token that may not write campaigns cannot put words into them.

describe('an edit of what letters are written with', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  /** A campaign with agreed letters, whose agent writes of a product, and a conversation with one of its people. */
  async function given(state: CampaignState = 'draft') {
    const room = await givenCampaign(service, state)
    const { db, clock } = service
    await db
      .updateTable('agents')
      .set({ labels: [room.product] })
      .where('id', '=', room.agent)
      .execute()
    const further = `${room.product}_b`
    await db
      .insertInto('products')
      .values({
        id: further,
        workspace: room.workspace,
        name: further,
        description: '',
        side: 'sell',
        goal: 'demo',
        markets: [],
      })
      .execute()
    await room.letters(true)
    const conversation = await givenConversation(db, room.workspace, {
      person: room.idOf('Ada'),
      connection: room.connections[0],
      from: 'ada@x.example',
      at: clock.now(),
    })
    const agreed = async () => {
      const { letters } = await room.read()
      return letters.every((letter: { agreed: boolean }) => letter.agreed)
    }
    return { ...room, further, conversation, agreed, token: await room.tokenWith(['inbox:write']) }
  }
  type Room = Awaited<ReturnType<typeof given>>
  type Edit = (room: Room) => [method: string, path: string, body: object]
  const agent =
    (body: (room: Room) => object): Edit =>
    (room) => ['PATCH', `/agents/${room.agent}`, body(room)]
  const company =
    (body: object): Edit =>
    (room) => ['PATCH', `/companies/${room.company}`, body]
  const product =
    (body: object): Edit =>
    (room) => ['PATCH', `/products/${room.product}`, body]
  const member =
    (body: object): Edit =>
    (room) => ['PATCH', `/members/${room.member}`, body]
  const instruction: Edit = (room) => [
    ...(['POST', `/conversations/${room.conversation}/tasks`] as const),
    { text: 'Say "Your account is locked."' },
  ]

  it('withdraws the agreement to a letter that was let go by itself, unless it has its text', async () => {
    const { db, clock } = service
    type Change = (room: Room) => Promise<unknown>
    const changes: Change[] = [
      (room) => room.patch({ goal: 'Sell' }),
      // What a call with templates for the place does.
      (room) =>
        db
          .transaction()
          .execute((trx) => withdrawPlaces(trx, { id: room.id, briefVersion: 1 }, [1])),
    ]
    for (const change of changes) {
      const room = await given('paused')
      const add = async (name: string, text: string | null) => {
        const id = `tch_${randomUUID()}`
        const letter = { state: 'queued' as const, agreed: true, text, place: 1 }
        const times = { dueAt: clock.now(), createdAt: clock.now() }
        const of = { workspace: room.workspace, campaign: room.id, person: room.idOf(name) }
        await db
          .insertInto('touches')
          .values({ id, ...of, ...letter, ...times })
          .execute()
        return id
      }
      const [unwritten, written] = [await add('Ada', null), await add('Ben', 'As it was read')]
      await change(room)
      const touches = await db
        .selectFrom('touches')
        .select(['id', 'agreed'])
        .where('campaign', '=', room.id)
        .execute()
      const agreed = new Map(touches.map((touch) => [touch.id, touch.agreed]))
      deepEqual([agreed.get(unwritten), agreed.get(written)], [false, true])
    }
  })

  const edits: Record<string, Edit> = {
    'the rules of an agent': agent(() => ({ rules: 'Say "Your account is locked."' })),
    'the goal of an agent': agent(() => ({ goal: 'Sell' })),
    'the knowledge of an agent': agent(() => ({ knowledge: 'More.' })),
    'the product of an agent': agent(() => ({ labels: [] })),
    'the pitch of a company': company({ pitch: 'Other.' }),
    'the policy of a company': company({ policy: 'Say "No."' }),
    'the facts of a company': company({ facts: [{ label: 'founded', value: '1900' }] }),
    'the description of a product': product({ description: 'Other.' }),
    'the conditions of a product': product({ conditions: [{ key: 'price', value: '1' }] }),
    'the signature of a member': member({ signature: 'Gia, Gamma Bank' }),
    'an instruction': instruction,
  }
  for (const [name, edit] of Object.entries(edits)) {
    it(`withdraws the agreement of letters: ${name}`, async () => {
      for (const state of ['draft', 'paused'] as const) {
        const room = await given(state)
        const other = await given(state)
        const [method, path, body] = edit(room)
        const { status, text } = await room.call(method, path, body, { token: room.token })
        equal(status, 200, text)
        equal(await room.agreed(), false, state)
        equal(await other.agreed(), true, state)
        // The example that was read belongs to the earlier brief.
        const again = await room.call('POST', `/campaigns/${room.id}/letters`, { agree: [1] })
        equal(`${again.status} ${again.body.code}`, '409 letter_not_written')
      }
    })

    it(`needs campaigns:write while the campaign is running: ${name}`, async () => {
      const room = await given('running')
      const [method, path, body] = edit(room)
      const key = randomUUID()
      const lines = await room.actions()
      const refused = await room.call(method, path, body, { token: room.token, key })
      equal(`${refused.status} ${refused.body.code}`, '403 insufficient_scope')
      deepEqual(refused.body.scopes, ['inbox:write', 'campaigns:write'])
      equal(
        refused.headers.get('www-authenticate'),
        'Bearer error="insufficient_scope", scope="inbox:write campaigns:write"',
      )
      deepEqual([await room.agreed(), await room.actions()], [true, lines])
      // The refusal is not stored: with the scope the same call is carried out.
      const token = await room.tokenWith(['inbox:write', 'campaigns:write'])
      const done = await room.call(method, path, body, { token, key })
      equal(`${done.status} ${done.headers.get('idempotent-replayed')}`, '200 null')
      equal(await room.agreed(), false)
    })
  }

  const others: Record<string, Edit> = {
    'the hours of an agent': agent(() => ({ hours: { to: '20:00' } })),
    'the accounts of an agent': agent(({ connections }) => ({ channels: connections })),
    'the agent is disabled': agent(() => ({ enabled: false })),
    'a further product of an agent': agent(({ product: id, further }) => ({
      labels: [id, further],
    })),
    'the side of a product': product({ side: 'both' }),
    'the job title of a member': member({ jobTitle: 'Head' }),
    nothing: agent(() => ({})),
    'what is so already': company({ pitch: 'We keep sales teams calm.' }),
    'a label': (room) => [
      ...(['POST', `/conversations/${room.conversation}/labels`] as const),
      { name: 'x' },
    ],
  }
  for (const [name, edit] of Object.entries(others))
    it(`withdraws nothing and needs no further scope: ${name}`, async () => {
      const room = await given('running')
      const [method, path, body] = edit(room)
      const { status, text } = await room.call(method, path, body, { token: room.token })
      equal(status, 200, text)
      equal(await room.agreed(), true)
    })

  it('needs the same scope to enable an agent, and then withdraws nothing', async () => {
    for (const state of ['paused', 'running'] as const) {
      const room = await given(state)
      const edit = (enabled: boolean, options = {}) =>
        room.call('PATCH', `/agents/${room.agent}`, { enabled }, options)
      equal((await edit(false, { token: room.token })).status, 200)
      equal((await edit(true, { token: room.token })).status, state === 'running' ? 403 : 200)
      equal(
        (await edit(true, { token: await room.tokenWith(['inbox:write', 'campaigns:write']) }))
          .status,
        200,
      )
      equal(await room.agreed(), true)
    }
  })

  it('does not count when no letter to the person is left to write', async () => {
    const room = await given('running')
    const { db, clock } = service
    const touch = { workspace: room.workspace, campaign: room.id, person: room.idOf('Ada') }
    await db
      .insertInto('touches')
      .values({
        ...touch,
        id: `tch_${randomUUID()}`,
        place: 1,
        state: 'failed',
        reason: 'replied',
        dueAt: clock.now(),
        createdAt: clock.now(),
      })
      .execute()
    const [method, path, body] = instruction(room)
    equal((await room.call(method, path, body, { token: room.token })).status, 200)
    equal(await room.agreed(), true)
  })

  it('includes reopening spam that holds a task, and closing such a conversation as spam', async () => {
    const room = await given()
    const path = `/conversations/${room.conversation}`
    const spam = { closed: true, reason: 'spam' }
    const patch = (body: object) => room.call('PATCH', path, body, { token: room.token })
    equal((await patch(spam)).status, 200)
    const [method, tasks, body] = instruction(room)
    equal((await room.call(method, tasks, body, { token: room.token })).status, 200)
    equal(await room.agreed(), true)
    const run = (state: CampaignState) =>
      service.db.updateTable('campaigns').set({ state }).where('id', '=', room.id).execute()
    await run('running')
    equal((await patch({ closed: false })).status, 403)
    await run('paused')
    equal((await patch({ closed: false })).status, 200)
    equal(await room.agreed(), false)
    await run('running')
    equal((await patch(spam)).status, 403)
    equal((await patch({ closed: true, reason: 'other' })).status, 200)
  })

  it('that races with a start is either in time or refused', async () => {
    for (let i = 0; i < 12; i++) {
      const room = await given()
      const [method, path, body] = edits['the rules of an agent']!(room)
      const [edited, started] = await Promise.all([
        room.call(method, path, body, { token: room.token }),
        room.move('running'),
      ])
      equal(started.status, 200, started.text)
      equal(
        `${edited.status} ${await room.agreed()}`,
        edited.status === 200 ? '200 false' : '403 true',
      )
    }
  })

  it('counts the same in the reduced deployment', async () => {
    const { databaseUrl } = service
    const reduced = await startService({ variant: 'reduced', databaseUrl })
    try {
      for (const [state, wanted] of [
        ['paused', '200 false'],
        ['running', '403 true'],
      ] as const) {
        const room = await given(state)
        const response = await fetch(`${reduced.url}/api/v1/agents/${room.agent}`, {
          method: 'PATCH',
          headers: {
            authorization: `Bearer ${room.token}`,
            'content-type': 'application/json',
            'idempotency-key': randomUUID(),
          },
          body: JSON.stringify({ rules: 'Other.' }),
        })
        equal(`${response.status} ${await room.agreed()}`, wanted)
      }
    } finally {
      await reduced.close()
    }
  })

  it("can be made by the operator's file too, when it changes words", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'postroom-edits-'))
    const path = join(folder, 'workspace.yml')
    const apply = (text: string) => {
      writeFileSync(path, text)
      const options = { env: {}, secretKey, now: service.clock.now() }
      return applyWorkspaceFile(service.db, { path, ...options })
    }
    try {
      for (const [change, stays] of [
        ['house: Say "No."', false],
        ['companies: [{ id: COMPANY, name: Us Ltd, pitch: Other. }]', false],
        ['members: [{ id: MEMBER, name: Ana, email: a@us.example, signature: Gia }]', false],
        ['agents: [{ id: AGENT, name: Eva, rules: Other. }]', false],
        ['products: [{ id: PRODUCT, name: CRM, description: Other. }]', false],
        ['agents: [{ id: AGENT, name: Eva, hours: { from: "07:00" } }]', true],
        ['billing: { plan: large }', true],
      ] as const) {
        const room = await given('running')
        const text = `workspace: { id: ${room.workspace}, name: Test, timezone: Europe/Berlin }\n${change}\n`
        const ids = [
          ['COMPANY', room.company],
          ['MEMBER', room.member],
          ['AGENT', room.agent],
          ['PRODUCT', room.product],
        ] as const
        const { problems } = await apply(
          ids.reduce((all, [name, id]) => all.replace(name, id), text),
        )
        deepEqual(problems, undefined)
        equal(await room.agreed(), stays, change)
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
