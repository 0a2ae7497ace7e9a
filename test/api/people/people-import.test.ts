import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type Caller, startService, type TestService } from '../../support/service.ts'

const base64 = (text: string | Buffer) => Buffer.from(text as string).toString('base64')
const file = (text: string | Buffer) => ({ name: 'people.csv', content: base64(text) })
const largest = 3_145_728

describe('the plan of POST /people/import', () => {
  let service: TestService
  before(async function () {
    this.timeout(120_000)
    service = await startService({ patience: { dispatchMs: 0 } })
  })
  after(() => service.close())

  const plan = async (call: Caller, text: string | Buffer, more: object = {}) => {
    const reply = await call('POST', '/people/import', { file: file(text), ...more }, { key: null })
    equal(reply.status, 200, reply.text)
    return reply.body
  }

  it('says what each column is and what would become of each row, and changes nothing', async () => {
    const { call } = await service.workspace()
    await call('POST', '/people', { name: 'Ann', email: 'ann@x.test', company: 'Acme' })
    await call('POST', '/people', { name: 'Bob', email: 'bob@x.test' })
    const text = [
      'Name,E-mail,Phone,Firm',
      'Cleo,cleo@x.test,,',
      'Ann,ANN@x.test,,Acme',
      'Robert,bob@x.test,,Bobs',
      'Cleo,Cleo@X.test,+4930123456,',
      'Dan,nothing,,',
      ',,,Nobody Ltd',
      'Eve,eve@x.test,12,',
    ].join('\n')
    const { columns, rows, errors, sample } = await plan(call, text)
    deepEqual(columns, [
      { name: 'Name', field: 'name', sample: 'Cleo' },
      { name: 'E-mail', field: 'email', sample: 'cleo@x.test' },
      { name: 'Phone', field: 'phone', sample: '+4930123456' },
      { name: 'Firm', field: 'company', sample: 'Acme' },
    ])
    deepEqual(rows, { total: 7, new: 2, update: 1, same: 1, duplicate: 1, invalid: 2 })
    deepEqual(
      errors.map(({ row, column, code }: Record<string, unknown>) => [row, column, code]),
      [
        [6, 'E-mail', 'invalid_email'],
        [7, null, 'no_contact'],
        [8, 'Phone', 'invalid_phone'],
      ],
    )
    deepEqual(sample[0], {
      row: 2,
      outcome: 'new',
      person: null,
      joined: null,
      name: 'Cleo',
      email: 'cleo@x.test',
      phone: '',
      linkedin: '',
      company: '',
      city: '',
      jobTitle: '',
      externalId: null,
      fields: {},
    })
    equal((await call('GET', '/people')).body.people.length, 2)
    deepEqual((await call('GET', '/audit')).body.entries.length, 2)
  })

  it('keeps colleagues apart who share an office number, and names duplicates', async () => {
    const { call } = await service.workspace()
    const { body: ann } = await call('POST', '/people', { name: 'Ann', email: 'ann@x.test' })
    const text = [
      'Name,E-mail,Phone',
      'Anna Berg,anna@x.test,+49 30 123456',
      'Bert Cole,bert@x.test,+49 30 123456',
      'Cem Dere,cem@x.test,+49 30 123456',
      'Bert,bert@x.test,',
      'Ann,ann@x.test,',
      'Ann,,+49 30 777777',
      'Ann,ann@x.test,+49 30 777777',
      'A. Berg,ANNA@x.test,+49 30 123456',
    ].join('\n')
    const { rows, errors, duplicates } = await plan(call, text)
    deepEqual(errors.length, 1, JSON.stringify(errors))
    deepEqual(rows, { total: 8, new: 4, update: 0, same: 1, duplicate: 2, invalid: 1 })
    deepEqual(duplicates, [
      { row: 5, joined: 3, person: null },
      { row: 9, joined: 2, person: null },
    ])
    const twice = await plan(call, 'Name,E-mail\nA,ann@x.test\nB,ann@x.test')
    deepEqual(twice.duplicates, [{ row: 3, joined: 2, person: ann.id }])
    deepEqual(
      twice.sample.map(({ person, joined }: Record<string, unknown>) => [person, joined]),
      [
        [ann.id, null],
        [ann.id, 2],
      ],
    )
  })

  const table: [string, string | Buffer, string[]][] = [
    ['commas', 'name,email\nAnn,ann@x.test\n', ['name', 'email']],
    ['semicolons and CRLF', 'name;email\r\n"Lee, Ann";ann@x.test\r\n', ['name', 'email']],
    ['tabs', 'name\temail\nAnn\tann@x.test', ['name', 'email']],
    ['pipes', 'name|email\nAnn|ann@x.test\n', ['name', 'email']],
    ['a byte order mark', '\ufeffemail,name\nann@x.test,Ann\n', ['email', 'name']],
    ['a hint of its delimiter', 'sep=;\nemail;name\nann@x.test;Ann\n', ['email', 'name']],
    ['one column', 'email\nann@x.test\n', ['email']],
    [
      'line breaks in quotes',
      'name,email,city\n"Ann\r\nLee",ann@x.test,"a ""b"""\n',
      ['name', 'email', 'city'],
    ],
    ['ragged rows', 'name,email,city\nAnn,ann@x.test\n', ['name', 'email', 'city']],
    ['more cells than headings', 'name,email\nAnn,ann@x.test,Berlin,x\n', ['name', 'email']],
    ['blank rows', 'name,email\n\n,\nAnn,ann@x.test\n\n', ['name', 'email']],
    ['mixed line ends', 'name,email\r\nAnn,ann@x.test\n\r\n', ['name', 'email']],
    ['U+0000 in a cell', 'name,email\nA\0nn,ann\0@x.test\n', ['name', 'email']],
    ['no headings', 'Ann Lee;ann@x.test;+49 30 123456\n', ['name', 'email', 'phone']],
    [
      'German',
      'Vorname;Nachname;E-Mail-Adresse;Mobil;Firma;Ort;Funktion\nA;B;ann@x.test;;;;\n',
      ['firstName', 'lastName', 'email', 'phone', 'company', 'city', 'jobTitle'],
    ],
    [
      'French',
      'Prénom;Nom;Adresse e-mail;Téléphone;Société;Ville;Poste\nA;B;ann@x.test;;;;\n',
      ['firstName', 'lastName', 'email', 'phone', 'company', 'city', 'jobTitle'],
    ],
    [
      'Spanish',
      'Nombre;Apellidos;Correo electrónico;Teléfono;Empresa;Ciudad;Cargo\nA;B;ann@x.test;;;;\n',
      ['firstName', 'lastName', 'email', 'phone', 'company', 'city', 'jobTitle'],
    ],
    [
      'Italian',
      'Nome e cognome;Indirizzo e-mail;Cellulare;Azienda;Città;Ruolo\nA B;ann@x.test;;;;\n',
      ['name', 'email', 'phone', 'company', 'city', 'jobTitle'],
    ],
    [
      'Portuguese',
      'Nome completo;E-mail;Telemóvel;Empresa;Cidade;Função\nA B;ann@x.test;;;;\n',
      ['name', 'email', 'phone', 'company', 'city', 'jobTitle'],
    ],
    [
      'Dutch',
      'Voornaam;Achternaam;E-mailadres;Telefoonnummer;Bedrijf;Plaats;Functie\nA;B;ann@x.test;;;;\n',
      ['firstName', 'lastName', 'email', 'phone', 'company', 'city', 'jobTitle'],
    ],
    [
      'Polish',
      'Imię;Nazwisko;Adres e-mail;Numer telefonu;Nazwa firmy;Miasto;Stanowisko\nA;B;ann@x.test;;;;\n',
      ['firstName', 'lastName', 'email', 'phone', 'company', 'city', 'jobTitle'],
    ],
    [
      'Russian',
      'ФИО;Электронная почта;Телефон;Компания;Город;Должность\nА Б;ann@x.test;;;;\n',
      ['name', 'email', 'phone', 'company', 'city', 'jobTitle'],
    ],
    [
      'what the cells look like',
      'who,where to,ring,page\nAnn,ann@x.test,+4930123456,https://www.linkedin.com/in/ann\n',
      ['fields.who', 'email', 'phone', 'linkedin'],
    ],
    ['numbers that are no phones', 'email,ref\nann@x.test,10000001\n', ['email', 'fields.ref']],
    ['two columns of a name', 'email,email\nann@x.test,ann@y.test\n', ['email', 'email']],
  ]
  for (const [what, text, fields] of table)
    it(`reads a file with ${what}`, async () => {
      const { call } = await service.workspace()
      const { columns, rows, sample } = await plan(call, text)
      deepEqual(
        columns.map((column: { field: string | null }) => column.field ?? ''),
        fields,
      )
      equal(new Set(columns.map((column: { name: string }) => column.name)).size, fields.length)
      deepEqual(rows, { total: 1, new: 1, update: 0, same: 0, duplicate: 0, invalid: 0 })
      equal(sample[0].email, 'ann@x.test')
    })

  const unreadable: [string, string | Buffer][] = [
    ['nothing', ''],
    ['blanks', '\n \n'],
    ['a workbook', Buffer.from('504b0304140006000800', 'hex')],
    ['a quote that never closes', `email\nann@x.test,"${'x'.repeat(3_000_000)}`],
    ['a million columns', `${'a,'.repeat(1_000_000)}\n`],
  ]
  for (const [what, text] of unreadable)
    it(`refuses ${what} as unreadable`, async () => {
      const { call } = await service.workspace()
      const { status, body } = await call('POST', '/people/import', { file: file(text) })
      deepEqual([status, body.code], [422, 'unreadable_file'])
    })

  it('copes with three megabytes in one cell, and three million cells in one row', async () => {
    const { call } = await service.workspace()
    const cell = await plan(call, `email,name\nann@x.test,"${'x'.repeat(3_100_000)}"\n`)
    deepEqual([cell.rows.new, cell.errors[0].code], [1, 'too_long'])
    const row = await plan(call, `email\n${','.repeat(3_100_000)}`)
    equal(row.rows.total, 0)
  })

  it('takes up to 3,145,728 bytes', async () => {
    const { call } = await service.workspace()
    const text = 'email,note\nann@x.test,'
    const most = await plan(call, text + 'x'.repeat(largest - text.length))
    equal(most.rows.new, 1)
    for (const commit of [false, true]) {
      const content = base64(text + 'x'.repeat(largest + 1 - text.length))
      const { status, body } = await call(
        'POST',
        '/people/import',
        { file: { name: 'a.csv', content }, commit },
        { key: 'k' },
      )
      deepEqual([status, body.code], [413, 'file_too_large'])
    }
    // The refusal is not stored: the key can still be used.
    equal((await call('POST', '/people/import', { file: file('email') }, { key: 'k' })).status, 200)
    const { status, body } = await call('POST', '/people/import', {
      file: file('x'.repeat(8_000_000)),
    })
    deepEqual([status, body.code], [413, 'file_too_large'])
    equal((await call('GET', '/people')).body.people.length, 0)
  })

  it('uses the columns as corrected', async () => {
    const { call } = await service.workspace()
    const text = 'Firm,Who,Mail\nAcme,Ann,ann@x.test\n'
    const { columns } = await plan(call, text)
    const corrections: Record<string, string | null> = { Firm: null, Who: 'name' }
    const corrected = columns.map((column: { name: string; field: string | null }) => ({
      ...column,
      field: column.name in corrections ? corrections[column.name] : column.field,
    }))
    const again = await plan(call, text, { columns: corrected })
    deepEqual(
      again.columns.map((column: { field: string | null }) => column.field),
      [null, 'name', 'email'],
    )
    deepEqual([again.sample[0].name, again.sample[0].company], ['Ann', ''])
    deepEqual(await plan(call, text, { columns: [] }), await plan(call, text))
  })

  const wrong: [string, object, string][] = [
    [
      'a column that is not in the file',
      {
        columns: [
          { name: 'email', field: 'email' },
          { name: 'Age', field: 'name' },
        ],
      },
      '/columns/1/name',
    ],
    [
      'a field that is none',
      { columns: [{ name: 'email', field: 'shoeSize' }] },
      '/columns/0/field',
    ],
    ['content that is not base64', { file: { name: 'a.csv', content: '*&^' } }, '/file/content'],
    ['no content', { file: { name: 'a.csv' } }, '/file/content'],
    ['no file', { file: null }, '/file'],
    ['a stranger among its members', { dryRun: true }, '/dryRun'],
  ]
  for (const [what, change, pointer] of wrong)
    for (const commit of [false, true])
      it(`refuses ${what}, commit ${commit}, at ${pointer}`, async () => {
        const { call } = await service.workspace()
        const body = { file: file('email\nann@x.test\n'), commit, ...change }
        const reply = await call('POST', '/people/import', body)
        equal(reply.status, 422, reply.text)
        equal(reply.body.errors[0].pointer, pointer)
      })

  it('needs no key, but replays the answer under one; a commit needs a key', async () => {
    const { call } = await service.workspace()
    const body = { file: file('email\nann@x.test\n') }
    const key = randomUUID()
    const first = await call('POST', '/people/import', body, { key })
    await call('POST', '/people', { email: 'ann@x.test' })
    const again = await call('POST', '/people/import', body, { key })
    equal(again.text, first.text)
    equal(again.headers.get('idempotent-replayed'), 'true')
    const { status, body: problem } = await call(
      'POST',
      '/people/import',
      { ...body, commit: true },
      { key: null },
    )
    deepEqual([status, problem.code], [400, 'idempotency_key_missing'])
  })

  it('lists the first thousand problems and counts all of them', async () => {
    const { call } = await service.workspace()
    const { rows, errors } = await plan(call, `email\n${'nothing\n'.repeat(5_000)}`)
    deepEqual([rows.total, rows.invalid, errors.length], [5_000, 5_000, 1_000])
  })

  it('accepts a commit at once even without a worker', async () => {
    const { call } = await service.workspace()
    const key = randomUUID()
    const { status, body } = await call(
      'POST',
      '/people/import',
      { file: file('email\nann@x.test\n'), commit: true },
      { key },
    )
    equal(status, 200)
    deepEqual([body.operation, body.state, body.rows.total, body.errors], [key, 'accepted', 0, []])
    match((await call('GET', `/operations/${key}`)).body.kind, /importPeople/)
    ok(
      (await call('GET', '/audit')).body.entries.some(
        (entry: { action: string }) => entry.action === 'people.imported',
      ),
    )
  })
})
