import { equal, ok } from 'node:assert/strict'
import type { WakeReason } from '../../../rules/wakes.ts'
import { eventually } from '../../support/service.ts'
import { countPlannings, runStubs } from '../../support/stub-runner.ts'

const others: WakeReason[] = ['letters', 'accounts', 'mailbox', 'settings', 'hold']

describe('the runner of a campaign', function () {
  this.timeout(60_000)

  it('plans when it starts and when it is woken because of people, and for no other reason', async function () {
    await countPlannings(this, async ({ signal, looks, plannings }) => {
      await eventually(looks, (n) => n === 1)
      equal(await plannings(), 1)
      for (let n = 0; n < 20; n++) {
        const before = await looks()
        await signal(others[n % others.length] as WakeReason)
        await eventually(looks, (now) => now > before)
      }
      equal(await plannings(), 1)
      await signal('people')
      await eventually(plannings, (n) => n === 2)
      // From 0.4.0, whose signals have no reason.
      await signal()
      await eventually(plannings, (n) => n === 3)
    })
  })

  it('goes on in a new run after a hundred sittings, and plans nothing there', async function () {
    let plannings = 0
    const runs = await runStubs(this, 250, '', () => plannings++)
    equal(runs.length, 3)
    ok(Math.max(...runs) < 1_300, `${runs.join()} events`)
    equal(plannings, 1)
  })
})
