import { deepEqual, equal, match } from 'node:assert/strict'
import { sql } from 'kysely'
import { newId } from '../../../db/ids.ts'
import { givenClient } from '../../support/given.ts'
import { type SharedService, sharedService } from '../../support/service.ts'

type Row = { id: string; waitingSince: string; lastMessageAt: string }

describe('conversations as an inbox asks for them', () => {
  let service: SharedService
  before(async function () {
    service = await sharedService(this.test?.ctx)
  })

  const at = (minutes: number) => new Date(Date.UTC(2026, 10, 23, 9, minutes))

  /** Four conversations: a, b, c and d. */
  async function given() {
    const workspace = await service.workspace()
    const { person } = await givenClient(service.db, workspace, service.clock.now())
    await service.db.deleteFrom('messages').where('workspace', '=', workspace.id).execute()
    await service.db.deleteFrom('conversations').where('workspace', '=', workspace.id).execute()
    const [first, second] = workspace.connections
    const rows = {
      a: { last: 1, waiting: 1, waitingFor: 'us', importance: 'high', intent: 'quote' },
      b: { last: 2, waiting: 0, waitingFor: 'us', connection: second, owner: workspace.member },
      c: { last: 3, waiting: 3, waitingFor: 'client', connection: second },
      d: { last: 4, waiting: 1, waitingFor: 'us', state: 'closed', intent: 'question' },
    } as const
    const ids: Record<string, string> = {}
    for (const [name, { last, waiting, ...rest }] of Object.entries(rows)) {
      ids[name] = `cnv_${name}_${newId('x')}`
      await service.db
        .insertInto('conversations')
        .values({
          id: ids[name] as string,
          workspace: workspace.id,
          person,
          connection: first,
          kind: 'email',
          subject: name,
          lastMessageAt: at(last),
          waitingSince: at(waiting),
          ...rest,
        })
        .execute()
    }
    const list = (query: string) => workspace.call('GET', `/conversations?${query}`)
    const names = async (query: string) => {
      const { status, body, text } = await list(query)
      equal(status, 200, text)
      return body.conversations.map(({ subject }: { subject: string }) => subject).join('')
    }
    const counts = async (query = '') => {
      const { status, body, text } = await workspace.call('GET', `/conversations/counts?${query}`)
      equal(status, 200, text)
      return body
    }
    return { ...workspace, person, list, names, counts, ids }
  }

  it('are filtered by whose message is awaited, importance, intent and account', async () => {
    const { names, connections } = await given()
    const found = {
      'waitingFor=us': 'dba',
      'waitingFor=us&state=open': 'ba',
      'waitingFor=client': 'c',
      'importance=high': 'a',
      'importance=normal': 'dcb',
      'intent=quote': 'a',
      'intent=other&importance=normal&waitingFor=us': 'b',
      [`via=${connections[1]}`]: 'cb',
      [`via=${connections[1]}&waitingFor=us`]: 'b',
      'via=nobody@us.example': '',
    }
    for (const [query, expected] of Object.entries(found))
      equal(await names(query), expected, query)
  })

  it('are found by the account itself', async () => {
    const { names, connections } = await given()
    const { account } = await service.db
      .selectFrom('connections')
      .select('account')
      .where('id', '=', connections[1])
      .executeTakeFirstOrThrow()
    equal(await names(`via=${encodeURIComponent(account.toUpperCase())}`), 'cb')
  })

  it('are sorted either way by the last message and by how long they have waited', async () => {
    const { names } = await given()
    equal(await names(''), 'dcba')
    equal(await names('sort=-lastMessageAt'), 'dcba')
    equal(await names('sort=lastMessageAt'), 'abcd')
    equal(await names('sort=waitingSince'), 'badc')
    equal(await names('sort=-waitingSince'), 'cdab')
    equal(await names('sort=waitingSince&waitingFor=us&state=open'), 'ba')
    equal(await names('sort=waitingSince&owner='), 'adc')
  })

  it('are paged in each order, each with cursors of its own', async () => {
    const { list } = await given()
    const sorts = ['lastMessageAt', '-lastMessageAt', 'waitingSince', '-waitingSince']
    for (const sort of sorts) {
      const whole = (await list(`sort=${sort}`)).body.conversations.map(({ id }: Row) => id)
      const seen: string[] = []
      let cursor = ''
      do {
        const { body } = await list(`sort=${sort}&limit=1&cursor=${cursor}`)
        seen.push(...body.conversations.map(({ id }: Row) => id))
        cursor = body.next ?? ''
      } while (cursor !== '')
      deepEqual(seen, whole, sort)
      const { next } = (await list(`sort=${sort}&limit=1`)).body
      for (const other of sorts.filter((other) => other !== sort)) {
        const { status, body } = await list(`sort=${other}&limit=1&cursor=${next}`)
        deepEqual([status, body.code], [400, 'invalid_cursor'])
      }
    }
  })

  it('refuse an order beside the order of changes, and unknown values', async () => {
    const { list } = await given()
    for (const [query, parameter] of [
      ['sort=waitingSince&updatedSince=2026-11-01T00:00:00Z', 'sort'],
      ['sort=owner', 'sort'],
      ['waitingFor=me', 'waitingFor'],
      ['importance=', 'importance'],
      ['intent=money', 'intent'],
    ]) {
      const { status, body } = await list(query as string)
      deepEqual([status, body.code], [400, 'invalid_query'], query)
      equal(body.errors[0].parameter, parameter)
      match(body.detail, new RegExp(`^${parameter}: `))
    }
  })

  it('are filtered in the order of changes too', async () => {
    const { names } = await given()
    equal(await names('updatedSince=2020-01-01T00:00:00Z&waitingFor=us&state=open'), 'ab')
  })

  it("are found by any part of their subject or of their person's name", async () => {
    const { call, id, person } = await given()
    await sql`update people set name = 'Zoë Lindqvist' where id = ${person}`.execute(service.db)
    const put = (name: string, subject: string) =>
      sql`insert into conversations (id, workspace, person, kind, subject, last_message_at, waiting_since)
        values (${`cnv_${id}${name}`}, ${id}, ${person}, 'email', ${subject}, now(), now())`.execute(
        service.db,
      )
    await put('x', 'Re: Kühlraum 4711-b')
    await put('y', '東京の冷蔵庫')
    const subjects = async (q: string) =>
      (
        await call('GET', `/conversations?q=${encodeURIComponent(q)}&state=open`)
      ).body.conversations.map((one: { subject: string }) => one.subject)
    for (const q of ['hlra', 'KÜHLRAUM 47', '711-', 'um', '1-b', 're: k'])
      deepEqual(await subjects(q), ['Re: Kühlraum 4711-b'], q)
    deepEqual(await subjects('の冷'), ['東京の冷蔵庫'])
    deepEqual(await subjects('kühlraum b'), [])
    equal((await subjects('lindq')).length >= 2, true)
    equal((await subjects('oë lin')).length >= 2, true)
    deepEqual(await subjects('lindqvistt'), [])
    await sql`update conversations set subject = 'Gemüse' where id = ${`cnv_${id}x`}`.execute(
      service.db,
    )
    deepEqual([await subjects('hlra'), await subjects('müs')], [[], ['Gemüse']])
  })

  describe('GET /conversations/counts', () => {
    it('counts the open ones by what they wait for, owner and label, and those snoozed', async () => {
      const { counts, call, member, ids } = await given()
      const { label } = (await call('POST', `/conversations/${ids['a']}/labels`, { name: 'Hot' }))
        .body
      const snoozeUntil = new Date(service.clock.now().getTime() + 3_600_000)
      deepEqual(await counts(), {
        open: 3,
        waitingForUs: 2,
        snoozed: 0,
        unowned: 2,
        byOwner: [{ member, count: 1 }],
        byLabel: [{ label: label.id, count: 1 }],
        more: false,
      })
      equal((await call('PATCH', `/conversations/${ids['c']}`, { snoozeUntil })).status, 200)
      const { open, snoozed, waitingForUs } = await counts()
      deepEqual([open, snoozed, waitingForUs], [2, 1, 2])
    })

    it('takes the filters of the list', async () => {
      const { counts, connections, member } = await given()
      const open = async (query: string) => (await counts(query)).open
      equal(await open('waitingFor=us'), 2)
      equal(await open('intent=quote'), 1)
      equal(await open(`via=${connections[1]}`), 2)
      equal(await open(`owner=${member}`), 1)
      equal(await open('q=B'), 1)
      equal(await open('state=closed'), 0)
      equal(await open('label=none'), 0)
    })

    it('says more where there are more than it counts', async () => {
      const { counts, id, person, member } = await given()
      await sql`insert into conversations (id, workspace, person, kind, last_message_at, waiting_since, waiting_for, owner)
        select 'cnv_' || ${id}::text || i, ${id}, ${person}, 'email', now(), now(),
          case when i % 100 = 0 then 'us' else 'client' end, case when i % 4 = 0 then ${member}::text end
        from generate_series(1, 14000) i`.execute(service.db)
      deepEqual(await counts(), {
        open: 10_000,
        waitingForUs: 142,
        snoozed: 0,
        unowned: 10_000,
        byOwner: [{ member, count: 3501 }],
        byLabel: [],
        more: true,
      })
      const { open, waitingForUs } = await counts('waitingFor=client')
      deepEqual([open, waitingForUs], [10_000, 0])
      // Triggers make the words of each conversation that comes without them.
    }).timeout(120_000)
  })
})
