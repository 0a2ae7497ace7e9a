import { equal, ok } from 'node:assert/strict'
import { startGateway } from '../../support/gateway.ts'
import { atPort, startCalendars } from '../../support/given-calendar.ts'
import { eventually, reaches } from '../../support/service.ts'

describe('servers of a tenant that never answer', function () {
  this.timeout(180_000)

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
      await reaches(() => gateway.most(), 4)
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
