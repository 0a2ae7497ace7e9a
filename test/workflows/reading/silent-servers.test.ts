import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { scriptedImap } from '../../support/imap-server/index.ts'
import type { Answer } from '../../support/imap-server/rows.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { givenLetter, givenReader } from '../../support/reading.ts'
import {
  comesTo,
  eventually,
  reaches,
  startService,
  type TestService,
} from '../../support/service.ts'

describe('a mailbox whose server falls silent', function () {
  this.timeout(240_000)
  let service: TestService
  let sink: MailSink

  before(async function () {
    this.timeout(120_000)
    sink = await testMail()
    service = await startService()
    await service.work(this.test?.ctx, {}, { only: ['rows', 'send', 'remote', 'mail'] })
  })
  after(() => service?.close())

  async function given() {
    const imap = await scriptedImap()
    const reader = await givenReader(service, imap)
    await reader.mail('First')
    await reader.isRead()
    await comesTo(async () => (await reader.subjects()).length, 1, 30_000)
    const has = (subject: string, ms: number) =>
      eventually(reader.subjects, (found) => found.includes(subject), ms)
    return { imap, ...reader, has }
  }

  const silences: [title: string, verb: string, answer: Answer][] = [
    ['at a command', 'STATUS', { silence: true }],
    ['at the folders', 'LIST', { silence: true }],
    ['after IDLE', 'DONE', { silence: true }],
    ['during IDLE', 'IDLE', { silence: true }],
    ['when it is opened', 'SELECT', { swallow: true }],
    ['before it greets', 'GREETING', { silence: true }],
    ['in the middle of a line', 'SELECT', { trickle: true }],
  ]
  it('has its news within two and a half minutes, wherever that was', async () => {
    const all = await Promise.all(
      silences.map(async ([title, verb, answer]) => {
        const reader = await given()
        reader.imap.rows.set([{ verb, when: { time: 1 }, answer }])
        // What is open then ends, so that each of these verbs is said.
        if (/GREETING|SELECT|LIST/.test(verb)) reader.imap.end(reader.account)
        return { title, ...reader }
      }),
    )
    await sleep(3_000) // Each server has fallen silent, or will.
    await Promise.all(all.map(({ mail }) => mail('Second')))
    const late = await Promise.all(
      all.map(({ has, title }) =>
        has('Second', 150_000).then(
          () => undefined,
          () => title,
        ),
      ),
    )
    deepEqual(late.filter(Boolean), [])
  })

  it('is in trouble within two minutes, and well within one after its server is', async () => {
    const { imap, account, channel, mail, has } = await given()
    imap.rows.set([{ verb: 'LOGIN', answer: { swallow: true } }])
    imap.end(account)
    await eventually(channel, ({ problem }) => problem !== null, 120_000)
    // The login that is swallowed is the one that has to be given up.
    await reaches(() => imap.counts()['LOGIN'] ?? 0, 2, 60_000)
    await mail('Second')
    imap.rows.set([])
    await has('Second', 75_000)
    await comesTo(async () => (await channel()).problem, null, 10_000)
  })

  it('stays in trouble while it cannot be read, though logins work', async () => {
    const { imap, account, channel, told } = await given()
    const rows = ['SELECT', 'EXAMINE'].map((verb) => ({
      verb,
      answer: { no: '[SERVERBUG] Internal error occurred' },
    }))
    imap.rows.set(rows)
    imap.end(account)
    await eventually(channel, (one) => one.problem !== null, 60_000)
    for (let second = 0; second < 45; second++) {
      await sleep(1_000) // A problem that comes and goes is what is looked for.
      notEqual((await channel()).problem, null, `after ${second} seconds`)
    }
    const { clock } = service
    await clock.set(new Date(clock.now().getTime() + 20 * 60_000).toISOString())
    await eventually(
      () => told('channel.failed'),
      ({ length }) => length === 1,
      60_000,
    )
    imap.rows.set([])
    await eventually(channel, (one) => one.problem === null, 150_000)
    equal((await told('channel.failed')).length, 1)
  })

  for (const profile of ['exchange', 'dovecot', 'courier'] as const)
    it(`gets no second folder for sent mail when its server names none for a while (${profile})`, async () => {
      const rows = [{ verb: 'LIST', when: { session: [1, 2] as [number, number] }, answer: empty }]
      const imap = await scriptedImap({ profile, rows })
      const letter = await givenLetter(service, sink, imap)
      const { account } = letter
      const before = imap.folders(account)
      const sent = before.find((name) => /sent|gesendet/i.test(name)) ?? ''
      await letter.isRead()
      await sleep(5_000) // As long as the reader needs to look for what it may file.
      imap.end(account)
      const filed = () => imap.store.find(account, sent)?.entries.length ?? 0
      await reaches(filed, 1, 180_000)
      deepEqual(imap.folders(account), before)
      equal(imap.counts().CREATE, undefined)
    })
})

const empty = { empty: true as const }
