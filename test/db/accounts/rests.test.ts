import { deepEqual, equal, match } from 'node:assert/strict'
import {
  beginRest,
  endRest,
  giveProbeBack,
  hastenRest,
  restOf,
  takeProbe,
} from '../../../db/accounts/rests.ts'
import type { Trx } from '../../../db/database.ts'
import type { RestCause } from '../../../rules/answers/causes.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('an account that rests', () => {
  let service: TestService
  before(async function () {
    this.timeout(120_000)
    service = await startService()
  })
  after(() => service.close())
  const now = new Date('2026-11-23T10:00:00.000Z')
  const minute = (minutes: number) => new Date(now.getTime() + minutes * 60_000)

  async function account() {
    const { connections, call } = await service.workspace()
    const of = { account: connections[0], server: 'smtp' as const }
    const within = <T>(work: (trx: Trx) => Promise<T>) => service.db.transaction().execute(work)
    return {
      of,
      begin: (cause: RestCause, at: Date, words = '550 No') =>
        within((trx) => beginRest(trx, { ...of, cause, words, now: at })),
      end: (at: Date) => within((trx) => endRest(trx, of, at)),
      hasten: (at: Date) => within((trx) => hastenRest(trx, of, at)),
      probe: (at: Date) => takeProbe(service.db, of, at),
      back: (at: Date) => giveProbeBack(service.db, of, at),
      found: () => restOf(service.db, of.account, of.server),
      async told() {
        const { body } = await call('GET', '/notifications')
        return body.notifications.filter(({ kind }: { kind: string }) => kind === 'sender.rests')
      },
    }
  }

  it('rests longer each time that one try finds it refused again, and its member is told once', async () => {
    const { begin, probe, found, told } = await account()
    equal(await probe(now), 'free')
    const words = '450 4.7.1 Rate limit exceeded'
    deepEqual(await begin('smtp_rate', now, words), {
      ...{ until: minute(5), probeAt: minute(5), firstTime: true },
    })
    // Another letter that was on its way has found nothing out.
    equal((await begin('smtp_rate', minute(1))).until?.getTime(), minute(5).getTime())
    equal(await probe(minute(4)), 'busy')
    deepEqual(await Promise.all([probe(minute(5)), probe(minute(5))]).then((all) => all.sort()), [
      ...['busy', 'mine'],
    ])
    deepEqual((await begin('smtp_rate', minute(6), words)).until, minute(16))
    equal((await found())?.since.getTime(), now.getTime())
    const [one, ...more] = await told()
    deepEqual(more, [])
    match(one.text, /sends faster than its provider lets it.*Rate limit exceeded/)
  })

  it('works again after one try that succeeds, and what recurs by itself is not told again within a week', async () => {
    const { begin, end, probe, found, told } = await account()
    await begin('smtp_quota', now)
    equal(await probe(minute(24 * 60)), 'mine')
    equal(await end(minute(24 * 60)), true)
    equal(await end(minute(24 * 60)), false)
    equal(await found(), undefined)
    await begin('smtp_quota', minute(25 * 60))
    equal((await told()).length, 1)
    equal((await found())?.tries, 1)
    await end(minute(26 * 60))
    await begin('smtp_quota', minute(9 * 24 * 60))
    equal((await told()).length, 2)
  })

  it('lets another try be made if one says nothing of the account, or a person asks for it', async () => {
    const { begin, probe, back, hasten, found } = await account()
    equal((await begin('smtp_sender_refused', now)).until, null)
    equal(await probe(minute(60)), 'busy')
    await hasten(minute(60))
    equal(await probe(minute(60)), 'mine')
    await back(minute(61))
    equal(await probe(minute(61)), 'mine')
    await begin('smtp_sender_refused', minute(62))
    equal((await found())?.tries, 2)
  })
})
