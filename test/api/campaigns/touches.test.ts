import { deepEqual, equal } from 'node:assert/strict'
import { givenRoom } from '../../support/samples.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('one touch, and one meeting', () => {
  let service: TestService
  before(async function () {
    this.timeout(120_000)
    service = await startService()
  })
  after(() => service.close())

  it('are read as lists show them', async () => {
    const { call, parents } = await givenRoom(service)
    const path = `/campaigns/${parents['campaigns']}/touches`
    const { touches } = (await call('GET', path)).body
    deepEqual((await call('GET', `${path}/${touches[1].id}`)).body, touches[1])
    const { meetings } = (await call('GET', '/calendar')).body
    deepEqual((await call('GET', `/calendar/meetings/${meetings[1].id}`)).body, meetings[1])
  })

  it('do not exist in another campaign or workspace', async () => {
    const [one, other] = [await givenRoom(service), await givenRoom(service)]
    const { touches } = (await one.call('GET', `/campaigns/${one.parents['campaigns']}/touches`))
      .body
    const touch = touches[0].id
    const meeting = `/calendar/meetings/${one.ids['calendar']}`
    for (const [call, path] of [
      [one.call, `/campaigns/${one.ids['campaigns']}/touches/${touch}`],
      [other.call, `/campaigns/${other.parents['campaigns']}/touches/${touch}`],
      [other.call, `/campaigns/${one.parents['campaigns']}/touches/${touch}`],
      [other.call, meeting],
    ] as const)
      equal((await call('GET', path)).status, 404, path)
    equal((await one.call('GET', meeting)).status, 200)
  })
})
