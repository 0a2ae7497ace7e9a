import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { sql } from 'kysely'
import { newId } from '../../../db/ids.ts'
import { handOverRest } from '../../../db/workspace/leaving.ts'
import { givenCampaign } from '../../support/campaigns.ts'
import {
  type Caller,
  caller,
  eventually,
  startService,
  type TestService,
} from '../../support/service.ts'

const tokenOf = async (admin: Caller, workspace: string, member: string): Promise<string> => {
  const body = { member, client: 'CRM', scopes: ['inbox:read', 'inbox:write'] }
  return (await admin('POST', `/workspaces/${workspace}/tokens`, body)).body.token
}

describe('the members of a workspace', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  async function given() {
    const workspace = await service.workspace()
    const admin = await service.administration({ workspace: workspace.id, client: 'Shop' })
    const at = `/workspaces/${workspace.id}`
    const add = async (name: string, more = {}) => {
      const email = `${name.toLowerCase()}@office.example`
      const { status, body, text } = await admin.call('POST', `${at}/members`, {
        ...{ name, email, ...more },
      })
      equal(status, 200, text)
      return body
    }
    const callerOf = async (member: string) =>
      caller(service.url, await tokenOf(admin.call, workspace.id, member))
    return { ...workspace, admin: admin.call, at, add, callerOf }
  }

  it('POST adds one, whose id may be left out', async () => {
    const { add, call, admin, at, id } = await given()
    const made = await add('Joe')
    match(made.id, /^mem_/)
    deepEqual(made, {
      ...{ id: made.id, name: 'Joe', email: 'joe@office.example' },
      ...{ jobTitle: '', zone: '', signature: '' },
    })
    const named = `mem_${id}`
    const whole = { id: named, jobTitle: 'Buyer', zone: 'Sugar', signature: 'Kim K.' }
    equal((await add('Kim', whole)).signature, 'Kim K.')
    const { members } = (await call('GET', '/members')).body
    const ids = members.map((one: { id: string }) => one.id)
    ok(ids.includes(made.id) && ids.includes(named))
    const document = (await admin('GET', at)).body
    deepEqual(
      document.members.find((one: { id: string }) => one.id === named),
      { ...whole, name: 'Kim', email: 'kim@office.example' },
    )
    const { events } = await eventually(
      async () => (await call('GET', '/events?kinds=member.created')).body,
      ({ events }) => events.length === 2,
    )
    deepEqual(
      events.map(({ resource }: { resource: string }) => resource),
      [made.id, named],
    )
  })

  it('POST refuses an id that is taken, and what the file refuses', async () => {
    const { admin, at, member } = await given()
    const theirs = await service.workspace()
    const body = { name: 'Joe', email: 'joe@office.example' }
    const ours = await admin('POST', `${at}/members`, { ...body, id: member })
    deepEqual([ours.status, ours.body.code], [409, 'conflict'])
    const taken = await admin('POST', `${at}/members`, { ...body, id: theirs.member })
    deepEqual([taken.status, taken.body.errors[0].code], [422, 'unavailable'])
    for (const [change, pointer] of [
      [{ name: ' ' }, '/name'],
      [{ email: 'joe' }, '/email'],
      [{ id: 'a b' }, '/id'],
      [{ colour: 'red' }, '/colour'],
    ] as const) {
      const { status, body: answer } = await admin('POST', `${at}/members`, { ...body, ...change })
      deepEqual([status, answer.errors[0].pointer], [422, pointer])
    }
  })

  it('PATCH changes what is given, and tells it', async () => {
    const { admin, at, add, call } = await given()
    const joe = await add('Joe')
    const path = `${at}/members/${joe.id}`
    const edit = { name: 'Joseph', zone: 'Flour' }
    deepEqual((await admin('PATCH', path, edit)).body, { ...joe, ...edit })
    deepEqual((await admin('PATCH', path, edit)).body, { ...joe, ...edit })
    const [line] = (await call('GET', '/audit')).body.entries
    deepEqual(
      [line.action, line.client.name, line.before, line.after],
      ['member.edited', 'Shop', { name: 'Joe', zone: '' }, edit],
    )
    const other = await service.workspace()
    const elsewhere = await admin('PATCH', `${at}/members/${other.member}`, edit)
    deepEqual([elsewhere.status, elsewhere.body.code], [404, 'not_found'])
  })

  it('DELETE of one who has nothing needs no successor, and revokes their tokens', async () => {
    const { admin, at, add, callerOf, call } = await given()
    const joe = await add('Joe')
    const theirs = await callerOf(joe.id)
    const left = await admin('DELETE', `${at}/members/${joe.id}`)
    equal(left.status, 200, left.text)
    deepEqual(
      [left.body.id, left.body.deleted, left.body.to, left.body.tokensRevoked],
      [joe.id, true, null, 1],
    )
    equal((await theirs('GET', '')).body.code, 'invalid_token')
    const again = await admin('DELETE', `${at}/members/${joe.id}`)
    equal(again.body.code, 'not_found')
    const { members } = (await call('GET', '/members')).body
    ok(!members.some((one: { id: string }) => one.id === joe.id))
    const back = { id: joe.id, name: 'Joe', email: joe.email }
    equal((await admin('POST', `${at}/members`, back)).body.code, 'conflict')
  })

  it('DELETE gives what is theirs to their successor, in one piece', async () => {
    const { admin, at, add, callerOf, call, id, member } = await given()
    const to = await add('Joe')
    const theirs = await callerOf(member)
    const person = (await theirs('POST', '/people', { name: 'Pat', email: 'pat@client.example' }))
      .body
    const conversation = newId('cnv')
    const now = service.clock.now()
    await service.db
      .insertInto('conversations')
      .values({
        ...{ id: conversation, workspace: id, person: person.id, connection: null },
        ...{ kind: 'email', subject: 'Sugar', lastMessageAt: now, waitingSince: now },
        ...{ owner: member, snoozeUntil: null, snoozeOperation: null, why: null, reason: null },
        folder: null,
      })
      .execute()
    await theirs('POST', `/conversations/${conversation}/notes`, { text: 'Likes sugar' })
    const hook = await theirs('POST', '/webhooks', { url: 'https://93.184.215.14/in' })
    equal(hook.status, 200, hook.text)
    const rule = { do: 'add', field: 'side', value: 'buyer', member }
    equal((await theirs('POST', '/routing', rule)).status, 200)
    const task = { text: 'Mention the price', due: new Date(+now + 86_400_000).toISOString() }
    const asked = await call('POST', `/conversations/${conversation}/tasks`, task)
    equal(asked.status, 200, asked.text)
    const meeting = (uid: string, calendar: string, hours: number) => ({
      ...{ id: newId('mtg'), workspace: id, calendar, uid, title: uid, zone: 'UTC' },
      ...{ startsAt: new Date(+now + (hours - 1) * 3_600_000), own: true, remote: 'none' as const },
      ...{ endsAt: new Date(+now + hours * 3_600_000), replies: '[]', proposals: '[]' },
      ...{ connection: null, remoteAt: null, createdAt: now },
    })
    const mine = `cal_${member}`
    const his = `cal_${to.id}`
    await service.db
      .insertInto('meetings')
      .values([
        ...[meeting('past', mine, -1), meeting('next', mine, 5)],
        ...[meeting('shared', mine, 9), meeting('shared', his, 9)],
      ])
      .execute()
    const link = await admin('POST', `${at}/links`, { member })
    equal(link.status, 200, link.text)

    const refused = await admin('DELETE', `${at}/members/${member}`)
    deepEqual([refused.status, refused.body.code], [422, 'needs_successor'])
    match(refused.body.errors[0].message, /conversations: 1/)
    equal(refused.body.errors[0].pointer, '/to')
    equal((await theirs('GET', '')).status, 200)
    for (const wrong of [member, 'mem_none', (await service.workspace()).member]) {
      const { status, body } = await admin('DELETE', `${at}/members/${member}`, { to: wrong })
      deepEqual([status, body.errors[0].pointer], [422, '/to'])
    }

    const left = await admin('DELETE', `${at}/members/${member}`, { to: to.id })
    equal(left.status, 200, left.text)
    const { handedOver } = left.body
    const { connections: _, ...rest } = handedOver
    deepEqual(rest, {
      ...{ conversations: 1, calendars: 0, meetings: 1, tasks: 1, routingRules: 1, webhooks: 1 },
    })
    const meetings = await service.db
      .selectFrom('meetings')
      .select(['title', 'calendar'])
      .where('workspace', '=', id)
      .orderBy('title')
      .orderBy((eb) => eb('calendar', '=', his))
      .execute()
    deepEqual(
      meetings.map(({ title, calendar }) => [title, calendar === his]),
      [
        ['next', true],
        ['past', false],
        ['shared', false],
        ['shared', true],
      ],
    )
    equal((await theirs('GET', '')).body.code, 'invalid_token')
    const ours = await callerOf(to.id)
    const read = (await ours('GET', `/conversations/${conversation}`)).body
    equal(read.owner, to.id)
    equal(read.notes[0].author, member)
    const { connections } = (await admin('GET', `${at}/connections`)).body
    ok(connections.every((one: { member: string }) => one.member === to.id))
    equal(handedOver.connections, connections.length)
    const { members } = (await admin('GET', at)).body
    deepEqual(
      members.map((one: { id: string }) => one.id),
      [to.id],
    )
    const page = await fetch(`${service.url}${new URL(link.body.url).pathname}`)
    equal(page.status, 410)
    equal((await call('GET', '')).body.code, 'invalid_token')
    const { events } = (await ours('GET', '/events?kinds=member.deleted&wait=20')).body
    deepEqual([events[0].resource, events[0].data.owner], [member, to.id])
    const put = { workspace: { id, name: 'Test', timezone: 'Europe/Berlin' } }
    const kept = { id: member, name: 'Ana', email: 'ana@office.example' }
    const document = await admin('PUT', at, { ...put, members: [kept] })
    deepEqual([document.status, document.body.errors[0].code], [422, 'unavailable'])
  })

  it('of many conversations, most follow the answer', async () => {
    const { admin, at, add, id, member } = await given()
    const [joe, kim] = [await add('Joe'), await add('Kim')]
    const conversations = 1_200
    const now = service.clock.now()
    await sql`
      with person as (
        insert into people (id, workspace, created_at, updated_at) values (${`per_${id}`}, ${id}, ${now}, ${now}) returning id)
      insert into conversations (id, workspace, person, kind, last_message_at, waiting_since, owner)
      select ${`cnv_${id}_`} || i, ${id}, person.id, 'email', ${now}, ${now}, ${member}
      from person, generate_series(1, ${conversations}::int) i`.execute(service.db)
    const ownedBy = async (owner: string) => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int from conversations where workspace = ${id} and owner = ${owner}`.execute(
        service.db,
      )
      return rows[0]?.count
    }
    const left = await admin('DELETE', `${at}/members/${member}`, { to: joe.id })
    equal(left.body.handedOver.conversations, conversations, left.text)
    equal(await ownedBy(joe.id), 500)
    // Whoever has taken over leaves too, before everything has arrived.
    equal((await admin('DELETE', `${at}/members/${joe.id}`)).body.code, 'needs_successor')
    const next = await admin('DELETE', `${at}/members/${joe.id}`, { to: kim.id })
    equal(next.body.handedOver.conversations, conversations, next.text)
    await handOverRest(service.db, () => {})
    equal(await ownedBy(kim.id), conversations)
  })

  it('letters that one who leaves would have signed have to be agreed again', async () => {
    for (const state of ['draft', 'running'] as const) {
      const room = await givenCampaign(service, state)
      const other = await givenCampaign(service, state)
      await room.letters(true)
      await other.letters(true)
      const { call } = await service.administration()
      const at = `/workspaces/${room.workspace}/members`
      const to = (await call('POST', at, { name: 'Joe', email: 'joe@office.example' })).body
      const token = await tokenOf(call, room.workspace, to.id)
      const left = await call('DELETE', `${at}/${room.member}`, { to: to.id })
      equal(left.status, 200, left.text)
      const agreed = async (id: string, calls: Caller) => {
        const { letters } = (await calls('GET', `/campaigns/${id}`)).body
        return letters.some((letter: { agreed: boolean }) => letter.agreed)
      }
      equal(await agreed(room.id, caller(service.url, token)), false, state)
      equal(await agreed(other.id, other.call), true, state)
    }
  })

  it('no token outlives a member who leaves while it is made', async () => {
    const { admin, at, add, id } = await given()
    for (let round = 0; round < 5; round++) {
      const joe = await add(`Joe${round}`)
      const body = { member: joe.id, client: 'CRM', scopes: ['send'] }
      const made = () => admin('POST', `${at}/tokens`, body)
      const calls = [made(), made(), admin('DELETE', `${at}/members/${joe.id}`), made()]
      for (const { status, text } of await Promise.all(calls)) ok(status < 500, text)
      const live = await service.db
        .selectFrom('tokens')
        .select('id')
        .where('workspace', '=', id)
        .where('member', '=', joe.id)
        .where('revokedAt', 'is', null)
        .execute()
      deepEqual(live, [])
    }
  })

  it('nobody who has left is given anything', async () => {
    const { admin, at, add, call } = await given()
    const joe = await add('Joe')
    await admin('DELETE', `${at}/members/${joe.id}`)
    const body = { member: joe.id, client: 'CRM', scopes: ['send'] }
    equal((await admin('POST', `${at}/tokens`, body)).body.errors[0].pointer, '/member')
    equal(
      (await admin('POST', `${at}/links`, { member: joe.id })).body.errors[0].pointer,
      '/member',
    )
    equal((await call('PATCH', `/members/${joe.id}`, { zone: 'All' })).body.code, 'not_found')
    equal((await admin('PATCH', `${at}/members/${joe.id}`, {})).body.code, 'not_found')
  })
})
