import { equal, ok } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { behindOf } from '../../db/accounts/mailboxes.ts'
import { scriptedImap } from '../support/imap-server/index.ts'
import { givenReader } from '../support/reading.ts'
import { eventually, startService, type TestService } from '../support/service.ts'
import { countStatements, listed } from '../support/statements.ts'
import { overBudget } from './budgets.ts'

// In a service whose looks and renewals of leases follow each other quickly: what one of them costs is the same.

const lookMs = 300
const countedMs = 6_000

describe('what a quiet mailbox costs', function () {
  this.timeout(60_000)
  let service: TestService
  before(async function () {
    service = await startService()
    await service.work(this, { mailWaitMs: lookMs }, { only: ['rows', 'mail'] })
  })
  after(() => service.close())

  for (const profile of ['dovecot', 'gmail'] as const)
    it(`a look at it costs two commands on a server that tells many folders at once (${profile}), and its set keeps to its budget`, async () => {
      const imap = await scriptedImap({ profile })
      const reader = await givenReader(service, imap)
      await reader.mail('First')
      await reader.isRead()
      await eventually(reader.subjects, ({ length }) => length === 1, 30_000)
      const counter = countStatements(service.databaseUrl)
      // What belongs to the first reading is over once nothing is noted of a mailbox any more.
      do {
        counter.take()
        await sleep(4 * lookMs)
      } while (counter.take().some(({ sql }) => sql.startsWith('update "mailbox_readers"')))

      imap.forgetCounts()
      await sleep(countedMs)
      const statements = counter.take().filter(({ unit }) => unit === 'readMailboxes')
      counter.stop()
      const { LIST: looks = 0, ...others } = imap.counts(reader.account)
      const commands = Object.values(others).reduce((a, b) => a + b, looks)
      ok(looks > 5, `${looks} looks`)
      ok(commands <= 2 * looks + 1, JSON.stringify({ looks, ...others }))

      // Its session has lasted for longer than a mailbox counts as read without one.
      const behind = await behindOf(reader.connection).execute(service.db)
      equal(behind.rows.length, 0)

      const renewals = statements.filter(({ sql }) => sql.includes('set lease_until')).length
      ok(renewals > 5, listed(statements))
      // Several sets may be read, and one may be at work when the counting ends.
      const over = overBudget('set', { statements: statements.length - 1, list: [] }, renewals)
      ok(!over, `${over}\n${listed(statements)}`)
    })
})
