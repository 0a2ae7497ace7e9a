import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { newId } from '../../../db/ids.ts'
import { givenPeople } from '../../support/given.ts'
import { startService, type TestService } from '../../support/service.ts'

type Workspace = Awaited<ReturnType<TestService['workspace']>>
type Answer = { handed: number; seen: number; cursor: string | null; floor: string | null }

describe('POST /routing/apply', function () {
  this.timeout(120_000)
  let service: TestService
  let at: (point: string) => void = () => {}
  before(async function () {
    service = await startService()
    await service.work(this.test?.ctx, { crash: (point) => at(point) }, { only: ['rows'] })
  })
  afterEach(() => {
    at = () => {}
  })
  after(() => service.close())

  const member = async (workspace: Workspace, name: string) => {
    const id = newId('mem')
    const card = { id, workspace: workspace.id, name, email: `${name}@us.example` }
    await service.db
      .insertInto('members')
      .values({ ...card, jobTitle: '', zone: '', signature: '' })
      .execute()
    return id
  }

  /** `count` conversations of one person, on either account in turn, `daysAgo` old. */
  async function pile(
    workspace: Workspace,
    count: number,
    owner: string | null = null,
    daysAgo = 0,
  ) {
    const { db, clock } = service
    const now = clock.now()
    const email = `${newId('p')}@client.example`
    const [person] = await givenPeople(db, workspace.id, [{ name: 'Kim', email }], now)
    const ids = Array.from({ length: count }, () => newId('cnv'))
    const moment = new Date(now.getTime() - daysAgo * 86_400_000)
    await sql`
      insert into conversations (id, workspace, person, connection, kind, last_message_at, waiting_since, owner)
      select id, ${workspace.id}, ${person}, (${sql.val(workspace.connections)}::text[])[1 + n % 2], 'email',
        ${moment}, ${moment}, ${owner}
      from unnest(${ids}::text[]) with ordinality as ids (id, n)`.execute(db)
    return ids
  }
  const add = (workspace: Workspace, field: string, value: string, member: string) =>
    workspace.call('POST', '/routing', { do: 'add', field, value, member })
  const owners = async (workspace: Workspace) => {
    const rows = await service.db
      .selectFrom('conversations')
      .select(['owner', (eb) => eb.fn.countAll<string>().as('n')])
      .where('workspace', '=', workspace.id)
      .groupBy('owner')
      .execute()
    return Object.fromEntries(rows.map(({ owner, n }) => [owner ?? 'nobody', Number(n)]))
  }
  const notices = (workspace: Workspace) =>
    service.db
      .selectFrom('notifications')
      .select(['member', 'kind', 'text', 'conversation'])
      .where('workspace', '=', workspace.id)
      .orderBy('id')
      .execute()
  const lines = (workspace: Workspace) =>
    service.db
      .selectFrom('audit')
      .select([
        'resource',
        'member',
        'clientName',
        'key',
        sql<string>`after ->> 'owner'`.as('owner'),
      ])
      .where('workspace', '=', workspace.id)
      .where('action', '=', 'conversation.routed')
      .execute()
  const apply = async (workspace: Workspace, body: object = {}, key?: string) => {
    const reply = await workspace.call('POST', '/routing/apply', body, key ? { key } : {})
    equal(reply.status, 200, reply.text)
    return reply.body as Answer
  }
  /** Calls until nothing is left, as a client does. */
  async function applyAll(workspace: Workspace, body: object = {}) {
    const answers = [await apply(workspace, body)]
    for (let last = answers[0]; last?.cursor; last = answers.at(-1))
      answers.push(await apply(workspace, { ...body, cursor: last.cursor, floor: last.floor }))
    return answers
  }
  const sum = (answers: Answer[], name: 'handed' | 'seen') =>
    answers.reduce((all, answer) => all + answer[name], 0)

  it('assigns 2,000 conversations once each, none that has an owner, and then none', async () => {
    const workspace = await service.workspace()
    const [ben, cem] = [await member(workspace, 'ben'), await member(workspace, 'cem')]
    await add(workspace, 'sender', workspace.connections[0], ben)
    await add(workspace, 'sender', workspace.connections[1], cem)
    await pile(workspace, 2_100)
    await pile(workspace, 60, workspace.member)

    const answers = await applyAll(workspace)
    ok(answers.length > 2, `in ${answers.length} calls`)
    deepEqual([sum(answers, 'handed'), sum(answers, 'seen')], [2_100, 2_100])
    for (const { cursor, floor } of answers.slice(0, -1)) ok(cursor && floor)
    const last = answers.at(-1)
    deepEqual([last?.cursor, last?.floor], [null, null])
    deepEqual(await owners(workspace), { [ben]: 1_050, [cem]: 1_050, [workspace.member]: 60 })

    const written = await lines(workspace)
    equal(written.length, 2_100)
    equal(new Set(written.map(({ resource }) => resource)).size, 2_100)
    deepEqual([...new Set(written.map((line) => line.member))], [workspace.member])
    deepEqual([...new Set(written.map((line) => line.clientName))], ['tests'])
    const told = await notices(workspace)
    equal(told.length, 2 * answers.length, 'one word a member and call')
    ok(told.every(({ kind, text }) => kind === 'conversation.assigned' && /^\d+ /.test(text)))

    const again = await applyAll(workspace)
    deepEqual([sum(again, 'handed'), sum(again, 'seen'), again.length], [0, 0, 1])
    equal((await notices(workspace)).length, told.length)
  })

  it('names the conversation when it assigns only one', async () => {
    const workspace = await service.workspace()
    await add(workspace, 'sender', workspace.connections[1], workspace.member)
    const [conversation] = await pile(workspace, 1)
    deepEqual(await apply(workspace), { handed: 1, seen: 1, cursor: null, floor: null })
    deepEqual(
      (await notices(workspace)).map((notice) => notice.conversation),
      [conversation],
    )
  })

  it('applies a single rule when it is named, and leaves conversations that no rule matches', async () => {
    const workspace = await service.workspace()
    const ben = await member(workspace, 'ben')
    await add(workspace, 'sender', workspace.connections[0], ben)
    const { body } = await add(workspace, 'sender', workspace.connections[1], workspace.member)
    await pile(workspace, 10)
    const answer = await apply(workspace, { rule: body.rule })
    deepEqual([answer.handed, answer.seen], [5, 10])
    deepEqual(await owners(workspace), { [workspace.member]: 5, nobody: 5 })
  })

  it('looks back as far as it is told, and a continued run as far as its first call', async () => {
    const workspace = await service.workspace()
    await add(workspace, 'sender', workspace.connections[0], workspace.member)
    await add(workspace, 'sender', workspace.connections[1], workspace.member)
    for (const daysAgo of [1, 10, 60, 200]) await pile(workspace, 10, null, daysAgo)
    equal((await apply(workspace, { depth: 'week' })).seen, 10)
    equal((await apply(workspace, { depth: 'month' })).seen, 10)
    equal((await apply(workspace, { depth: 'quarter' })).seen, 10)
    equal((await apply(workspace)).seen, 10)

    await pile(workspace, 600, null, 5)
    await pile(workspace, 50, null, 20)
    const first = await apply(workspace, { depth: 'week' })
    equal(first.seen, 500)
    ok(first.cursor && first.floor)
    const { cursor, floor } = first
    const rest = await apply(workspace, { cursor, floor })
    deepEqual([rest.seen, rest.handed, rest.cursor], [100, 100, null])
    deepEqual(await owners(workspace), { [workspace.member]: 640, nobody: 50 })
  })

  it('refuses an unknown rule and an invalid depth, cursor or floor', async () => {
    const workspace = await service.workspace()
    const theirs = await service.workspace()
    await pile(theirs, 501)
    const { cursor, floor } = await apply(theirs)
    const cases = [
      { rule: 'rul_none' },
      { depth: 'year' },
      { cursor: 'nonsense' },
      { floor: 'nonsense' },
      { cursor },
      { floor },
      { cursor: floor },
    ]
    for (const body of cases) {
      const reply = await workspace.call('POST', '/routing/apply', body)
      equal(reply.status, 422, JSON.stringify(body))
      equal(reply.body.errors[0].pointer, `/${Object.keys(body)[0]}`)
    }
    equal((await theirs.call('POST', '/routing/apply', { cursor: floor })).status, 422)
    equal((await theirs.call('POST', '/routing/apply', { cursor, floor })).status, 200)
  })

  it('needs only the scope send', async () => {
    const workspace = await service.workspace()
    const without = await workspace.tokenWith(['inbox:read', 'inbox:write', 'campaigns:write'])
    const refused = await workspace.call('POST', '/routing/apply', {}, { token: without })
    deepEqual([refused.status, refused.body.scopes], [403, ['send']])
    const token = await workspace.tokenWith(['send'])
    equal((await workspace.call('POST', '/routing/apply', {}, { token })).status, 200)
  })

  it('leaves a conversation that gets an owner in the meantime', async () => {
    const workspace = await service.workspace()
    const ben = await member(workspace, 'ben')
    await add(workspace, 'sender', workspace.connections[0], ben)
    await add(workspace, 'sender', workspace.connections[1], ben)
    const [taken = ''] = await pile(workspace, 5)
    const reached = Promise.withResolvers<void>()
    at = () => reached.resolve()
    const held = Promise.withResolvers<void>()
    const assigning = service.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('conversations')
        .set({ owner: workspace.member })
        .where('id', '=', taken)
        .execute()
      held.resolve()
      await reached.promise
      // By now the page waits for this row.
      await new Promise((resolve) => setTimeout(resolve, 300))
    })
    await held.promise
    const answer = await apply(workspace)
    await assigning
    equal(answer.handed, 4)
    deepEqual(await owners(workspace), { [ben]: 4, [workspace.member]: 1 })
    equal((await lines(workspace)).length, 4)
  })

  it('assigns nothing twice when its attempts break off around pages', async () => {
    const workspace = await service.workspace()
    const ben = await member(workspace, 'ben')
    await add(workspace, 'sender', workspace.connections[0], ben)
    await add(workspace, 'sender', workspace.connections[1], ben)
    await pile(workspace, 450)
    let points = 0
    at = (point) => {
      points++
      if (points === 2 || points === 5) throw new Error(`broken off ${point}`)
    }
    const key = randomUUID()
    const answer = await apply(workspace, {}, key)
    deepEqual(answer, { handed: 450, seen: 450, cursor: null, floor: null })
    ok(points > 5)
    equal((await lines(workspace)).length, 450)
    equal((await notices(workspace)).length, 1)
    deepEqual(await apply(workspace, {}, key), answer)
    equal((await lines(workspace)).length, 450)
  })

  it('shares the conversations among simultaneous calls', async () => {
    const workspace = await service.workspace()
    const ben = await member(workspace, 'ben')
    await add(workspace, 'sender', workspace.connections[0], ben)
    await add(workspace, 'sender', workspace.connections[1], ben)
    await pile(workspace, 400)
    const answers = await Promise.all(Array.from({ length: 5 }, () => apply(workspace)))
    equal(sum(answers, 'handed'), 400)
    equal((await lines(workspace)).length, 400)
  })
})
