import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { eventsOf } from '../../support/events.ts'
import { commit, everyone, fileOf, many } from '../../support/people-files.ts'
import { type SharedService, sharedService } from '../../support/service.ts'
import { partsOf, rowOf, workbook, zipPacked } from '../../support/workbooks.ts'

describe('importPeople', () => {
  let service: SharedService
  before(async function () {
    service = await sharedService(this.test?.ctx)
  })

  const mixed = [
    'Name,Mail,Phone,Profile,Company,City,Title',
    'Ann Lee,ann@x.test,+49 30 123456,linkedin.com/in/ann,Acme,Berlin,CEO',
    'Bob,bob@x.test,,,Bobs,Bonn,',
    'Robert,BOB@x.test,+49 30 654321,,Other,Köln,CTO',
    'Cleo,,+49 (30) 777777,,,,',
    'Both,ann@x.test,+49 30 777777,,,,',
    'Dan,dan@x.test,12,,,,',
    'Eve,nothing,,,,,',
    ',,,,Nobody,,',
  ].join('\r\n')

  it('does what its plan says, and nothing the second time', async () => {
    const workspace = await service.workspace()
    const plan = await workspace.call('POST', '/people/import', { file: fileOf(mixed) })
    const key = randomUUID()
    const done = await commit(workspace, mixed, {}, key)
    equal(done.status, 200, done.text)
    deepEqual(
      { ...done.body, rows: { ...done.body.rows } },
      {
        ...{ operation: key, state: 'done', rows: plan.body.rows, errors: plan.body.errors },
        suppressions: plan.body.suppressions,
      },
    )
    deepEqual(plan.body.rows, { total: 8, new: 4, update: 0, same: 0, duplicate: 1, invalid: 3 })
    deepEqual(
      plan.body.errors.map(({ row, code }: Record<string, unknown>) => [row, code]),
      [
        [6, 'matches_two'],
        [7, 'invalid_phone'],
        [8, 'invalid_email'],
        [9, 'no_contact'],
      ],
    )
    const operation = (await workspace.call('GET', `/operations/${key}`)).body
    deepEqual(
      [operation.state, operation.result, operation.progress],
      ['done', done.body, { done: 8, total: 8 }],
    )

    const again = await commit(workspace, mixed, {}, key)
    equal(again.text, done.text)
    equal(again.headers.get('idempotent-replayed'), 'true')

    const before = await everyone(workspace)
    const second = await commit(workspace, mixed)
    deepEqual(second.body.rows, { total: 8, new: 0, update: 0, same: 4, duplicate: 1, invalid: 3 })
    deepEqual(await everyone(workspace), before)
    const [file] = await service.db
      .selectFrom('imports')
      .select('content')
      .where('workspace', '=', workspace.id)
      .execute()
    equal(file?.content, null)
  })

  it('fills what is empty, appends addresses and overwrites nothing', async () => {
    const workspace = await service.workspace()
    const { body: ann } = await workspace.call('POST', '/people', {
      name: 'Ann',
      email: 'ann@x.test',
    })
    await commit(
      workspace,
      'name,email,phone,company\nAnna,ann@x.test;ann@work.test,+4930123456,Acme\nX,ANN@work.test,,Other\n',
    )
    const { body } = await workspace.call('GET', `/people/${ann.id}`)
    deepEqual(
      [body.name, body.company, body.email, body.emails, body.phones],
      ['Ann', 'Acme', 'ann@x.test', ['ann@x.test', 'ann@work.test'], ['+4930123456']],
    )
    ok(body.updatedAt > ann.updatedAt)
  })

  const offices = [
    'Name,Mail,Phone',
    'Anna Berg,anna@x.test,+49 30 123456',
    'Bert Cole,bert@x.test,+49 30 123456',
    'B. Cole,bert@x.test,+49 30 123456',
    'Nobody,,',
    'Ann,ann@x.test,12',
  ].join('\n')

  it('reports what became of each row, and keeps colleagues apart who share a number', async () => {
    const workspace = await service.workspace()
    const { call } = workspace
    const { body: ann } = await call('POST', '/people', { name: 'Ann', email: 'ann@x.test' })
    const key = randomUUID()
    const done = await commit(workspace, offices, {}, key)
    deepEqual(done.body.rows, { total: 5, new: 2, update: 0, same: 1, duplicate: 1, invalid: 1 })
    const people = await everyone(workspace)
    deepEqual(
      people.map(({ name, phones }) => [name, phones]),
      [
        ['Ann', []],
        ['Anna Berg', ['+4930123456']],
        ['Bert Cole', ['+4930123456']],
      ],
    )
    const [, anna, bert] = people.map(({ id }) => id)
    const path = `/people/import/${key}/rows`
    const { rows, next } = (await call('GET', path)).body
    equal(next, null)
    deepEqual(
      rows.map(({ errors, ...row }: { errors: { code: string }[] }) => ({
        ...row,
        codes: errors.map(({ code }) => code),
      })),
      [
        { row: 2, outcome: 'new', person: anna, joined: null, codes: [] },
        { row: 3, outcome: 'new', person: bert, joined: null, codes: [] },
        { row: 4, outcome: 'duplicate', person: bert, joined: 3, codes: [] },
        { row: 5, outcome: 'invalid', person: null, joined: null, codes: ['no_contact'] },
        { row: 6, outcome: 'same', person: ann.id, joined: null, codes: ['invalid_phone'] },
      ],
    )
    const first = (await call('GET', `${path}?limit=2`)).body
    const second = (await call('GET', `${path}?limit=200&cursor=${first.next}`)).body
    deepEqual([...first.rows, ...second.rows], rows)
    const other = await service.workspace()
    equal((await other.call('GET', path)).status, 404)
    equal((await call('GET', '/people/import/none/rows')).status, 404)
  })

  it('finds duplicates again across its batches', async () => {
    const workspace = await service.workspace()
    const text = `${many(1200)}\nAgain,p3@x.test,\nAgain,p1100@x.test,`
    const key = randomUUID()
    const { body } = await commit(workspace, text, {}, key)
    deepEqual(body.rows, { total: 1202, new: 1200, update: 0, same: 0, duplicate: 2, invalid: 0 })
    let last: { row: number; joined: number | null }[] = []
    for (let cursor = ''; cursor !== null; ) {
      const path = `/people/import/${key}/rows?limit=200&cursor=${cursor}`
      const { rows, next } = (await workspace.call('GET', path)).body
      last = rows
      cursor = next
    }
    deepEqual(
      last.map(({ row, joined }) => [row, joined]),
      [
        [1202, 5],
        [1203, 1102],
      ],
    )
  })

  it('replaces values with the given ones in update mode', async () => {
    const workspace = await service.workspace()
    const { body: ann } = await workspace.call('POST', '/people', {
      name: 'Ann',
      email: 'ann@x.test',
      company: 'Acme',
    })
    const text = 'name,email,company,city\nAnna Berg,ann@x.test,,Bonn\nBob,bob@x.test,Bobs,\n'
    const body = { file: fileOf(text), mode: 'update' }
    const plan = (await workspace.call('POST', '/people/import', body)).body
    const { rows } = (await commit(workspace, text, { mode: 'update' })).body
    deepEqual(rows, plan.rows)
    deepEqual(rows, { total: 2, new: 1, update: 1, same: 0, duplicate: 0, invalid: 0 })
    const person = (await workspace.call('GET', `/people/${ann.id}`)).body
    deepEqual([person.name, person.company, person.city], ['Anna Berg', 'Acme', 'Bonn'])
    const again = (await commit(workspace, text, { mode: 'update' })).body
    deepEqual([again.rows.same, again.rows.update], [2, 0])
    const wrong = await commit(workspace, text, { mode: 'replace' })
    deepEqual([wrong.status, wrong.body.errors[0].pointer], [422, '/mode'])
  })

  it('puts given phones and profiles before the others in update mode, as a call with a known id does', async () => {
    const workspace = await service.workspace()
    const { call } = workspace
    const { body: ann } = await call('POST', '/people', {
      ...{ externalId: 'crm-1', email: 'ann@x.test', phone: '+4930111111' },
      linkedin: 'https://www.linkedin.com/in/ann-old',
    })
    const read = async () => (await call('GET', `/people/${ann.id}`)).body
    const text = [
      'External ID,Mail,Phone,Profile',
      'crm-1,ann@x.test,+4930222222;+4930333333,https://www.linkedin.com/in/ann-new',
      'crm-2,bob@x.test,+4930444444,',
    ].join('\n')
    const key = randomUUID()
    const body = { file: fileOf(text), mode: 'update' }
    const plan = (await call('POST', '/people/import', body)).body
    const { rows } = (await commit(workspace, text, { mode: 'update' }, key)).body
    deepEqual(rows, plan.rows)
    deepEqual([rows.new, rows.update], [1, 1])
    const { emails, phones, phone, linkedin } = await read()
    deepEqual([emails, phone], [['ann@x.test'], '+4930222222'])
    deepEqual(phones, ['+4930222222', '+4930333333', '+4930111111'])
    equal(linkedin, 'https://www.linkedin.com/in/ann-new')
    const operation = `${workspace.id}:${key}`
    const [edited] = await eventsOf(
      call,
      ({ kind, data }) => kind === 'person.edited' && data.operation === operation,
      1,
    )
    deepEqual(edited?.data.members?.toSorted(), ['linkedin', 'phone'])

    const again = (await commit(workspace, text, { mode: 'update' })).body
    deepEqual([again.rows.same, again.rows.update], [2, 0])
    const turned = text.replace('+4930222222;+4930333333', '+4930111111')
    equal((await commit(workspace, turned)).body.rows.same, 2)
    equal((await read()).phone, '+4930222222')
    equal((await commit(workspace, turned, { mode: 'update' })).body.rows.update, 1)
    deepEqual((await read()).phones, ['+4930111111', '+4930222222', '+4930333333'])
  })

  it('reports each card that it created or changed, and no other', async () => {
    const workspace = await service.workspace()
    const { body: ann } = await workspace.call('POST', '/people', { email: 'ann@x.test' })
    await workspace.call('POST', '/people', { name: 'Bob', email: 'bob@x.test' })
    const { body: hook } = await workspace.call('POST', '/webhooks', {
      ...{ url: 'http://127.0.0.1:9/', kinds: ['person.created', 'person.edited'] },
    })
    const key = randomUUID()
    await commit(
      workspace,
      'name,email,city\nAnn,ann@x.test,\nBob,bob@x.test,\nCem,cem@x.test,Ulm\nC.,cem@x.test,',
      {},
      key,
    )
    const [, , cem] = (await everyone(workspace)).map(({ id }) => id)
    const operation = `${workspace.id}:${key}`
    const events = await eventsOf(
      workspace.call,
      ({ kind, data }) => kind.startsWith('person.') && data.operation === operation,
      2,
    )
    deepEqual(
      events.map(({ kind, resource, data }) => [kind, resource, data.members?.toSorted()]),
      [
        ['person.created', cem, ['city', 'email', 'name']],
        ['person.edited', ann.id, ['name']],
      ],
    )
    const { deliveries } = (await workspace.call('GET', `/webhooks/${hook.id}/deliveries`)).body
    equal(deliveries.length, 2)
  })

  it('leaves both cards alone when a row leads to two', async () => {
    const workspace = await service.workspace()
    await workspace.call('POST', '/people', { email: 'ann@x.test' })
    await workspace.call('POST', '/people', { phone: '+4930123456' })
    const before = await everyone(workspace)
    const text = 'name,email,phone\nAnn,ann@x.test,+4930123456\n'
    const { body: plan } = await workspace.call('POST', '/people/import', { file: fileOf(text) })
    const { body } = await commit(workspace, text)
    deepEqual([body.rows, body.errors], [plan.rows, plan.errors])
    deepEqual([body.rows.invalid, body.errors[0].code], [1, 'matches_two'])
    deepEqual(await everyone(workspace), before)
  })

  it('uses corrected columns', async () => {
    const workspace = await service.workspace()
    const columns = [
      { name: 'Firm', field: null },
      { name: 'Who', field: 'name', sample: 'Ann' },
    ]
    await commit(workspace, 'Firm,Who,Mail\nAcme,Ann,ann@x.test\n', { columns })
    const [ann] = await everyone(workspace)
    deepEqual([ann?.['name'], ann?.['company']], ['Ann', ''])
  })

  it('fails on a file that cannot be read', async () => {
    const workspace = await service.workspace()
    const key = randomUUID()
    const { status, body } = await commit(workspace, 'email\n"ann@x.test', {}, key)
    deepEqual(
      [status, body.state, body.rows.total, body.errors[0].code],
      [200, 'failed', 0, 'unreadable_file'],
    )
    equal((await workspace.call('GET', `/operations/${key}`)).body.state, 'failed')
  })

  it('says that a file of headings alone has nobody in it', async () => {
    const workspace = await service.workspace()
    for (const [text, row] of [
      ['Name,Mail\r\n', 1],
      ['Our customers\r\n\r\nName,Mail\r\n', 3],
    ] as const) {
      const plan = await workspace.call('POST', '/people/import', { file: fileOf(text) })
      const done = await commit(workspace, text)
      deepEqual([done.body.state, done.body.rows.total], ['done', 0])
      deepEqual(
        done.body.errors.map(({ row, column, code }: Record<string, unknown>) => [
          row,
          column,
          code,
        ]),
        [[row, null, 'no_rows']],
      )
      deepEqual(plan.body.errors, done.body.errors)
    }
  })

  it('fails on a malicious workbook, and reads a good one', async () => {
    const workspace = await service.workspace()
    const sheet = rowOf(1, ['Name', 'Email']) + rowOf(2, ['Ann', 'ann@x.test'])
    const trap = zipPacked(partsOf([' '.repeat(65 << 20)]))
    for (const [content, state, people] of [
      [trap, 'failed', 0],
      [workbook('', sheet), 'done', 1],
    ] as const) {
      const file = { name: 'people.xlsx', content: content.toString('base64') }
      const { status, body } = await workspace.call('POST', '/people/import', {
        file,
        commit: true,
      })
      deepEqual([status, body.state, body.rows.new], [200, state, people])
      equal((await everyone(workspace)).length, people)
    }
  })
})
