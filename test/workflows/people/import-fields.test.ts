import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { commit, fileOf } from '../../support/people-files.ts'
import { type SharedService, sharedService } from '../../support/service.ts'
import { rowOf, workbook } from '../../support/workbooks.ts'

describe("the client's own id and fields in an import", () => {
  let service: SharedService
  before(async function () {
    service = await sharedService(this.test?.ctx)
  })

  type Workspace = Awaited<ReturnType<SharedService['workspace']>>
  type Columns = { name: string; field: string | null }[]
  const plan = (workspace: Workspace, text: string, more: object = {}) =>
    workspace.call('POST', '/people/import', { file: fileOf(text), ...more })
  const columnsOf = async (workspace: Workspace, text: string, columns: Columns = []) =>
    (await plan(workspace, text, { columns })).body.columns.map(
      ({ name, field }: Columns[number]) => [name, field],
    )

  it('keep every column that means nothing else, under its heading', async () => {
    const workspace = await service.workspace()
    const text = 'Mail,Tier,Größe (cm),T-Shirt,,!!!,tier\na@x.test,gold,180,L,x,y,blue\n'
    deepEqual(await columnsOf(workspace, text), [
      ['Mail', 'email'],
      ['Tier', 'fields.Tier'],
      ['Größe (cm)', 'fields.Größe cm'],
      ['T-Shirt', 'fields.T-Shirt'],
      ['column 5', null],
      ['!!!', null],
      ['tier', 'fields.tier'],
    ])
    const { body } = await plan(workspace, text)
    const fields = { Tier: 'gold', 'Größe cm': '180', 'T-Shirt': 'L', tier: 'blue' }
    deepEqual(body.sample[0].fields, fields)
    await commit(workspace, text)
    const { people } = (await workspace.call('GET', '/people?field.T-Shirt=L')).body
    deepEqual(people[0].fields, fields)
  })

  it('keep columns apart whose headings make one name', async () => {
    const workspace = await service.workspace()
    const long = 'x'.repeat(60)
    const text = `Mail,a.b,a b,a/b,${long}y,${long}z\n`
    const made = (await columnsOf(workspace, text)).map(([, field]: string[]) => field)
    const fields = ['a b', 'a b 2', 'a b 3', long, `${'x'.repeat(58)} 2`]
    deepEqual(made, ['email', ...fields.map((name) => `fields.${name}`)])
  })

  it('leave numbers, true and false what they are', async () => {
    const workspace = await service.workspace()
    const { call } = workspace
    const fields = { seats: 12, vip: false, tier: 'gold' }
    const { body } = await call('POST', '/people', { email: 'a@x.test', fields })
    const text = 'Mail,seats,vip,tier\na@x.test,12,false,gold\n'
    const same = await commit(workspace, text, { mode: 'update' })
    deepEqual([same.body.rows.same, same.body.rows.update], [1, 0])
    await commit(workspace, text.replace('12', '13'), { mode: 'update' })
    const read = (await call('GET', `/people/${body.id}`)).body
    deepEqual(read.fields, { ...fields, seats: 13 })
  })

  it('are numbers, true and false where the cells of a workbook are', async () => {
    const workspace = await service.workspace()
    const { call } = workspace
    const sheet = [
      rowOf(1, ['Mail', 'Ref', 'City', 'seats', 'price', 'vip', 'tier', 'iban', 'since', 'far']),
      rowOf(2, [
        ...['ann@x.test', 4711, 3, 40],
        { as: '', v: '0.30000000000000004' },
        { as: 't="b"', v: '1' },
        '7',
        { as: '', v: '12345678901234567890' },
        { as: 's="1"', v: '29358' },
        { as: '', v: '1E+300' },
      ]),
    ]
    const file = { name: 'crm.xlsx', content: workbook(sheet.join('')).toString('base64') }
    const body = { file, columns: [{ name: 'Ref', field: 'externalId' }], mode: 'update' }
    const fields = {
      ...{ seats: 40, price: 0.3, vip: true, tier: '7', since: '1980-05-17' },
      ...{ iban: '12345678901234567890', far: '1e+300' },
    }
    const plan = await call('POST', '/people/import', body)
    deepEqual(plan.body.sample[0].fields, fields, plan.text)
    equal((await call('POST', '/people/import', { ...body, commit: true })).status, 200)
    const [ann] = (await call('GET', '/people?externalId=4711&field.seats=40')).body.people
    deepEqual([ann.city, ann.fields], ['3', fields])
    const again = await call('POST', '/people/import', { ...body, commit: true })
    equal(again.body.rows.same, 1)
    // A text that says the same stays a text.
    await call('PATCH', `/people/${ann.id}`, { fields: { seats: '40', vip: 'true' } })
    const third = await call('POST', '/people/import', { ...body, commit: true })
    equal(third.body.rows.same, 1)
  })

  it('go where the client says, under another name, as the id, or nowhere', async () => {
    const workspace = await service.workspace()
    const text = 'Mail,Ref,Tier,Shoe\na@x.test,crm-1,gold,42\n'
    const columns = [
      { name: 'Ref', field: 'externalId' },
      { name: 'Tier', field: 'fields.level' },
      { name: 'Shoe', field: null },
    ]
    deepEqual(
      (await columnsOf(workspace, text, columns)).map(([, field]: string[]) => field),
      ['email', 'externalId', 'fields.level', null],
    )
    await commit(workspace, text, { columns })
    const { people } = (await workspace.call('GET', '/people?externalId=crm-1')).body
    deepEqual([people[0].externalId, people[0].fields], ['crm-1', { level: 'gold' }])
    for (const field of ['fields.', 'fields.a.b', `fields.${'x'.repeat(61)}`, 'fields.__proto__']) {
      const { status, body } = await plan(workspace, text, { columns: [{ name: 'Tier', field }] })
      deepEqual([status, body.errors[0].pointer], [422, '/columns/0/field'], field)
    }
  })

  it('match by the id first, then by address', async () => {
    const workspace = await service.workspace()
    const { call } = workspace
    const make = async (body: object) => (await call('POST', '/people', body)).body.id
    const ann = await make({ externalId: 'crm-1', email: 'ann@x.test', fields: { tier: 'gold' } })
    const bob = await make({ email: 'bob@x.test' })
    const cem = await make({ externalId: 'crm-3', email: 'cem@x.test' })
    const text = [
      'External ID,Mail,tier,note',
      'crm-1,ann@new.test,blue,hello',
      'crm-2,bob@x.test,,',
      'crm-9,cem@x.test,,',
      'crm-1,cem@x.test,,',
      'crm-4,,red,',
      'crm-4,dora@x.test,,',
      ',,,nobody',
    ].join('\n')
    const planned = await plan(workspace, text)
    const key = randomUUID()
    const { body } = await commit(workspace, text, {}, key)
    deepEqual(body.rows, planned.body.rows)
    deepEqual(body.errors, planned.body.errors)
    const { rows } = (await call('GET', `/people/import/${key}/rows`)).body
    type Row = { row: number; outcome: string; person: string; errors: { code: string }[] }
    const dora = (await call('GET', '/people?externalId=crm-4')).body.people[0]
    deepEqual(
      rows.map(({ row, outcome, person, errors }: Row) => [
        row,
        outcome,
        person,
        ...errors.map(({ code }) => code),
      ]),
      [
        [2, 'update', ann],
        [3, 'update', bob],
        [4, 'invalid', null, 'matches_two'],
        [5, 'invalid', null, 'matches_two'],
        [6, 'new', dora.id],
        [7, 'duplicate', dora.id],
        [8, 'invalid', null, 'no_contact'],
      ],
    )
    deepEqual([dora.emails, dora.fields], [['dora@x.test'], { tier: 'red' }])
    const read = async (id: string) => (await call('GET', `/people/${id}`)).body
    deepEqual((await read(ann)).emails, ['ann@x.test', 'ann@new.test'])
    deepEqual((await read(ann)).fields, { tier: 'gold', note: 'hello' })
    equal((await read(bob)).externalId, 'crm-2')
    equal((await read(cem)).externalId, 'crm-3')

    await commit(workspace, text, { mode: 'update' })
    deepEqual((await read(ann)).fields, { tier: 'blue', note: 'hello' })
    // Given values replace: letters go to the given address from now on.
    deepEqual((await read(ann)).emails, ['ann@new.test', 'ann@x.test'])
    const again = await commit(workspace, text, { mode: 'update' })
    deepEqual([again.body.rows.same, again.body.rows.update], [3, 0])
  })

  it('come with phone numbers of a region: that of the call, or of the workspace', async () => {
    const workspace = await service.workspace()
    const { call, id } = workspace
    const text = 'Mail,Phone\na@x.test,030 1234567\nb@x.test,+44 20 7946 0018\n'
    const phones = async () =>
      (await call('GET', '/people')).body.people.map(
        (person: { phones: string[] }) => person.phones,
      )
    await commit(workspace, text)
    deepEqual(await phones(), [['030 1234567'], ['+442079460018']])
    const { body } = await plan(workspace, text, { region: 'de' })
    deepEqual(
      body.sample.map(({ phone }: { phone: string }) => phone),
      ['+49301234567', '+442079460018'],
    )
    await service.db.updateTable('workspaces').set({ region: 'DE' }).where('id', '=', id).execute()
    await commit(workspace, text.replaceAll('x.test', 'y.test'))
    deepEqual((await phones()).flat().sort(), [
      '+442079460018',
      '+442079460018',
      '+49301234567',
      '030 1234567',
    ])
    await commit(workspace, text.replaceAll('x.test', 'z.test'), { region: 'FR' })
    deepEqual((await call('GET', '/people?q=a@z.test')).body.people[0].phones, ['+33301234567'])
    for (const region of ['Germany', 'D', 'XX', 7]) {
      const refused = await plan(workspace, text, { region })
      deepEqual([refused.status, refused.body.errors[0].pointer], [422, '/region'])
    }
  })

  it('are bounded', async () => {
    const workspace = await service.workspace()
    const { call } = workspace
    const fields = Object.fromEntries(Array.from({ length: 99 }, (_, i) => [`f${i}`, i]))
    await call('POST', '/people', { email: 'a@x.test', fields })
    const text = `Mail,one,two,long\na@x.test,1,2,\nb@x.test,,,${'x'.repeat(2001)}\n`
    const { body } = await commit(workspace, text)
    deepEqual(
      body.errors.map(({ row, code, column }: Record<string, unknown>) => [row, code, column]),
      [
        [2, 'too_many_fields', null],
        [3, 'too_long', 'long'],
      ],
    )
    const [a, b] = (await call('GET', '/people?q=x.test')).body.people
    deepEqual([Object.keys(a.fields).length, a.fields.one, b.fields], [100, '1', {}])
    const wide = Array.from({ length: 150 }, (_, i) => `c${i}`).join(',')
    const kept = (await columnsOf(workspace, `Mail,${wide}\nc@x.test\n`)).filter(
      ([, field]: [string, string | null]) => field !== null,
    )
    equal(kept.length, 101)
  })

  it('name each column that was left out because there are too many, unless the client did so', async () => {
    const workspace = await service.workspace()
    const names = Array.from({ length: 102 }, (_, i) => `c${i}`)
    const text = `\nMail,${names.join(',')}\na@x.test,${names.join(',')}\nb@x.test\n`
    const beyond = (column: string) => ({
      ...{ row: 2, column, code: 'too_many_columns' },
      message: 'was left out, because a hundred other columns are fields of your own already',
    })
    const { body: planned } = await plan(workspace, text)
    deepEqual(planned.errors, [beyond('c100'), beyond('c101')])
    const { body } = await commit(workspace, text)
    deepEqual([body.rows.new, body.errors], [2, planned.errors])
    const columns = [
      { name: 'c100', field: null },
      { name: 'c0', field: null },
      { name: 'c101', field: 'fields.c101' },
    ]
    const second = await commit(workspace, text, { columns, mode: 'update' })
    deepEqual([second.status, second.body.errors[0].code], [200, 'too_many_fields'])
    const third = await commit(workspace, text.replaceAll('x.test', 'y.test'), { columns })
    deepEqual([third.body.rows.new, third.body.errors], [2, []])
  })

  it('refuse a corrected column that does not say what it holds', async () => {
    const workspace = await service.workspace()
    const columns = [{ name: 'Mail', field: 'email' }, { name: 'Tier' }]
    for (const commit of [false, true]) {
      const { status, body } = await plan(workspace, 'Mail,Tier\na@x.test,gold\n', {
        columns,
        commit,
      })
      deepEqual(
        [status, body.errors],
        [
          422,
          [
            {
              pointer: '/columns/1/field',
              code: 'invalid_union',
              message: 'is missing: say what the column holds, or null to leave it out',
            },
          ],
        ],
      )
    }
    deepEqual((await workspace.call('GET', '/people')).body.people, [])
  })
})
