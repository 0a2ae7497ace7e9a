import { deepEqual, equal, ok } from 'node:assert/strict'
import { type Kysely, sql } from 'kysely'
import { messageLexemes } from '../../../db/conversations/search-words.ts'
import type { Inbound } from '../../../db/inbox/inbound.ts'
import { backfill } from '../../../db/migrations/0103-search.ts'
import { backfill as backfillParts } from '../../../db/migrations/0128-parts-of-words.ts'
import { lexemesOf, partLexemesOf } from '../../../rules/search/words.ts'
import { givenSender } from '../../support/inbound.ts'
import { startService, type TestService } from '../../support/service.ts'

type Result = {
  kind: string
  id: string
  conversation: string | null
  person: string | null
  at: string
  snippet: string
  matches: [number, number][]
}

describe('GET /search', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  async function given() {
    const sender = await givenSender(service)
    const ask = (q: string, more = '') =>
      sender.call('GET', `/search?q=${encodeURIComponent(q)}${more}`)
    async function found(q: string, more = '') {
      const { status, body, text } = await ask(q, more)
      equal(status, 200, text)
      return body.results as Result[]
    }
    async function receive(more: Partial<Inbound>) {
      const { message = '', conversation = '' } = (await sender.receive(more)) as {
        message?: string
        conversation?: string
      }
      return { message, conversation }
    }
    return { ...sender, ask, found, receive }
  }
  const ids = (results: Result[]) => results.map(({ id }) => id)
  const kinds = (results: Result[]) => results.map(({ kind }) => kind).sort()

  it('finds a message by words, phrases and beginnings, without case and accents, and shows where', async () => {
    const { found, receive, person } = await given()
    const { message, conversation } = await receive({
      text: 'We need the Kühlraum in München, soon.',
    })
    const [result, ...others] = await found('munchen kuhl')
    deepEqual(others, [])
    deepEqual(
      [result?.kind, result?.id, result?.conversation, result?.person],
      ['message', message, conversation, person],
    )
    deepEqual(
      result?.matches.map(([from, to]) => result.snippet.slice(from, to)),
      ['Kühl', 'München'],
    )
    for (const q of ['"need the"', 'NEED soo', 'need -later'])
      deepEqual(ids(await found(q)), [message], q)
    for (const q of ['"the need"', 'oom', 'need -soon', 'nee soon', 'later'])
      deepEqual(await found(q), [], q)
  })

  it('finds words of every script', async () => {
    const { found, receive } = await given()
    const texts: [text: string, q: string][] = [
      ['明日は東京タワーに行きます', '東京'],
      ['한국어로 답장해 주세요', '답장'],
      ['Встретимся в Москве', 'МОСКВ'],
      ['שלום עולם', 'עולם'],
      ['السلام عليكم', 'عليكم'],
      ['ยินดีต้อนรับ', 'ต้อน'],
      ['नमस्ते दुनिया', 'दुनिया'],
      ['Γεια σας ΚΟΣΜΟΣ', 'κόσμος'],
    ]
    for (const [text, q] of texts) {
      const { message } = await receive({ text })
      const [result, ...others] = await found(q)
      deepEqual([result?.id, others], [message, []], q)
      ok((result?.matches.length ?? 0) > 0, q)
    }
  })

  it('leaves out what a message quotes', async () => {
    const { found, receive } = await given()
    const { message } = await receive({
      text: 'Agreed.\n\nOn Mon, 2 Nov 2026 at 10:00 Bo <bo@x.example> wrote:\n> The elephant is blue.\n',
    })
    deepEqual(ids(await found('agreed')), [message])
    deepEqual(await found('elephant'), [])
  })

  it('finds people by parts of their names, addresses and numbers, conversations by subject, and notes', async () => {
    const { found, receive, call, person, email } = await given()
    const { conversation } = await receive({ subject: 'Zanzibar offer', text: 'Hi.' })
    await call('PATCH', `/people/${person}`, {
      name: 'Żaneta Brückenmüller',
      phones: ['+49 30 1234567'],
    })
    for (const q of [
      'zaneta',
      'muller',
      email,
      email.slice(0, 12),
      '1234567',
      '+49 30 1234567',
      '3456',
    ])
      deepEqual(ids(await found(q, '&kind=person')), [person], q)
    deepEqual(kinds(await found('zanzibar')), ['conversation', 'message'])
    const note = await call('POST', `/conversations/${conversation}/notes`, {
      text: 'Call Zanzibar.',
    })
    deepEqual(kinds(await found('zanzibar')), ['conversation', 'message', 'note'])
    deepEqual(ids(await found('zanzibar', '&kind=note&kind=person')), [note.body.id])
  })

  it('finds messages by the names of their files, and those that have any', async () => {
    const { found, receive } = await given()
    const file = { name: 'contract-2026.pdf', type: 'application/pdf', content: Buffer.from('x') }
    const { message } = await receive({ text: 'See contract.', files: [file] })
    const { message: other } = await receive({ text: 'No contract here.' })
    deepEqual(ids(await found('contract 2026')), [message])
    deepEqual(ids(await found('contract')).sort(), [message, other].sort())
    deepEqual(ids(await found('contract', '&has=files')), [message])
  })

  it('keeps to its filters', async () => {
    const { found, receive, call, person, member } = await given()
    const { message, conversation } = await receive({ text: 'A pelican.' })
    const { message: other, conversation: second } = await receive({
      text: 'Another pelican.',
      subject: 'Birds',
      from: { name: 'Dot', address: `dot-${person}@else.example` },
    })
    await call('PATCH', `/conversations/${conversation}`, { owner: member })
    await call('POST', `/conversations/${conversation}/labels/vip`)
    const day = (await found('pelican'))[0]?.at.slice(0, 10) ?? ''
    const expected: [filter: string, ids: string[]][] = [
      ['', [other, message]],
      [`&person=${person}`, [message]],
      [`&conversation=${second}`, [other]],
      [`&owner=${member}`, [message]],
      ['&from=2100-01-01', []],
      ['&to=2000-01-01', []],
      [`&from=2000-01-01T00:00:00Z&to=2100-01-01`, [other, message]],
      [`&order=relevance&person=${person}`, [message]],
      ['&kind=note', []],
    ]
    ok(day)
    for (const [filter, all] of expected)
      deepEqual(ids(await found('pelican', filter)).sort(), [...all].sort(), filter)
  })

  it('pages in both orders, and shows each result once', async () => {
    const { ask, receive } = await given()
    for (let i = 0; i < 7; i++) await receive({ text: `A gull ${'gull '.repeat(i)}` })
    for (const order of ['newest', 'relevance']) {
      const seen: string[] = []
      let cursor = ''
      do {
        const { body } = await ask('gull', `&order=${order}&limit=3&cursor=${cursor}`)
        seen.push(...ids(body.results))
        cursor = body.next ?? ''
      } while (cursor)
      deepEqual([seen.length, new Set(seen).size], [7, 7], order)
    }
  })

  it('goes on from page to page where thousands of texts have the words of a phrase in another order', async () => {
    const { ask, receive, id } = await given()
    const { message, conversation } = await receive({ text: 'An otter and a lynx.' })
    const others = 16_000
    const text = 'A lynx and an otter.'
    const words = messageLexemes({ workspace: id, text, subject: '' })
    await sql`
      with others as materialized (
        select ${`msg_${id}_`} || i as id, ${service.clock.now()}::timestamptz + i * interval '1 second' as at
        from generate_series(1, ${others}::int) i),
      words as (
        insert into search_words (kind, ref, workspace, conversation, at, words)
        select 'message', id, ${id}, ${conversation}, at, ${words}::tsvector from others)
      insert into messages (id, workspace, conversation, direction, at, state, subject, text)
      select id, ${id}, ${conversation}, 'inbound', at, 'received', '', ${text} from others`.execute(
      service.db,
    )
    for (const q of ['"otter and a lynx"', 'lynx -"lynx and an"']) {
      const pages: string[][] = []
      let cursor = ''
      do {
        const { status, body, text: answer } = await ask(q, `&cursor=${cursor}`)
        equal(status, 200, answer)
        pages.push(ids(body.results))
        cursor = body.next ?? ''
      } while (cursor)
      deepEqual([pages.length, pages.flat()], [2, [message]], q)
    }
    // Common words fill each page, and each is shown once.
    const { body } = await ask('lynx', '&limit=200')
    equal(body.results.length, 200)
    ok(body.next)
  })

  it('shows a workspace its own alone', async () => {
    const [one, other] = [await given(), await given()]
    await one.receive({ text: 'A secret ocelot.' })
    equal((await one.found('ocelot')).length, 1)
    deepEqual(await other.found('ocelot'), [])
    deepEqual(await other.found('ocelot', `&person=${one.person}`), [])
  })

  it('forgets what is removed or changed, and what is suspect', async () => {
    const { found, receive, person, call } = await given()
    const { message } = await receive({ text: 'A walrus.' })
    await receive({ text: 'A walrus.', suspect: true })
    deepEqual(ids(await found('walrus')), [message])
    const { db } = service
    await sql`update messages set text = 'A seal.' where id = ${message}`.execute(db)
    deepEqual(await found('walrus'), [])
    deepEqual(ids(await found('seal')), [message])
    await sql`delete from messages where id = ${message}`.execute(db)
    deepEqual(await found('seal'), [])
    await call('PATCH', `/people/${person}`, { name: 'Quentin' })
    deepEqual(ids(await found('quentin')), [person])
    deepEqual(await found('cleo', '&kind=person'), await found('cleo', '&kind=person'))
  })

  it('refuses what has no word, and wrong parameters', async () => {
    const { ask } = await given()
    const wrong: [q: string, more: string, parameter: string][] = [
      ['', '', 'q'],
      ['?! …', '', 'q'],
      ['-word', '', 'q'],
      ['x'.repeat(201), '', 'q'],
      ['x', '&kind=file', 'kind'],
      ['x', '&from=soon', 'from'],
      ['x', '&has=html', 'has'],
      ['x', '&order=oldest', 'order'],
      ['x', '&person=a&person=b', 'person'],
    ]
    for (const [q, more, parameter] of wrong) {
      const { status, body } = await ask(q, more)
      deepEqual(
        [status, body.code, body.errors?.[0].parameter],
        [400, 'invalid_query', parameter],
        q + more,
      )
    }
    const { ask: inHostileWords } = await given()
    for (const q of [
      `' | '' \\ :* <-> & ! ( )a`,
      '%_\\',
      'a\'b"c',
      '$1',
      "'); drop table people; --",
    ])
      ok([200, 400].includes((await inHostileWords(q)).status), q)
  })

  it('has the words of what was there before it', async () => {
    const { found, receive, call, person, id } = await given()
    const { message, conversation } = await receive({
      text: 'A heron.\n> A quoted stork.',
      subject: 'Birds',
    })
    await call('POST', `/conversations/${conversation}/notes`, { text: 'Another heron.' })
    await call('PATCH', `/people/${person}`, { name: 'Heron' })
    const { db } = service
    const all = (await found('heron')).map((one) => [one.kind, one.id])
    deepEqual(all.length, 3)
    await sql`delete from search_words where workspace = ${id}`.execute(db)
    deepEqual(await found('heron'), [])
    const part = async (list: string, q: string) =>
      (await call('GET', `/${list}?q=${q}`)).body[list].map((one: { id: string }) => one.id)
    deepEqual([await part('people', 'ero'), await part('conversations', 'irds')], [[], []])
    for (const fill of [backfill, backfillParts])
      for (let after: string | undefined = ''; after !== undefined; ) {
        const from: string = after
        after = await db
          .transaction()
          .execute((trx) => fill(trx as unknown as Kysely<unknown>, from, 100))
      }
    deepEqual(
      [await part('people', 'ero'), await part('conversations', 'irds')],
      [[person], [conversation]],
    )
    deepEqual(
      (await found('heron')).map((one) => [one.kind, one.id]),
      all,
    )
    deepEqual(ids(await found('birds', '&kind=message')), [message])
    deepEqual(await found('stork'), [])
  })

  it('has the words that Postgres makes by itself', async () => {
    const texts = [
      'Größe ÆGIR Œuvre Łódź İzmir ısı ＦＵＬＬ １２３ ﬁn ½ ㎏ Ⅷ',
      'Привет ЁЛКА ΣΊΣΥΦΟΣ קָפֶה مُحَمَّد نص عربي، هنا؟',
      '東京タワー、iPhoneを買う。ガラス 한국어 ยินดีต้อนรับ नमस्ते தமிழ் 😀 a😀b',
      'red red chair 1234567 ١٢٣٤٥٦ 12345678901234567890123456789012345678901234567890123456789012345678901',
      'ana.b+c@firm-x.example https://x.example/a?b=c don’t naïve co\u00adoperate',
    ]
    for (const text of texts)
      for (const isName of [false, true]) {
        const { rows } = await sql<{ ours: string; theirs: string }>`
          select search_lexemes('x/', ${text}, ${isName})::text as theirs, ${lexemesOf('x/', text, isName)}::tsvector::text as ours`.execute(
          service.db,
        )
        equal(rows[0]?.ours, rows[0]?.theirs)
        const parts = partLexemesOf('x/', text, isName ? 'all' : 'ends')
        const { rows: both } = await sql<{ ours: string; theirs: string }>`
          select search_parts('x/', ${text}, ${isName})::text as theirs, ${parts}::tsvector::text as ours`.execute(
          service.db,
        )
        equal(both[0]?.ours, both[0]?.theirs)
      }
  })
})
