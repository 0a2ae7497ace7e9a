import { deepEqual, equal, match } from 'node:assert/strict'
import { shownEvents } from '../../support/events.ts'
import { givenConversation, givenPeople } from '../../support/given.ts'
import { testMail } from '../../support/mail.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

// A port on which nothing listens.
const dead = 9

describe('an account that cannot be opened', function () {
  this.timeout(60_000)
  let service: TestService
  before(async function () {
    this.timeout(120_000)
    service = await startService()
    await service.work(this.test?.ctx, {}, { only: ['send'] })
  })
  after(() => service.close())

  it('shows its problem and when it was checked, and its member is notified once of a lasting one', async () => {
    const mail = await testMail()
    const { db, clock } = service
    const { id, call, connections } = await service.workspace({ smtpPort: dead })
    const [connection] = connections
    const at = clock.now()
    const [person = ''] = await givenPeople(db, id, [{ name: 'Kim', email: 'k@c.example' }], at)
    const given = { person, connection, from: 'k@c.example', at }
    const conversation = await givenConversation(db, id, given)
    await call('POST', `/conversations/${conversation}/messages`, { text: 'Hello' }, { key: 'm' })

    const channel = async () =>
      (await call('GET', '/channels')).body.channels.find(
        (one: { id: string }) => one.id === connection,
      )
    const { checkedAt } = await eventually(channel, ({ problem }) => problem === 'smtp_unreachable')
    match(checkedAt, /^2026-11-23T/)
    const told = async () =>
      (await call('GET', '/notifications')).body.notifications.filter(
        ({ kind }: { kind: string }) => kind === 'channel.failed',
      )
    const events = async () =>
      (await shownEvents(service, { id, call }))
        .filter(({ kind }) => kind.startsWith('channel.'))
        .map(({ kind, resource, data }) => ({ kind, resource, data }))
    deepEqual(await told(), [])

    await clock.set(new Date(clock.now().getTime() + 2 * 60_000).toISOString())
    const { length } = await eventually(told, (all) => all.length > 0, 30_000)
    equal(length, 1)
    const triedAt = (await channel()).checkedAt
    await eventually(channel, (now) => now.checkedAt > triedAt, 30_000)
    equal((await told()).length, 1)
    const failed = { connection, part: 'sending', problem: 'smtp_unreachable' }
    deepEqual(await events(), [{ kind: 'channel.failed', resource: connection, data: failed }])

    await db
      .updateTable('connections')
      .set({ smtp: JSON.stringify({ host: '127.0.0.1', port: mail.smtpPort, secure: false }) })
      .where('id', '=', connection)
      .execute()
    await eventually(
      () => call('GET', '/operations/m'),
      ({ body }) => body.state === 'done',
      60_000,
    )
    equal((await channel()).problem, null)
    deepEqual((await events()).slice(1), [
      {
        kind: 'channel.recovered',
        resource: connection,
        data: { connection, part: 'sending', problem: null },
      },
    ])
    equal((await told()).length, 1)
  })
})
