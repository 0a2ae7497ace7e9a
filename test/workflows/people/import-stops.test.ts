import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { commit, everyone, fileOf } from '../../support/people-files.ts'
import { type SharedService, sharedService } from '../../support/service.ts'
import { countStatements } from '../../support/statements.ts'
import { partsOf, rowOf, zipPacked } from '../../support/workbooks.ts'

describe('an import of what other programs export', () => {
  let service: SharedService
  before(async function () {
    service = await sharedService(this.test?.ctx)
  })

  type Workspace = Awaited<ReturnType<SharedService['workspace']>>
  const plan = (workspace: Workspace, text: string, more: object = {}) =>
    workspace.call('POST', '/people/import', { file: fileOf(text), ...more })
  const suppressedIn = async ({ call }: Workspace) =>
    (await call('GET', '/suppressions')).body.suppressions
      .map(({ address, reason }: Record<string, string>) => `${address} ${reason}`)
      .sort()

  it('suppresses everybody of whom a column says so, as its plan says, and keeps the others', async () => {
    const workspace = await service.workspace()
    const text = [
      'First Name,Last Name,Email,Contact owner,Unsubscribed from all email,Email hard bounce reason,Lead Status',
      'Ana,Ruiz,ana@x.test;ana@home.test,eva@our.test,true,,New',
      'Bo,Lund,bo@x.test,eva@our.test,false,,New',
      'Cem,Dere,cem@x.test;cem@home.test,eva@our.test,,UNKNOWN_USER,Open',
      'Dora,Weiß,dora@x.test,eva@our.test,,,Unsubscribed',
      'Eva,Roth,eva@x.test,eva@our.test,2026-01-01 10:00,,',
    ].join('\n')
    const { body } = await plan(workspace, text)
    deepEqual(body.suppressions, { unsubscribe: 3, bounce: 1, complaint: 0 })
    deepEqual(
      body.suppressed.map(({ row, reason, column, address }: Record<string, string>) => [
        ...[row, reason, column, address],
      ]),
      [
        [2, 'unsubscribe', 'Unsubscribed from all email', 'ana@x.test'],
        [4, 'bounce', 'Email hard bounce reason', 'cem@x.test'],
        [5, 'unsubscribe', 'Lead Status', 'dora@x.test'],
        [6, 'unsubscribe', 'Unsubscribed from all email', 'eva@x.test'],
      ],
    )
    deepEqual(await suppressedIn(workspace), [])
    const done = await commit(workspace, text)
    deepEqual(done.body.rows, body.rows, done.text)
    deepEqual(done.body.suppressions, body.suppressions, done.text)
    deepEqual([body.rows.new, (await everyone(workspace)).length], [5, 5])
    const suppressed = [
      ...['ana@home.test unsubscribe', 'ana@x.test unsubscribe', 'cem@x.test bounce'],
      ...['dora@x.test unsubscribe', 'eva@x.test unsubscribe'],
    ]
    deepEqual(await suppressedIn(workspace), suppressed)
    await commit(workspace, text)
    deepEqual(await suppressedIn(workspace), suppressed)
  })

  it('suppresses those whom it does not import too', async () => {
    const workspace = await service.workspace()
    const { call } = workspace
    await call('POST', '/people', { email: 'ana@x.test', externalId: '1' })
    const done = await commit(
      workspace,
      'External ID,Email,DND\n2,ana@x.test,yes\n3,bo@x.test,yes\n',
    )
    equal(done.body.errors[0].code, 'matches_two')
    deepEqual(await suppressedIn(workspace), ['ana@x.test unsubscribe', 'bo@x.test unsubscribe'])
  })

  it('makes a column that the client means otherwise a field, and suppresses nobody', async () => {
    const workspace = await service.workspace()
    const columns = [{ name: 'DND', field: 'fields.night' }]
    await commit(workspace, 'Email,DND\nana@x.test,yes\n', { columns })
    deepEqual(await suppressedIn(workspace), [])
    deepEqual((await everyone(workspace))[0]?.['fields'], { night: 'yes' })
    const other = { columns: [{ name: 'Nee', field: 'unsubscribed' }] }
    await commit(workspace, 'Email,Nee\nana@x.test,x\n', other)
    deepEqual(await suppressedIn(workspace), ['ana@x.test unsubscribe'])
  })

  it('reads below a title, from the row that the client names if it names one', async () => {
    const workspace = await service.workspace()
    const text = 'Contacts November,,\n,,\nFirst name,E-mail,Company\nAna,ana@x.test,Acme\n'
    const { body } = await plan(workspace, text)
    deepEqual(
      [
        body.headings,
        body.rows.new,
        body.sample[0].row,
        body.sample[0].name,
        body.sample[0].company,
      ],
      [3, 1, 4, 'Ana', 'Acme'],
    )
    const other = await plan(workspace, text, { headings: 1 })
    deepEqual([other.body.headings, other.body.rows.total], [1, 2])
    equal((await plan(workspace, 'ana@x.test\n', { headings: 0 })).body.headings, null)
    for (const committed of [false, true]) {
      const wrong = await plan(workspace, text, { headings: 9, commit: committed })
      deepEqual([wrong.status, wrong.body.errors[0].pointer], [422, '/headings'], wrong.text)
    }
    await commit(workspace, `Name,E-mail\n${text}`, { headings: 4 })
    equal((await everyone(workspace))[0]?.['company'], 'Acme')
  })

  it('reads the sheet with the people, or the one that the client names', async () => {
    const workspace = await service.workspace()
    const { call } = workspace
    const readMe = [rowOf(1, ['Read me']), rowOf(2, ['Contact', 'help@our.test'])].join('')
    const some = (...names: string[]) =>
      [['Name', 'E-mail', 'Company'], ...names.map((name) => [name, `${name}@x.test`, 'Acme'])]
        .map((cells, i) => rowOf(i + 1, cells))
        .join('')
    const parts = partsOf([readMe, some('ana', 'bo'), some('old')])
    const directory = parts.find(({ name }) => name === 'xl/workbook.xml')
    ok(directory)
    directory.content = Buffer.from(
      directory.content.toString().replace('name="S2"', 'name="Müller &amp; Söhne"'),
    )
    const file = { name: 'crm.xlsx', content: zipPacked(parts).toString('base64') }
    const { body } = await call('POST', '/people/import', { file })
    deepEqual(
      [body.sheets, body.sheet, body.headings, body.rows.new],
      [['S0', 'S1', 'Müller & Söhne'], 'S1', 1, 2],
    )
    const sheet = 'Müller & Söhne'
    equal((await call('POST', '/people/import', { file, sheet })).body.rows.new, 1)
    const wrong = await call('POST', '/people/import', { file, sheet: 'S9' })
    deepEqual([wrong.status, wrong.body.errors[0].pointer], [422, '/sheet'])
    match(wrong.body.errors[0].message, /S0, S1/)
    equal((await call('POST', '/people/import', { file, sheet, commit: true })).status, 200)
    equal((await everyone(workspace))[0]?.['name'], 'old')
  })

  it('joins nobody by an address in rows of different names, names it, and loses nobody', async () => {
    const workspace = await service.workspace()
    const text = [
      'Name,Email,Mail 2,Phone',
      'Ana Ruiz,ana@x.test,office@x.test,+49 30 1234567',
      'Bo Lund,bo@x.test,office@x.test,+49 30 1234567',
      'Cem Dere,,office@x.test,',
      'Dora Weiß,,,+49 30 1234567',
      'A. Ruiz,ana@x.test,,',
      'cem dere,,office@x.test,',
      'Bo Lund,,office@x.test,',
    ].join('\n')
    const columns = [{ name: 'Mail 2', field: 'email' }]
    const { body } = await plan(workspace, text, { columns })
    deepEqual([body.rows.new, body.rows.duplicate, body.rows.invalid], [4, 3, 0])
    deepEqual(
      body.errors.map(({ row, code }: Record<string, string>) => [row, code]),
      [2, 3, 4, 7, 8].map((row) => [row, 'shared_address']),
    )
    match(body.errors[0].message, /^office@x\.test stands in rows of different names/)
    const key = randomUUID()
    const done = await commit(workspace, text, { columns }, key)
    deepEqual([done.body.rows, done.body.errors], [body.rows, body.errors])
    const cards = await everyone(workspace)
    deepEqual(cards.map(({ name, emails }) => [name, emails]).sort(), [
      ['Ana Ruiz', ['ana@x.test']],
      ['Bo Lund', ['bo@x.test']],
      ['Cem Dere', []],
      ['Dora Weiß', []],
    ])
    const again = await commit(workspace, text, { columns })
    deepEqual([again.body.rows.new, again.body.rows.same], [0, 4])
  })

  it('makes a card of each who shares a mailbox and has no address of their own', async () => {
    const workspace = await service.workspace()
    const person = ['Name,Email,Company', 'Ana Ruiz,info@x.test,Acme', 'Bo Lund,info@x.test,Acme']
    const text = [...person, 'Ana Ruiz,info@x.test,Other', ',info@x.test,'].join('\n')
    const { body } = await plan(workspace, text)
    deepEqual([body.rows.new, body.rows.invalid], [3, 1])
    const done = await commit(workspace, text)
    deepEqual([done.body.rows, done.body.errors], [body.rows, body.errors])
    deepEqual(
      (await everyone(workspace))
        .map(({ name, company, emails }) => [name, company, emails])
        .sort(),
      [
        ['Ana Ruiz', 'Acme', []],
        ['Ana Ruiz', 'Other', []],
        ['Bo Lund', 'Acme', []],
      ],
    )
    deepEqual((await commit(workspace, text)).body.rows.same, 3)
  })

  it('suppresses a whole batch in as many statements as a few people', async () => {
    const workspace = await service.workspace()
    const reasons = ['Unsubscribed,,', ',550,', ',,yes']
    const costOf = async (people: number) => {
      const counter = countStatements(service.databaseUrl)
      const rows = Array.from(
        { length: people },
        (_, i) => `p${i}.${people}@x.test,${reasons[i % 3]}`,
      )
      await commit(workspace, ['Email,Email status,Hard bounce,Spam complaint', ...rows].join('\n'))
      const sent = counter.take().filter(({ unit }) => unit === 'importRows')
      counter.stop()
      return sent.length
    }
    const [few, many] = [await costOf(6), await costOf(480)]
    // A slow machine may look once more whether the import goes on.
    ok(few > 0 && many < 60 && many - few < 10, `${few} statements, and ${many}`)
  })

  it('warns of numbers without a country, and refuses those that were rounded', async () => {
    const workspace = await service.workspace()
    const text =
      'Email,Phone\na@x.test,0151 1234567\nb@x.test,4915112345678\nc@x.test,4.91512E+11\n'
    const { body } = await plan(workspace, text)
    deepEqual(
      body.warnings.map(({ row, column, code }: Record<string, string>) => [row, column, code]),
      [[2, 'Phone', 'no_region']],
    )
    deepEqual([body.errors[0].code, body.errors[0].row, body.rows.new], ['rounded_number', 4, 3])
    match(body.errors[0].message, /rounded by a spreadsheet/)
    deepEqual((await plan(workspace, text, { region: 'DE' })).body.warnings, [])
  })
})
