import { deepEqual, equal, ok } from 'node:assert/strict'
import { failedLogin, loggedIn, mayLogIn } from '../../../db/accounts/login-breaker.ts'
import type { Server } from '../../../rules/answers/causes.ts'
import type { LoginFailure } from '../../../rules/answers/login-pauses.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('logins of an account at one of its servers', () => {
  let service: TestService
  before(async function () {
    this.timeout(120_000)
    service = await startService()
  })
  after(() => service.close())
  const start = new Date('2026-11-23T10:00:00.000Z')
  const hour = 3_600_000

  async function given(server: Server) {
    const { connections } = await service.workspace()
    const reader = { connection: connections[0], since: start }
    await service.db.insertInto('mailboxReaders').values(reader).execute()
    return { id: connections[0], server, settings: 'first' }
  }

  /** Tries as soon as it may, for some hours, and answers when it tried: minutes. */
  async function tries(
    of: Awaited<ReturnType<typeof given>>,
    failure: LoginFailure,
    hours: number,
  ) {
    const at: number[] = []
    for (let now = start.getTime(); now < start.getTime() + hours * hour; ) {
      const moment = new Date(now)
      const permit = await mayLogIn(service.db, of, moment)
      if (!permit.may) {
        now = permit.trouble.retryAt?.getTime() ?? 0
        continue
      }
      at.push((now - start.getTime()) / 60_000)
      const failed = { failure, code: `${of.server}_login_refused`, why: 'no' }
      await failedLogin(service.db, permit, of.settings, failed, moment)
    }
    return at
  }

  for (const server of ['smtp', 'imap'] as const) {
    it(`are four an hour at most as long as they are refused (${server})`, async () => {
      const at = await tries(await given(server), 'refused', 24)
      deepEqual(at.slice(0, 4), [0, 0.25, 0.75, 1.75])
      ok(at.length <= 4 + 24, `${at.length} logins`)
      for (const one of at) ok(at.filter((other) => other >= one && other < one + 60).length <= 4)
    })

    it(`are a quarter of an hour apart as long as trouble passes (${server})`, async () => {
      deepEqual(await tries(await given(server), 'passing', 1), [0, 1, 3, 7, 15, 30, 45])
    })

    it(`are made by one of all who ask, and at once with new settings (${server})`, async () => {
      const of = await given(server)
      await tries(of, 'refused', 0.001)
      const later = new Date(start.getTime() + hour)
      const asked = await Promise.all([1, 2, 3].map(() => mayLogIn(service.db, of, later)))
      equal(asked.filter(({ may }) => may).length, 1)
      const anew = await mayLogIn(service.db, { ...of, settings: 'second' }, later)
      ok(anew.may)
      await loggedIn(service.db, anew, later)
      ok((await mayLogIn(service.db, of, later)).may)
    })
  }
})
