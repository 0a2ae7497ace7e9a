import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openImap } from '../../../activities/ports/mail/imap.ts'
import { followed } from '../../support/followed.ts'
import { givenClient } from '../../support/given.ts'
import { beginHold } from '../../support/holding.ts'
import { givenMailboxes, mailProgram } from '../../support/inbox.ts'
import { type TestMailboxes, testMailboxes } from '../../support/mailboxes.ts'
import { refusingMailbox } from '../../support/refusing-mailbox.ts'
import { comesTo, eventually, startService, type TestService } from '../../support/service.ts'

const large = 1_500_000

describe('the copy of a letter', function () {
  this.timeout(120_000)
  let service: TestService
  let mail: TestMailboxes
  const lines: string[] = []
  const said = (words: string) => lines.filter((line) => line.includes(words)).length
  before(async function () {
    this.timeout(120_000)
    mail = await testMailboxes(this.test?.ctx)
    service = await startService({ logged: (line) => lines.push(line) })
    const only = ['rows', 'send', 'mail'] as const
    await service.work(this.test?.ctx, { mailWaitMs: 100 }, { only })
  })
  after(() => service?.close())
  beforeEach(() => lines.splice(0))

  /** An account whose server takes copies only as the line says, and a sent letter, of 2 MB unless told otherwise. */
  async function given(
    refusal: string,
    { limit, bytes = large }: { limit?: number; bytes?: number } = {},
  ) {
    // The largest mail that the server takes (RFC 7889).
    const limited = (said: string) =>
      said.replace(/CAPABILITY /g, `CAPABILITY APPENDLIMIT=${limit} `)
    const line = await refusingMailbox(mail.imapPort, limit === undefined ? undefined : limited)
    line.told.refusal = refusal
    const { call, ...workspace } = await service.workspace({ smtpPort: mail.smtpPort })
    const [connection] = workspace.connections
    await givenMailboxes(service, { imapPort: line.port }, [connection])
    const client = await givenClient(service.db, workspace, service.clock.now())
    const content = randomBytes(bytes).toString('base64')
    const files = [{ name: 'large.bin', type: 'application/octet-stream', content }]
    const key = randomUUID()
    const path = `/conversations/${client.conversation}/messages`
    const { status, body, text } = await call('POST', path, { text: 'See.', files }, { key })
    equal(status, 200, text)
    equal((await followed(call, key, 30_000).ended()).state, 'done')
    const { account } = await service.db
      .selectFrom('connections')
      .select('account')
      .where('id', '=', connection)
      .executeTakeFirstOrThrow()
    const row = () =>
      service.db
        .selectFrom('messages')
        .select(['filed', 'messageId'])
        .where('id', '=', body.id)
        .executeTakeFirstOrThrow()
    const filed = () => eventually(row, (now) => now.filed, 60_000)
    const heard = async () => {
      const text = `Answer ${randomUUID()}`
      await mailProgram(mail)({ from: client.email, to: account, subject: 'Re', text })
      const stored = () =>
        service.db
          .selectFrom('messages')
          .select('text')
          .where('connection', '=', connection)
          .where('direction', '=', 'inbound')
          .execute()
      await eventually(stored, (all) => all.some((one) => one.text.includes(text)), 60_000)
    }
    const copies = async () => {
      const server = { host: '127.0.0.1', port: mail.imapPort, secure: false, user: account }
      const mailbox = await openImap(server, 'secret')
      try {
        const sent = await mailbox.sentPath()
        if (!sent) return 0
        await mailbox.open(sent)
        return (await mailbox.list(1)).length
      } finally {
        await mailbox.close()
      }
    }
    return { ...workspace, told: line.told, filed, row, heard, copies }
  }
  const later = (ms: number) =>
    service.clock.set(new Date(service.clock.now().getTime() + ms).toISOString())

  for (const [size, bytes] of [
    ['large', large],
    ['small', 1_000],
  ] as const)
    it(`is tried again while mail is read, and is there once: a ${size} one`, async () => {
      const { told, filed, row, heard, copies } = await given('NO [OVERQUOTA] Full', { bytes })
      await comesTo(() => told.appends, 1, 30_000)
      await heard()
      deepEqual([told.appends, (await row()).filed, await copies()], [1, false, 0])
      equal(said('it is tried again for a day'), 1)
      told.refusal = ''
      await later(60_000)
      await filed()
      deepEqual([told.appends, await copies()], [2, 1])
      equal(said('given up'), 0)
    })

  it('waits while its workspace is held, also where it is due at the moment of the call', async () => {
    const { id, told, filed, row, copies } = await given('NO [OVERQUOTA] Full', { bytes: 1_000 })
    await comesTo(() => told.appends, 1, 30_000)
    const held = await beginHold(service.db, id)
    told.refusal = ''
    await later(60_000)
    // A copy that did not wait for the hold that is being set would be filed by now.
    await sleep(1_000)
    equal(told.appends, 1)
    await held.set()
    // Nor is it filed once the hold is set.
    await sleep(1_000)
    deepEqual([told.appends, (await row()).filed], [1, false])
    await held.end()
    await filed()
    deepEqual([told.appends, await copies()], [2, 1])
  })

  it('is given up after a day, in plain words', async () => {
    const { told, filed, copies } = await given('NO [LIMIT] Never')
    for (let tries = 1; tries < 3; tries++) {
      await comesTo(() => told.appends, tries, 30_000)
      await later(12 * 60 * 60_000)
    }
    await filed()
    deepEqual([told.appends, await copies()], [3, 0])
    equal(said('it is tried again for a day'), 1)
    equal(said('has not taken the copy for the Sent folder within a day'), 1)
  })

  it('holds up no mail where its server breaks the line', async () => {
    const { told, filed, heard, copies } = await given('cut')
    await comesTo(() => told.appends, 1, 30_000)
    await heard()
    told.refusal = ''
    await later(60_000)
    await filed()
    ok(told.appends >= 2)
    equal(await copies(), 1)
  })

  it('is given up at once if the server takes no mail of its size', async () => {
    const { told, filed, heard, copies } = await given('', { limit: 1_000_000 })
    await filed()
    await heard()
    deepEqual([told.appends, await copies()], [0, 0])
    equal(said('takes no mail of this size into the Sent folder'), 1)
  })
})
