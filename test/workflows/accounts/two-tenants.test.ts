import { deepEqual, ok } from 'node:assert/strict'
import type { Context } from 'mocha'
import { type TestMailboxes, testMailboxes } from '../../support/mailboxes.ts'
import { startService } from '../../support/service.ts'
import { tenantsDay } from '../../support/tenant.ts'

type Said = Awaited<ReturnType<Awaited<ReturnType<typeof tenantsDay>>['outcome']>>['said']

/** Fails with only what differs. */
function same({ answers, ...rest }: Said, { answers: alone, ...restAlone }: Said) {
  deepEqual(rest, restAlone)
  for (const path of new Set([...Object.keys(answers), ...Object.keys(alone)]))
    deepEqual({ [path]: answers[path] }, { [path]: alone[path] })
}

/** How many complaints count against a tenant's accounts. */
const complaintsOf = ({ said }: { said: Said }) =>
  Number(
    /"key":"complaints"[^}]*"count":([1-9])/.exec(
      JSON.stringify(said.answers['/senders/health']),
    )?.[1] ?? 0,
  )

describe('two tenants with the same names, addresses and keys', function () {
  this.timeout(550_000)
  let mail: TestMailboxes
  before(async function () {
    mail = await testMailboxes(this.test?.ctx)
  })

  /** The outcomes of tenants who share everything but their workspaces, in the order of `busy`. */
  async function outcomes(busy: boolean[], context: Context | undefined) {
    const service = await startService()
    try {
      const deps = { lookUpTxt: async () => [], mailWaitMs: 300 }
      await service.work(context, deps, { only: ['rows', 'send', 'remote', 'mail'] })
      const days = await Promise.all(busy.map((one) => tenantsDay(service, mail, one)))
      const all = []
      for (const [i, day] of days.entries()) all.push(await day.outcome(`check-${i && 0}`))
      return all
    } finally {
      await service.close()
    }
  }

  it('see the same lists, numbers, levels and effects as each does alone', async function () {
    const context = this.test?.ctx
    const [[quiet], [busy], [quietBeside, busyBeside]] = await Promise.all([
      outcomes([false], context),
      outcomes([true], context),
      outcomes([false, true], context),
    ])
    ok(quiet && busy && quietBeside && busyBeside)
    ok(Object.keys(quiet.said.answers).length > 30)
    deepEqual([complaintsOf(quietBeside), complaintsOf(busyBeside)], [0, 1])
    same(quietBeside.said, quiet.said)
    same(busyBeside.said, busy.said)
    deepEqual(
      [...quietBeside.ids].filter((id) => busyBeside.ids.has(id)),
      [],
    )
  })
})
