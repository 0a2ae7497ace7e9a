import { equal, match, notEqual, ok } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { scriptedImap } from '../../support/imap-server/index.ts'
import { profiles } from '../../support/imap-server/profiles.ts'
import { givenReader } from '../../support/reading.ts'
import {
  comesTo,
  eventually,
  reaches,
  startService,
  type TestService,
} from '../../support/service.ts'

describe('a mailbox whose server lets nobody in', function () {
  this.timeout(180_000)
  let service: TestService

  before(async function () {
    this.timeout(120_000)
    service = await startService()
    await service.work(this.test?.ctx, {}, { only: ['rows', 'mail'] })
  })
  after(() => service?.close())

  async function given(no: string) {
    const imap = await scriptedImap({ rows: [{ verb: 'LOGIN', answer: { no } }] })
    const reader = await givenReader(service, imap)
    await reader.isRead()
    await reaches(() => imap.logins.refused, 1, 30_000)
    return { imap, ...reader }
  }

  it('is tried again ever more rarely after a refused password, and its member is told what to do', async () => {
    const { imap, channel, told } = await given('[AUTHENTICATIONFAILED] Authentication failed.')
    await eventually(channel, ({ problem }) => problem === 'imap_login_refused')
    await sleep(60_000) // The times of the tries are what is looked at.
    ok(imap.logins.refused <= 3, `${imap.logins.refused} logins in a minute`)
    const { clock } = service
    await clock.set(new Date(clock.now().getTime() + 5 * 60_000).toISOString())
    const [notice, ...more] = await eventually(
      () => told('channel.failed'),
      ({ length }) => length > 0,
      60_000,
    )
    match(notice?.text ?? '', /password/i)
    equal(more.length, 0)
  })

  it('is tried at once with a new password', async () => {
    const { imap, isRead, mail, subjects } = await given('[AUTHENTICATIONFAILED] No.')
    await reaches(() => imap.logins.refused, 2, 30_000)
    imap.rows.set([])
    await mail('Inside')
    await isRead()
    await comesTo(async () => (await subjects()).length, 1, 30_000)
  })

  const passing: [words: string, problem: RegExp][] = [
    ['[THROTTLED] Please slow down', /^imap_throttled$/],
    ['[LIMIT] LOGIN Rate limit hit.', /^imap_(throttled|too_many_sessions)$/],
    ['[ALERT] Too many simultaneous connections. (Failure)', /^imap_too_many_sessions$/],
    ['[ALERT] Account exceeded command or bandwidth limits. (Failure)', /^imap_bandwidth$/],
    ['[UNAVAILABLE] Temporary authentication failure', /^imap_unavailable$/],
  ]
  it('rests a minute at first where the trouble passes, and no password is blamed', async () => {
    const all = await Promise.all(passing.map(([words]) => given(words)))
    await sleep(50_000) // Within the first minute nobody may try again.
    for (const [i, { imap, channel }] of all.entries()) {
      const [words, problem] = passing[i] as (typeof passing)[number]
      match((await channel()).problem ?? '', problem, words)
      ok(imap.logins.refused <= 2, `${imap.logins.refused} logins: ${words}`)
      imap.rows.set([])
    }
    for (const { channel } of all)
      await eventually(channel, ({ problem }) => problem === null, 100_000)
  })

  it('whose session is let in and refused everything is tried as rarely', async () => {
    const bad = 'User is authenticated but not connected.'
    const verbs = ['NAMESPACE', 'LIST', 'SELECT', 'EXAMINE', 'STATUS', 'ID']
    const imap = await scriptedImap({
      profile: 'exchange',
      rows: verbs.map((verb) => ({ verb, answer: { bad } })),
    })
    const reader = await givenReader(service, imap)
    await reader.isRead()
    await reaches(() => imap.logins.good, 1, 30_000)
    await sleep(50_000) // Within the first minute nobody may try again.
    ok(imap.logins.good <= 2, `${imap.logins.good} logins`)
    notEqual((await reader.channel()).problem, null)
    imap.rows.set([])
    await reader.mail('Well again')
    await eventually(reader.subjects, ({ length }) => length === 1, 100_000)
  })

  it('of a host that takes few at once has its turn, without a storm of logins', async () => {
    const sessions = { account: 3, host: 4 }
    const imap = await scriptedImap({ profile: { ...profiles.hoster, sessions } })
    const readers: Awaited<ReturnType<typeof givenReader>>[] = []
    for (let i = 0; i < 12; i++) readers.push(await givenReader(service, imap))
    for (const [i, reader] of readers.entries()) await reader.mail(`Mail ${i}`)
    await Promise.all(readers.map((reader) => reader.isRead()))
    const unread = async () => {
      const found = await Promise.all(readers.map((reader) => reader.subjects()))
      return found.filter(({ length }) => length === 0).length
    }
    await eventually(unread, (n) => n === 0, 150_000)
    ok(imap.logins.refused <= 24, `${imap.logins.refused} refused logins`)
  })
})
