import { equal, ok } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { scriptedImap } from '../../support/imap-server/index.ts'
import type { Answer } from '../../support/imap-server/rows.ts'
import { givenReader } from '../../support/reading.ts'
import { comesTo, eventually, startService, type TestService } from '../../support/service.ts'

describe('a mailbox to which nothing comes', function () {
  this.timeout(120_000)
  let service: TestService

  before(async function () {
    this.timeout(120_000)
    service = await startService()
    await service.work(this.test?.ctx, {}, { only: ['rows', 'mail'] })
  })
  after(() => service?.close())

  async function given(profile: 'dovecot' | 'exchange' | 'gmail', answer?: Answer) {
    const rows = answer ? [{ verb: 'IDLE', answer }] : []
    const imap = await scriptedImap({ profile, rows })
    const reader = await givenReader(service, imap)
    await reader.mail('First')
    await reader.isRead()
    await eventually(reader.subjects, ({ length }) => length === 1, 30_000)
    /** How many commands are asked in so many seconds. */
    async function commandsIn(seconds: number) {
      const { length } = imap.heard
      await sleep(seconds * 1000) // It is what is measured.
      return imap.heard.length - length
    }
    return { imap, ...reader, commandsIn }
  }

  const refusals: [title: string, answer: Answer][] = [
    ['refuses IDLE', { no: 'IDLE not allowed' }],
    ['does not know IDLE though it offers it', { bad: 'Unknown command' }],
    ['ends IDLE at once', { endIdleMs: 0 }],
  ]
  for (const [title, answer] of refusals)
    it(`is asked with a pause by a server that ${title}, and has news all the same`, async () => {
      const { commandsIn, mail, subjects } = await given('dovecot', answer)
      const commands = await commandsIn(10)
      ok(commands <= 40, `${commands} commands in ten seconds`)
      await mail('Second')
      await eventually(subjects, (found) => found.includes('Second'), 75_000)
    })

  it('counts as read for as long as its session lasts', async function () {
    this.timeout(300_000)
    const { connection } = await given('dovecot')
    const isBehind = async () => {
      const row = await service.db
        .selectFrom('mailboxReaders')
        .select('caughtUpAt')
        .where('connection', '=', connection)
        .executeTakeFirst()
      return row?.caughtUpAt === null
    }
    await comesTo(isBehind, false, 10_000)
    await sleep(200_000) // An account that waits for its turn is behind after three minutes.
    equal(await isBehind(), false)
  })

  for (const profile of ['dovecot', 'gmail'] as const)
    it(`costs next to nothing on a server that tells many folders at once (${profile})`, async () => {
      const { commandsIn, mail, subjects } = await given(profile)
      // What belongs to the first reading is over.
      await sleep(2_000)
      const commands = await commandsIn(30)
      ok(commands <= 6, `${commands} commands in thirty seconds`)
      const from = Date.now()
      await mail('Second')
      await eventually(subjects, (found) => found.includes('Second'), 5_000)
      equal(Date.now() - from < 5_000, true)
    })
})
