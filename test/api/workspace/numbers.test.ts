import { deepEqual, equal, ok } from 'node:assert/strict'
import { newId } from '../../../db/ids.ts'
import { givenConversation, givenPeople } from '../../support/given.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('dashboard, billing, folders, voices', () => {
  let service: TestService
  before(async () => {
    service = await startService({ now: '2026-11-23T09:00:00.000Z' })
  })
  after(() => service.close())

  async function given(timezone = 'Europe/Berlin') {
    const ours = await service.workspace({ timezone })
    const [person = ''] = await givenPeople(
      service.db,
      ours.id,
      [{ name: 'Kim', email: 'kim@x.test' }],
      service.clock.now(),
    )
    const received = (at: string) =>
      givenConversation(service.db, ours.id, {
        person,
        connection: ours.connections[0],
        from: 'kim@x.test',
        at: new Date(at),
      })
    const sent = (
      conversation: string,
      at: string,
      automated: boolean,
      state: 'sent' | 'queued' = 'sent',
    ) =>
      service.db
        .insertInto('messages')
        .values({
          id: newId('msg'),
          workspace: ours.id,
          conversation,
          direction: 'outbound',
          state,
          senderName: 'Ana',
          senderHandle: 'ana@us.example',
          toAddress: 'kim@x.test',
          subject: '',
          text: 'x',
          at: new Date(at),
          automated,
          sentAt: state === 'sent' ? new Date(at) : null,
        })
        .execute()
    const read = async (query = '') => (await ours.call('GET', `/dashboard${query}`)).body
    return { ...ours, person, received, sent, read }
  }
  const none = { received: 0, sent: 0, automated: 0, meetings: 0 }

  describe('GET /dashboard', () => {
    it('has a line for each of 14 days, oldest first, today last', async () => {
      const { read } = await given()
      const { days, chart, totals } = await read()
      equal(days, 14)
      deepEqual(
        chart.map(({ day }: { day: string }) => day),
        Array.from({ length: 14 }, (_, i) => `2026-11-${String(10 + i)}`),
      )
      for (const { day: _, ...counts } of chart) deepEqual(counts, none)
      deepEqual(totals, {
        conversations: 0,
        open: 0,
        snoozed: 0,
        waiting: 0,
        people: 1,
        campaigns: 0,
        deals: 0,
      })
    })

    it('takes 1 to 365 days', async () => {
      const { call, read } = await given()
      deepEqual((await read('?days=1')).chart, [{ day: '2026-11-23', ...none }])
      const { chart } = await read('?days=365')
      deepEqual([chart.length, chart[0].day], [365, '2025-11-24'])
      equal(new Set(chart.map(({ day }: { day: string }) => day)).size, 365)
      for (const days of ['0', '366', '-1', '1.5', '', 'x', '1e2', '99999']) {
        const { status, body } = await call('GET', `/dashboard?days=${days}`)
        equal(`${status} ${body.code} ${body.errors[0].parameter}`, '400 invalid_query days')
      }
    })

    it("counts by the workspace's calendar", async () => {
      const { read, received, sent, call } = await given('America/New_York')
      // 04:59 and 05:00 UTC are the two sides of midnight in New York.
      const id = await received('2026-11-22T04:59:59.999Z')
      await received('2026-11-22T05:00:00.000Z')
      await received('2026-11-23T08:59:00.000Z')
      await sent(id, '2026-11-22T12:00:00.000Z', false)
      await sent(id, '2026-11-22T12:00:00.000Z', true)
      await sent(id, '2026-11-23T08:00:00.000Z', true, 'queued')
      await call('PATCH', `/conversations/${id}`, { met: true })
      deepEqual((await read('?days=3')).chart, [
        { day: '2026-11-21', ...none, received: 1 },
        { day: '2026-11-22', ...none, received: 1, sent: 2, automated: 1 },
        { day: '2026-11-23', ...none, received: 1, meetings: 1 },
      ])
    })

    it('counts days of 23 and 25 hours once each', async () => {
      const { read, received } = await given('Europe/Berlin')
      await received('2026-10-24T22:00:00.000Z')
      await received('2026-10-25T22:59:59.999Z')
      await received('2026-10-25T23:00:00.000Z')
      await received('2026-03-28T23:00:00.000Z')
      await received('2026-03-29T21:59:59.999Z')
      const { chart } = await read('?days=365')
      const on = (wanted: string) =>
        chart.find(({ day }: { day: string }) => day === wanted).received
      deepEqual([on('2026-10-25'), on('2026-10-26'), on('2026-03-29')], [2, 1, 2])
    })

    it('gives the current counts', async () => {
      const { read, received, call, person, product, agent } = await given()
      const ids = []
      for (const _ of [1, 2, 3, 4]) ids.push(await received('2026-11-20T09:00:00.000Z'))
      await call('PATCH', `/conversations/${ids[0]}`, { snoozeUntil: '2027-01-01T00:00:00Z' })
      await call('PATCH', `/conversations/${ids[1]}`, { closed: true })
      await service.db
        .updateTable('conversations')
        .set({ waitingFor: 'client' })
        .where('id', '=', ids[2] ?? '')
        .execute()
      const other = (await call('POST', '/people', { email: 'b@x.test' })).body.id
      const deal = { label: product, seller: person, buyer: other, agent }
      const made = (await call('POST', '/deals', deal)).body.id
      await call('POST', '/deals', deal)
      await call('PATCH', `/deals/${made}`, { closed: true })
      deepEqual((await read()).totals, {
        conversations: 4,
        open: 2,
        snoozed: 1,
        waiting: 1,
        people: 2,
        campaigns: 0,
        deals: 1,
      })
    })
  })

  describe('GET /billing', () => {
    it('gives the plan that the operator entered, and the accounts', async () => {
      const { id, call, connections } = await given()
      const none = { plan: '', status: 'none', period: { from: '', to: '' }, seats: 0 }
      const { subscription, accounts } = (await call('GET', '/billing')).body
      deepEqual(subscription, none)
      deepEqual(
        accounts.map((a: Record<string, string>) => [a['connection'], a['channel']]),
        connections.map((connection) => [connection, 'email']),
      )
      const billing = {
        plan: 'Team',
        status: 'active',
        period: { from: '2026-11-01', to: '2026-11-30' },
      }
      await service.db
        .updateTable('workspaces')
        .set({ billing: JSON.stringify(billing) })
        .where('id', '=', id)
        .execute()
      deepEqual((await call('GET', '/billing')).body.subscription, { ...billing, seats: 0 })
    })
  })

  describe('GET /channels/messenger-folders', () => {
    it('counts the conversations of each', async () => {
      const { id, call, connections, received } = await given()
      const folders = ['b', 'A'].map((name) => ({
        id: newId('fld'),
        workspace: id,
        name,
        connection: connections[0],
      }))
      await service.db.insertInto('folders').values(folders).execute()
      const conversation = await received('2026-11-20T09:00:00.000Z')
      await service.db
        .updateTable('conversations')
        .set({ folder: folders[0]?.id ?? '' })
        .where('id', '=', conversation)
        .execute()
      deepEqual((await call('GET', '/channels/messenger-folders')).body, {
        folders: [
          { id: folders[1]?.id, name: 'A', channel: connections[0], conversations: 0 },
          { id: folders[0]?.id, name: 'b', channel: connections[0], conversations: 1 },
        ],
        next: null,
      })
    })
  })

  describe('GET /senders/voices', () => {
    it('lists one for each mailbox, with the current signature of its member', async () => {
      const { id, call, connections, member } = await given()
      await service.db
        .insertInto('connections')
        .values({
          id: newId('con'),
          workspace: id,
          kind: 'messenger',
          name: 'M',
          account: '+491',
          member,
          limitDay: 1,
          limitWeek: 1,
          gapSeconds: 0,
        })
        .execute()
      await call('PATCH', `/members/${member}`, { signature: 'Yours, Ana' })
      const { voices, next } = (await call('GET', '/senders/voices')).body
      equal(next, null)
      deepEqual(
        voices.map(({ id: _, ...voice }: { id: string }) => voice),
        connections.map((connection) => ({
          member,
          name: 'Ana Ruiz',
          connection,
          signature: 'Yours, Ana',
        })),
      )
      equal(new Set(voices.map(({ id }: { id: string }) => id)).size, 2)
    })
  })

  describe('notifications', () => {
    async function told() {
      const ours = await given()
      const other = newId('mem')
      const blank = { jobTitle: '', zone: '', signature: '' }
      await service.db
        .insertInto('members')
        .values({ id: other, workspace: ours.id, name: 'Ben', email: 'b@us.example', ...blank })
        .execute()
      const rows = [1, 2, 3].map((i) => ({
        id: newId('ntf'),
        workspace: ours.id,
        kind: 'reply',
        text: `${i}`,
        member: i === 3 ? other : ours.member,
        at: new Date(Date.UTC(2026, 10, i)),
      }))
      await service.db.insertInto('notifications').values(rows).execute()
      return { ...ours, rows }
    }

    it("are the caller's own, newest first", async () => {
      const { call, rows } = await told()
      const { notifications } = (await call('GET', '/notifications')).body
      deepEqual(notifications[0], {
        id: rows[1]?.id,
        at: '2026-11-02T00:00:00.000Z',
        kind: 'reply',
        text: '2',
        conversation: null,
        read: false,
      })
      deepEqual([notifications.length, notifications[1].id], [2, rows[0]?.id])
    })

    it('are read by id, then all, each counted once', async () => {
      const { call, rows } = await told()
      const read = async (body?: object) => (await call('POST', '/notifications/read', body)).body
      const ids = [rows[0]?.id, rows[0]?.id]
      deepEqual(await read({ ids: [] }), { read: 0 })
      deepEqual(await read({ ids }), { read: 1 })
      deepEqual(await read({ ids }), { read: 0 })
      deepEqual(await read(), { read: 1 })
      deepEqual(await read({}), { read: 0 })
      const { notifications } = (await call('GET', '/notifications')).body
      ok(notifications.every((n: { read: boolean }) => n.read))
      equal((await call('GET', '/audit')).body.entries.length, 2)
      const theirs = await service.db
        .selectFrom('notifications')
        .select('readAt')
        .where('id', '=', rows[2]?.id ?? '')
        .executeTakeFirst()
      equal(theirs?.readAt, null)
    })

    it('of other members are not found', async () => {
      const { call, rows } = await told()
      const ids = [rows[0]?.id, rows[2]?.id, 'ntf_none']
      const { status, body } = await call('POST', '/notifications/read', { ids })
      equal(status, 422)
      deepEqual(
        body.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`),
        ['/ids/1 unknown_id', '/ids/2 unknown_id'],
      )
    })
  })
})
