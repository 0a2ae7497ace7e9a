import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { archiveOf } from '../../support/archive.ts'
import { givenMailboxes, mailProgram } from '../../support/inbox.ts'
import { ownMailboxes } from '../../support/mailboxes.ts'
import { pastAccounts } from '../../support/past-accounts.ts'
import { type Put, putPast, rawOf } from '../../support/past-mail.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

// How it runs while servers and workers die, beside the reader of new mail.

// PAST_MAILS=5000 npm test -- -g 'past mails' takes it to the full number.
const pastMails = Number(process.env['PAST_MAILS'] ?? 600)

describe('parseArchive over a mailbox', function () {
  this.timeout(120_000 + pastMails * 100)
  let service: TestService
  let mail: Awaited<ReturnType<typeof ownMailboxes>>
  let given: ReturnType<typeof archiveOf>
  let accounts: ReturnType<typeof pastAccounts>

  before(async function () {
    mail = await ownMailboxes(this.test?.ctx)
    service = await startService()
    given = archiveOf(service)
    accounts = pastAccounts(service, mail)
  })
  after(() => service?.close())

  it(`stores each of ${pastMails} past mails once beside the reader, although worker and server die, and notifies nobody`, async function () {
    const workspace = await accounts.givenAccount()
    const { account, call } = workspace
    const everything = manyMails(account, pastMails)
    await putPast(mail, account, everything)
    const taskQueue = `test-${randomUUID()}`
    let pages = 0
    let stop = Promise.withResolvers<void>()
    const crash = (point: string) => {
      if (point !== 'after-page' || ++pages % 4 !== 0) return
      stop.resolve()
      if (pages === 8) throw new Error('broken off')
    }
    const work = () =>
      service.work(this, { crash }, { taskQueue, only: ['rows', 'mail', 'remote'] })
    let worker = await work()
    await givenMailboxes(service, mail, [workspace.connection])
    await given.start(workspace, { channels: [workspace.connection], fresh: true })
    const send = mailProgram(mail)
    for (const round of [1, 2]) {
      await stop.promise
      const fresh = { from: `fresh${round}@client.example`, to: account, text: 'New.' }
      await send({ ...fresh, subject: `News ${round}` })
      await worker.stop()
      stop = Promise.withResolvers<void>()
      if (round === 1) {
        // It comes back empty and under another UIDVALIDITY; the provider restores everything, in another order.
        mail.kill()
        await sleep(500)
        await eventually(
          () =>
            putPast(mail, account, []).then(
              () => true,
              () => false,
            ),
          (up) => up,
          20_000,
        )
        await putPast(mail, account, everything.toReversed())
      }
      worker = await work()
    }
    const done = await eventually(
      () => given.read(workspace),
      ({ state }) => state !== 'running',
      60_000 + pastMails * 60,
    )
    equal(done.state, 'done')
    const rows = await eventually(workspace.stored, (all) => all.length >= pastMails + 2, 30_000)
    equal(rows.length, pastMails + 2)
    equal(new Set(rows.map(({ messageId }) => messageId)).size, pastMails + 2)
    ok(
      [pastMails, pastMails + 1, pastMails + 2].includes(done.progress.done),
      String(done.progress.done),
    )
    equal(done.progress.total, done.progress.done)
    const { result } = (await call('GET', `/operations/${done.operation}`)).body
    equal(result.stored, pastMails)
    await silent(workspace.id, 2)

    const again = await given.parse(workspace, { channels: [workspace.connection], fresh: true })
    equal((await workspace.stored()).length, pastMails + 2)
    equal(again.progress.done, pastMails + 2)
    const second = (await call('GET', `/operations/${again.operation}`)).body.result
    deepEqual([second.stored, second.addresses, second.tagged], [undefined, 0, 0])
    await silent(workspace.id, 2)
    await worker.stop()
  })

  /** Nobody was notified of the past: notifications and events are about new mail only. */
  async function silent(workspace: string, fresh: number) {
    const { rows } = await sql<{ told: number; events: number; queued: number; letters: number }>`
      select (select count(*)::int from notifications where workspace = ${workspace} and conversation not in (
            select conversation from messages where workspace = ${workspace} and subject like 'News%')) as told,
        (select count(*)::int from events where workspace = ${workspace} and kind <> 'archive.parsed'
          and kind <> 'archive.started' and resource not in (
            select id from messages where workspace = ${workspace} and subject like 'News%')) as events,
        (select count(*)::int from messages where workspace = ${workspace} and operation is not null) as queued,
        (select count(*)::int from outbox where workflow_id like ${`${workspace}:%`} and kind = 'start'
          and workflow_type not in ('parseArchive', 'syncMailbox')) as letters`.execute(service.db)
    deepEqual(rows, [{ told: 0, events: 0, queued: 0, letters: 0 }])
    const news = await service.db
      .selectFrom('events')
      .select('kind')
      .where('workspace', '=', workspace)
      .where('kind', '=', 'message.received')
      .execute()
    equal(news.length, fresh)
  }
})

/** Threads of five: asked, answered by us, asked again, an automatic reply, and a copy that lies in Archive too. */
function manyMails(account: string, count: number): Put[] {
  return Array.from({ length: count }, (_, n): Put[] => {
    const thread = Math.floor(n / 5)
    const at = new Date(Date.parse('2024-01-01T08:00:00Z') + n * 3_600_000).toISOString()
    const id = (k: number) => `past-${thread}-${k}@client.example`
    const client = `client${thread % 97}@client.example`
    const k = n % 5
    const ours = k === 1
    const raw = rawOf({
      id: id(k),
      date: at,
      from: ours ? account : `Client ${thread % 97} <${client}>`,
      to: ours ? client : account,
      subject: `${k > 0 ? 'Re: ' : ''}Order ${thread}`,
      text: `Number ${n}. Do you still sell the CRM?`,
      references: k > 0 ? [id(k - 1)] : [],
      headers: k === 3 ? ['Auto-Submitted: auto-replied'] : [],
    })
    const folder = ours ? ('Sent' as const) : ('INBOX' as const)
    return [
      { raw, arrived: at, folder },
      ...(k === 4 ? [{ raw, arrived: at, folder: 'Archive' as const }] : []),
    ]
  }).flat()
}
