import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { keepPosition } from '../../../db/accounts/folder-positions.ts'
import { newId } from '../../../db/ids.ts'
import { startService, type TestService } from '../../support/service.ts'

type Workspace = Awaited<ReturnType<TestService['workspace']>>

type Channel = { id: string; folders: number | null }

describe('workspace, members, agents, products, companies', () => {
  let service: TestService
  let reduced: TestService

  before(async () => {
    service = await startService()
    reduced = await startService({ variant: 'reduced' })
  })
  after(async () => {
    await service.close()
    await reduced.close()
  })

  const audit = async ({ call }: Workspace) => (await call('GET', '/audit')).body.entries
  const signals = async (runner: string) =>
    (
      await service.db
        .selectFrom('outbox')
        .select('signal')
        .where('workflowId', '=', runner)
        .execute()
    ).map(({ signal }) => signal)

  async function campaign({ id, agent }: Workspace, state: 'running' | 'paused') {
    const now = service.clock.now()
    const runner = newId('run')
    const row = { id: newId('cmp'), workspace: id, name: 'C', agent, state, runner }
    await service.db
      .insertInto('campaigns')
      .values({ ...row, goal: '', materials: '[]', createdAt: now, updatedAt: now })
      .execute()
    return runner
  }

  describe('PATCH /workspace', () => {
    it('changes the time zone and tagging, and answers what the read shows', async () => {
      const ours = await service.workspace()
      const edit = { timezone: 'Asia/Tokyo', tagging: false }
      const { status, body } = await ours.call('PATCH', '/workspace', edit)
      equal(status, 200)
      deepEqual(body, { id: ours.id, name: 'Test', mode: 'live', ...edit })
      deepEqual((await ours.call('GET', '/workspace')).body, body)
    })

    it('writes one audit line that holds only what changed', async () => {
      const ours = await service.workspace()
      await ours.call(
        'PATCH',
        '/workspace',
        { timezone: 'Asia/Tokyo', tagging: true },
        { key: 'k' },
      )
      await ours.call(
        'PATCH',
        '/workspace',
        { timezone: 'Asia/Tokyo', tagging: true },
        { key: 'k' },
      )
      const [line, ...others] = await audit(ours)
      equal(others.length, 0)
      const { action, resource, before, after, key, member, client } = line
      deepEqual(
        { action, resource, before, after, key, member, client: client.name },
        {
          action: 'workspace.edited',
          resource: ours.id,
          before: { timezone: 'Europe/Berlin' },
          after: { timezone: 'Asia/Tokyo' },
          key: 'k',
          member: ours.member,
          client: 'tests',
        },
      )
    })

    it('refuses invalid zones, names and unknown members, each with its pointer', async () => {
      const { call } = await service.workspace()
      const body = { timezone: '+02:00', name: 'Other', tagging: 'yes' }
      const reply = await call('PATCH', '/workspace', body)
      equal(reply.status, 422)
      deepEqual(reply.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort(), [
        '/name',
        '/tagging',
        '/timezone',
      ])
    })

    it('wakes every running campaign when the zone changes, but not for tagging', async () => {
      const ours = await service.workspace()
      const [running, paused] = [await campaign(ours, 'running'), await campaign(ours, 'paused')]
      await ours.call('PATCH', '/workspace', { tagging: false })
      deepEqual(await signals(running), [])
      await ours.call('PATCH', '/workspace', { timezone: 'Asia/Tokyo' })
      deepEqual(await signals(running), ['changed'])
      deepEqual(await signals(paused), [])
    })
  })

  describe('PATCH {} and null', () => {
    it('changes nothing anywhere and leaves no audit line', async () => {
      const ours = await service.workspace()
      const { call, member, agent, product, company } = ours
      const paths = ['/workspace', `/members/${member}`, `/agents/${agent}`]
      for (const path of [...paths, `/products/${product}`, `/companies/${company}`]) {
        equal((await call('PATCH', path, {})).status, 200, path)
        equal((await call('PATCH', path)).status, 200, path)
      }
      equal((await call('PATCH', `/agents/${agent}`, { goal: null, hours: null })).status, 200)
      deepEqual(await audit(ours), [])
    })

    it('leaves no line either when the values sent are the current ones', async () => {
      const ours = await service.workspace()
      const { body } = await ours.call('GET', `/agents/${ours.agent}`)
      const { goal, labels, channels, hours } = body
      await ours.call('PATCH', `/agents/${ours.agent}`, { goal, labels, channels, hours })
      deepEqual(await audit(ours), [])
    })
  })

  describe('members', () => {
    it('are listed, and change their job title, zone and signature', async () => {
      const { call, member } = await service.workspace()
      const edit = { jobTitle: 'Sales', zone: 'Prices', signature: '' }
      const { status, body } = await call('PATCH', `/members/${member}`, edit)
      equal(status, 200)
      deepEqual({ jobTitle: body.jobTitle, zone: body.zone, signature: body.signature }, edit)
      deepEqual((await call('GET', '/members')).body, { members: [body], next: null })
    })

    it('cannot change their name and address', async () => {
      const { call, member } = await service.workspace()
      equal((await call('PATCH', `/members/${member}`, { name: 'X' })).status, 422)
      equal((await call('PATCH', `/members/${member}`, { email: 'x@y.example' })).status, 422)
    })
  })

  describe('PATCH /agents/{id}', () => {
    it('takes every writable member under the name that the read shows', async () => {
      const { call, agent, product, connections } = await service.workspace()
      const edit = {
        goal: 'Sell',
        rules: 'Short.',
        knowledge: 'Much.',
        enabled: false,
        labels: [product],
        channels: [connections[1]],
        hours: { zone: 'Europe/Paris', from: '08:30', to: '17:00', daysOff: ['sat', '2026-12-24'] },
      }
      const { status, body } = await call('PATCH', `/agents/${agent}`, edit)
      equal(status, 200)
      const { id: _, name: __, company: ___, ...read } = body
      deepEqual(read, edit)
      deepEqual((await call('GET', `/agents/${agent}`)).body, body)
      deepEqual((await call('GET', '/agents')).body, { agents: [body], next: null })
    })

    it('changes only the given members of the hours and keeps the others', async () => {
      const { call, agent } = await service.workspace()
      const path = `/agents/${agent}`
      await call('PATCH', path, { hours: { timezone: 'Asia/Tokyo', lunch: '12:00' } })
      const { body } = await call('PATCH', path, {
        hours: { timeZone: 'Asia/Seoul', from: '10:00' },
      })
      const hours = { zone: 'Asia/Seoul', from: '10:00', to: '24:00', daysOff: [], lunch: '12:00' }
      deepEqual(body.hours, hours)
    })

    it('refuses invalid hours', async () => {
      const { call, agent } = await service.workspace()
      const wrong = [
        [{ zone: 'Mars/Olympus' }, '/hours/zone'],
        [{ from: '9:00' }, '/hours/from'],
        [{ to: '25:00' }, '/hours/to'],
        [{ from: '18:00', to: '09:00' }, '/hours/to'],
        [{ daysOff: ['someday'] }, '/hours/daysOff/0'],
      ] as const
      for (const [hours, pointer] of wrong) {
        const { status, body } = await call('PATCH', `/agents/${agent}`, { hours })
        equal(status, 422, pointer)
        equal(body.errors[0].pointer, pointer)
      }
    })

    it('takes a product by its exact name and stores its id once', async () => {
      const ours = await service.workspace()
      const products = (await ours.call('GET', '/products')).body.products
      const labels = [products[0].name, ours.product]
      const { body } = await ours.call('PATCH', `/agents/${ours.agent}`, { labels })
      deepEqual(body.labels, [ours.product])
    })

    it('names every unknown id, also those of another workspace', async () => {
      const [ours, theirs] = [await service.workspace(), await service.workspace()]
      const { status, body } = await ours.call('PATCH', `/agents/${ours.agent}`, {
        labels: [ours.product, theirs.product],
        channels: ['con_none', theirs.connections[0]],
      })
      equal(status, 422)
      deepEqual(
        body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
        [
          ['/labels/1', 'unknown_id'],
          ['/channels/0', 'unknown_id'],
          ['/channels/1', 'unknown_id'],
        ],
      )
    })

    it("wakes the agent's running campaigns", async () => {
      const ours = await service.workspace()
      const running = await campaign(ours, 'running')
      await ours.call('PATCH', `/agents/${ours.agent}`, { enabled: false })
      deepEqual(await signals(running), ['changed'])
    })
  })

  describe('PATCH /products/{id}', () => {
    it('takes conditions spelled out or as bare pairs', async () => {
      const { call, product } = await service.workspace()
      const { status, body } = await call('PATCH', `/products/${product}`, {
        conditions: [
          { price: '49' },
          { term: 12, side: 'buyer' },
          { key: 'fee', value: 'none', note: 'x' },
        ],
      })
      equal(status, 200)
      deepEqual(body.conditions, [
        { key: 'price', value: '49', side: null },
        { key: 'term', value: 12, side: 'buyer' },
        { key: 'fee', value: 'none', note: 'x', side: null },
      ])
      deepEqual((await call('GET', `/products/${product}`)).body, body)
    })

    it('refuses a condition that is not a pair', async () => {
      const { call, product } = await service.workspace()
      const conditions = [{}, { a: '1', b: '2' }, { key: 'price' }, { price: ['49'] }]
      const { status, body } = await call('PATCH', `/products/${product}`, { conditions })
      equal(status, 422)
      deepEqual(
        body.errors.map(({ pointer }: { pointer: string }) => pointer),
        ['/conditions/0/key', '/conditions/1/key', '/conditions/2/value', '/conditions/3/price'],
      )
    })

    it('takes the existing goals and sides, and no others', async () => {
      const { call, product } = await service.workspace()
      for (const goal of ['demo', 'sale', 'partnership'])
        equal((await call('PATCH', `/products/${product}`, { goal })).body.goal, goal)
      for (const side of ['sell', 'buy', 'both'])
        equal((await call('PATCH', `/products/${product}`, { side })).body.side, side)
      equal((await call('PATCH', `/products/${product}`, { goal: 'fame' })).status, 422)
      equal((await call('PATCH', `/products/${product}`, { side: 'none' })).status, 422)
      equal((await call('POST', '/products', { name: 'New' })).status, 405)
    })
  })

  it('PATCH /companies/{id} takes pitch, policy and facts', async () => {
    const { call, company } = await service.workspace()
    const edit = {
      pitch: 'P',
      policy: '',
      facts: [{ founded: '2019' }, { label: 'people', value: '34' }],
    }
    const { status, body } = await call('PATCH', `/companies/${company}`, edit)
    equal(status, 200)
    deepEqual(body.facts, [
      { label: 'founded', value: '2019' },
      { label: 'people', value: '34' },
    ])
    equal(body.pitch, 'P')
    deepEqual((await call('GET', '/companies')).body, { companies: [body], next: null })
  })

  it('GET /house answers the shared rules', async () => {
    const { call } = await service.workspace()
    const { status, body } = await call('GET', '/house')
    equal(status, 200)
    equal(body.rules, '')
    match(body.updatedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  it('GET /channels answers the connections without their servers and secrets', async () => {
    const { call, connections, member } = await service.workspace()
    const { status, body } = await call('GET', '/channels')
    equal(status, 200)
    equal(body.next, null)
    deepEqual(body.channels.map(({ id }: { id: string }) => id).sort(), [...connections].sort())
    const { id: _, name: __, account: ___, ...rest } = body.channels[0]
    const nothing = { problem: null, checkedAt: null, restsUntil: null, readAt: null }
    deepEqual(rest, { kind: 'email', member, alive: true, ...nothing, folders: null })
  })

  it('GET /channels says how many folders of a mailbox are read, where one is', async () => {
    const { call, connections } = await service.workspace()
    const [read = '', silent = ''] = connections
    const position = { uidValidity: '1', nextUid: 1, hidden: 0 }
    for (const folder of ['INBOX', 'Sent', 'Projects'])
      for (const connection of [read, silent])
        await keepPosition(service.db, connection, folder, position)
    const imap = JSON.stringify({ host: 'mail.x.test', port: 993, secure: true })
    const set = (id: string, value: string | null) =>
      service.db.updateTable('connections').set({ imap: value }).where('id', '=', id).execute()
    await set(read, imap)
    await set(silent, null)
    const { channels } = (await call('GET', '/channels')).body
    const folders = new Map(channels.map((one: Channel) => [one.id, one.folders]))
    deepEqual([folders.get(read), folders.get(silent)], [3, null])
    const few = await reduced.workspace()
    const [channel] = (await few.call('GET', '/channels')).body.channels
    equal('folders' in channel, false)
  })

  it('GET /audit pages through the lines, newest first', async () => {
    const ours = await service.workspace()
    for (const signature of ['a', 'b', 'c', 'd', 'e'])
      await ours.call('PATCH', `/members/${ours.member}`, { signature })
    const seen: string[] = []
    let cursor: string | null = ''
    do {
      const { body } = await ours.call('GET', `/audit?limit=2&cursor=${cursor}`)
      seen.push(
        ...body.entries.map((entry: { after: { signature: string } }) => entry.after.signature),
      )
      cursor = body.next
    } while (cursor)
    deepEqual(seen, ['e', 'd', 'c', 'b', 'a'])
  })

  describe('every list', () => {
    const lists = ['agents', 'products', 'companies', 'members', 'channels', 'audit']
    for (const name of lists)
      it(`/${name} takes limit and cursor and refuses invalid ones`, async () => {
        const { call } = await service.workspace()
        equal((await call('GET', `/${name}?limit=200&cursor=`)).status, 200)
        equal((await call('GET', `/${name}?limit=201`)).body.code, 'invalid_query')
        equal((await call('GET', `/${name}?limit=0`)).body.code, 'invalid_query')
        equal((await call('GET', `/${name}?cursor=nonsense`)).body.code, 'invalid_cursor')
        equal((await call('GET', `/${name}?colour=red`)).body.code, 'invalid_query')
      })
  })

  it('ids of another workspace are answered like unknown ids', async () => {
    const [ours, theirs] = [await service.workspace(), await service.workspace()]
    for (const path of [
      `/agents/${theirs.agent}`,
      `/products/${theirs.product}`,
      `/companies/${theirs.company}`,
    ]) {
      equal((await ours.call('GET', path)).body.code, 'not_found')
      equal((await ours.call('PATCH', path, {})).body.code, 'not_found')
    }
    equal((await ours.call('PATCH', `/members/${theirs.member}`, {})).body.code, 'not_found')
    for (const [path, member] of [
      ['/agents', 'agents'],
      ['/channels', 'channels'],
    ] as const)
      ok(!JSON.stringify((await ours.call('GET', path)).body[member]).includes(theirs.agent))
  })

  describe('the reduced deployment', () => {
    it('takes any text for the goal of a product', async () => {
      const { call, product } = await reduced.workspace()
      const { status, body } = await call('PATCH', `/products/${product}`, { goal: 'Be known' })
      equal(status, 200)
      equal(body.goal, 'Be known')
    })

    it('reads products and companies with conditions and facts, without markets', async () => {
      const { call, product, company } = await reduced.workspace()
      const answers = [
        (await call('GET', `/products/${product}`)).body,
        (await call('GET', '/products')).body.products[0],
        (await call('PATCH', `/products/${product}`, {})).body,
        (await call('GET', `/companies/${company}`)).body,
        (await call('GET', '/companies')).body.companies[0],
        (await call('PATCH', `/companies/${company}`, {})).body,
      ]
      for (const answer of answers) {
        ok(!('markets' in answer))
        ok('conditions' in answer || 'facts' in answer)
      }
    })
  })
})
