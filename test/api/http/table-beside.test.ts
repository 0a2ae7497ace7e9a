import { ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { callIn, changes } from '../../support/changes.ts'
import { forEach, givenRoom } from '../../support/samples.ts'
import { type SharedService, sharedService } from '../../support/service.ts'

// Many calls like one another at the same time, of every call of the table that changes something.

describe('every change', function () {
  // Each test goes through all changes.
  this.timeout(240_000)
  let service: SharedService
  before(async function () {
    this.timeout(120_000)
    service = await sharedService(this.test?.ctx)
  })

  it('runs beside others like it without a failure', () =>
    forEach(changes, async (route) => {
      const room = await givenRoom(service)
      const replies = await Promise.all(
        Array.from({ length: 12 }, () => callIn(room, route, randomUUID())),
      )
      ok(replies.some(({ status }) => status === 200))
      for (const { status, text } of replies) ok(status < 500, text)
    }))
})
