import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { callIn, changes, linesOf, replayed } from '../../support/changes.ts'
import { forEach, givenRoom } from '../../support/samples.ts'
import { type SharedService, sharedService } from '../../support/service.ts'

// Many identical calls at the same time, of every call of the table that changes something.

describe('every change', function () {
  // Each test goes through all changes.
  this.timeout(120_000)
  let service: SharedService
  before(async function () {
    this.timeout(120_000)
    service = await sharedService(this.test?.ctx)
  })

  it('is carried out once for many simultaneous identical calls, whatever another workspace has done under their key', async () => {
    // One for all routes: whether it still has what a call needs makes no difference here.
    const other = await givenRoom(service)
    await forEach(changes, async (route) => {
      const key = randomUUID()
      await callIn(other, route, key)
      const room = await givenRoom(service)
      const before = (await linesOf(room)).length
      const replies = await Promise.all(Array.from({ length: 12 }, () => callIn(room, route, key)))
      deepEqual([...new Set(replies.map(({ status }) => status))], [200])
      equal(new Set(replies.map(({ text }) => text)).size, 1)
      equal(replies.filter((reply) => replayed(reply) === null).length, 1)
      ok((await linesOf(room)).length - before <= 1)
    })
  })
})
