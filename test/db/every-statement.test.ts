import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { loadModule } from 'libpg-query'
import { type Catalogue, readCatalogue } from '../support/isolation/catalogue.ts'
import { refusalOf } from '../support/isolation/record.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'

// The rule that every run of the tests holds its statements against (support/isolation), held against statements itself.

const narrow: Record<string, string> = {
  'by its workspace': 'select * from people where workspace = $1',
  'by its workspace, among other words':
    'select * from messages where (workspace = $1 and at > $2) and state in ($3, $4)',
  'in every branch of an or':
    'select * from people where (workspace = $1 and id = $2) or (name = $3 and workspace = $1)',
  'by a join': `select n.text from notes n join conversations c on c.id = n.conversation
    left join members m on m.id = n.author where c.workspace = $1`,
  'by a subselect': `select * from person_tags where person in (select id from people where workspace = $1)`,
  'by an exists': `delete from notes n where exists (
    select from conversations c where c.id = n.conversation and c.workspace = $1)`,
  'by what surrounds it': `select p.id, (select count(*) from addresses a where a.person = p.id) from people p
    where p.workspace = $1 and not exists (select from person_tags t where t.person = p.id)`,
  'beside it': `select c.id, last.text from conversations c cross join lateral (
    select text from messages m where m.conversation = c.id order by at desc limit 1) last where c.workspace = $1`,
  'in a part of its own': `with mine as (select id from people where workspace = $1)
    update addresses set position = 0 from mine where addresses.person = mine.id`,
  'by where its connection belongs': `select count(*) from suppressions s
    where s.workspace = (select workspace from connections where id = 'con_a')`,
  'as a new row': 'insert into people (id, workspace, name) values ($2, $1, $3)',
  'with what belongs to nobody': 'select * from settings where name = $2',
}

const wide: Record<string, string> = {
  'the complaints of all': `with mine as (select * from messages where workspace = $1 and direction = 'outbound')
    select (select count(distinct s.address)::int from suppressions s where s.reason = 'complaint'
      and s.address in (select lower(to_address) from mine)) as complaints from mine`,
  'a table whole': 'select count(*) from people',
  'an address, which others know too': 'select person from addresses where value = $2',
  'one branch of an or': 'select * from people where workspace = $1 or name = $2',
  'any workspace but one': 'select * from people where not (workspace = $1)',
  'a workspace compared with itself': 'select * from people p where p.workspace = p.workspace',
  'a second table that hangs on nothing': `select * from conversations c, people p where c.workspace = $1`,
  'two tables that hang on each other': `select * from conversations c join people p on p.id = c.person`,
  'a join by what is no key': `select * from people p join prospects q on q.name = p.name where p.workspace = $1`,
  'what an outer join keeps': 'select * from people p left join companies c on p.workspace = $1',
  'an exists that hangs on nothing': `select * from people p where exists (
    select from conversations c where c.workspace = $1)`,
  'an exists that is refused': `select * from notes n where not exists (
    select from conversations c where c.id = n.conversation and c.workspace = $1)`,
  'one of two selects': `select id from people where workspace = $1 union select id from people`,
  'a change': 'update people set name = $1',
  'a removal': 'delete from suppressions where address = $1',
  'a part that changes': `with gone as (delete from notifications returning id) select * from gone`,
  'what is inserted from elsewhere': `insert into labels (id, workspace, name) select id, $1, name from products`,
}

describe('a statement that touches what belongs to a workspace', () => {
  let database: TestDatabase
  let catalogue: Catalogue
  before(async () => {
    await loadModule()
    database = await createTestDatabase()
    catalogue = await readCatalogue(database.url)
  })
  after(() => database.drop())

  for (const [how, sql] of Object.entries(narrow))
    it(`is accepted when it is narrowed ${how}`, () =>
      equal(
        refusalOf(sql, catalogue, { params: ['wsp_a', 'x', 'y'], known: ['wsp_a'] }),
        undefined,
      ))

  for (const [what, sql] of Object.entries(wide))
    it(`is refused when it reaches ${what}`, () =>
      match(refusalOf(sql, catalogue, { isCall: false }) ?? '', /is not narrowed/))

  it('may use a key that its call has found, and no other', () => {
    const sql = 'update people set name = $1 where id = $2'
    const params = ['Vera', 'per_a']
    equal(refusalOf(sql, catalogue, { params, known: ['per_a'] }), undefined)
    match(refusalOf(sql, catalogue, { params }) ?? '', /people\.id takes a key/)
    const many = 'select * from people where id = any($1::text[])'
    const known = ['per_a']
    ok(refusalOf(many, catalogue, { params: [['per_a', 'per_b']], known }))
    equal(refusalOf(many, catalogue, { params: [['per_a']], known }), undefined)
  })

  it('locks within its workspace too', () => {
    const sql = 'select id from meetings where id = $1 for update'
    match(refusalOf(sql, catalogue, { params: ['mtg_a'] }) ?? '', /meetings\.id takes a key/)
  })

  it('refers to nothing that its call has not found', () => {
    const refused = (sql: string, params: unknown[]) =>
      refusalOf(sql, catalogue, { params, known: ['wsp_a', 'cnv_a'] })
    const insert = 'insert into notes (id, conversation, text) values ($1, $2, $3)'
    equal(refused(insert, ['not_a', 'cnv_a', 'Hello']), undefined)
    ok(refused(insert, ['not_a', 'cnv_b', 'Hello']))
    const owner = `update conversations set owner = $1 where workspace = 'wsp_a'`
    ok(refused(owner, ['mem_b']))
    equal(refused(owner, ['cnv_a']), undefined)
  })

  it('asks for no workspace but that of the call', () =>
    ok(refusalOf('select * from people where workspace = $1', catalogue, { params: ['wsp_b'] })))

  it('hands nothing to a workflow that its call has not found', () => {
    const sql = 'insert into "outbox" ("kind", "args") values ($1, $2)'
    const handed = (id: string) => ['start', JSON.stringify([{ person: id, step: 'first' }])]
    equal(refusalOf(sql, catalogue, { params: handed('per_a'), known: ['per_a'] }), undefined)
    ok(refusalOf(sql, catalogue, { params: handed('per_b'), known: ['per_a'] }))
  })

  it('knows the tables of tenants from the schema', () => {
    for (const name of ['workspaces', 'people', 'notes', 'person_tags', 'deliveries', 'finds'])
      ok(catalogue.has(name), name)
    for (const name of ['settings', 'outbox', 'kysely_migration']) ok(!catalogue.has(name), name)
    deepEqual([...(catalogue.get('notes')?.references ?? [])].sort(), ['author', 'conversation'])
    deepEqual([...(catalogue.get('people')?.keys ?? [])], ['id'])
  })
})
