import { deepEqual, equal, ok } from 'node:assert/strict'
import { startGateway } from '../../support/gateway.ts'
import { givenConversation, givenPeople } from '../../support/given.ts'
import { atPort, startCalendars } from '../../support/given-calendar.ts'
import { testMail } from '../../support/mail.ts'
import { eventually, type SharedService, sharedService } from '../../support/service.ts'

describe('servers of a tenant that never answer', function () {
  this.timeout(180_000)

  describe('mail servers', () => {
    let service: SharedService
    before(async function () {
      service = await sharedService(this.test?.ctx)
    })

    it('get few letters at once; the letters of others go, and all go once when the servers answer', async () => {
      const size = 40
      const gateway = await startGateway({ hangsUpAfterMs: 2_000 })
      const mail = await testMail()
      const [stuck, other] = await Promise.all([
        service.workspace({ smtpPort: gateway.port }),
        service.workspace({ smtpPort: mail.smtpPort }),
      ])
      const sent = await Promise.all(Array.from({ length: size }, (_, i) => send(stuck, i)))
      await eventually(
        async () => gateway.most(),
        (most) => most > 0,
      )
      const othersLetter = await send(other, size)
      await eventually(
        async () => mail.messages(),
        (all) => all.length === 1,
        60_000,
      )
      await eventually(
        () => stateOf(stuck, sent[0]),
        ({ waitingFor }) => waitingFor === 'connection',
        60_000,
      )
      ok(gateway.most() <= 4, `${gateway.most()} connections at once`)

      gateway.openTo(mail.smtpPort)
      await eventually(
        async () => mail.messages(),
        (all) => all.length === size + 1,
        120_000,
      )
      for (const letter of sent)
        await eventually(
          () => stateOf(stuck, letter),
          ({ state }) => state === 'done',
        )
      const to = mail.messages().flatMap((message) => message.to)
      deepEqual(to.sort(), [...sent, othersLetter].map(({ email }) => email).sort())
      ok(gateway.most() <= 4, `${gateway.most()} connections at once`)
    })

    it('get few health checks at once, and the checks of others are answered', async () => {
      const gateway = await startGateway({ hangsUpAfterMs: 2_000 })
      const mail = await testMail()
      const [stuck, other] = await Promise.all([
        service.workspace({ smtpPort: gateway.port }),
        service.workspace({ smtpPort: mail.smtpPort }),
      ])
      const check = (of: typeof stuck) => of.call('POST', '/senders/health/check', {})
      const checks = Array.from({ length: 30 }, () => check(stuck))
      await eventually(
        async () => gateway.most(),
        (most) => most >= 8,
      )
      equal((await check(other)).status, 200)
      await Promise.all(checks)
      // Each check logs in to every account.
      ok(gateway.most() <= 8 * stuck.connections.length, `${gateway.most()} connections at once`)
    })

    type Workspace = Awaited<ReturnType<typeof service.workspace>>

    async function send(workspace: Workspace, i: number) {
      const { id: own, call, connections } = workspace
      const email = `client-${i}-${own}@client.example`.toLowerCase()
      const at = service.clock.now()
      const [person = ''] = await givenPeople(service.db, own, [{ name: 'Cleo', email }], at)
      const connection = connections[0]
      const id = await givenConversation(service.db, own, { person, connection, from: email, at })
      const key = `message-${i}-of-${own}`
      const text = `Message ${i}`
      equal((await call('POST', `/conversations/${id}/messages`, { text }, { key })).status, 200)
      return { email, key }
    }

    async function stateOf({ call }: Workspace, letter: { key: string } | undefined) {
      return (await call('GET', `/operations/${letter?.key}`)).body
    }
  })

  it('that hold calendars get few meetings at once; those of others are booked, and all are booked later', async function () {
    const calendars = await startCalendars(this)
    try {
      const gateway = await startGateway()
      const [stuck, other] = await Promise.all([
        calendars.room((url) => atPort(url, gateway.port)),
        calendars.room(),
      ])
      const hours = Array.from({ length: 20 }, (_, i) => `${String(i).padStart(2, '0')}:00`)
      const bookings = hours.map((start) => stuck.book({ start, guests: [] }))
      await eventually(stuck.list, (all) => all.length === hours.length)
      await eventually(
        async () => gateway.most(),
        (most) => most >= 4,
      )
      equal((await other.book()).status, 200)
      equal((await other.server.events()).length, 1)

      gateway.openTo(Number(new URL(stuck.server.url).port))
      await Promise.all(bookings)
      const events = await eventually(
        stuck.server.events,
        (all) => all.length >= hours.length,
        120_000,
      )
      equal(events.length, hours.length)
      // A client may reconnect before its earlier connection is closed.
      ok(gateway.most() <= 8, `${gateway.most()} connections at once`)
    } finally {
      await calendars.close()
    }
  })
})
