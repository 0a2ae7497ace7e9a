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

// How it runs: since when, beside the reader of new mail, and while servers are away.

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
    const queue = `test-${randomUUID()}`
    let pages = 0
    let stop = Promise.withResolvers<void>()
    const crash = (point: string) => {
      if (point !== 'after-page' || ++pages % 4 !== 0) return
      stop.resolve()
      if (pages === 8) throw new Error('broken off')
    }
    let worker = await service.work(this, { crash }, { taskQueue: queue })
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
      worker = await service.work(this, { crash }, { taskQueue: queue })
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

  describe('with a worker', () => {
    before(function () {
      return service.work(this.test?.ctx).then(() => {})
    })

    it('begins on the given day, and marks and tags as for the archive', async () => {
      const workspace = await accounts.givenAccount()
      const { account, connection, stored, call, product } = workspace
      await accounts.givenImap(connection, mail.imapPort)
      const { name } = (await call('GET', `/products/${product}`)).body
      const theirs = {
        from: 'noa@client.example',
        to: account,
        text: `What does the ${name} cost?`,
      }
      await accounts.put(account, [
        { ...theirs, id: 'e1', date: '2025-03-31T21:59:00Z' },
        { ...theirs, id: 'e2', date: '2025-03-31T22:01:00Z' },
        { ...theirs, id: 'e3', date: '2025-04-02T10:00:00Z' },
      ])
      const done = await given.parse(workspace, {
        since: '2025-04-01',
        channels: [connection],
        fresh: true,
      })
      deepEqual(done.progress, { done: 2, total: 2 })
      const rows = await stored()
      deepEqual(
        rows.map(({ messageId }) => messageId),
        ['<e2>', '<e3>'],
      )
      const conversation = rows[0]?.conversation as string
      deepEqual(await given.marksOf(workspace, conversation), ['quote', 'high'])
      const { person } = (await call('GET', `/conversations/${conversation}`)).body
      deepEqual((await given.card(workspace, person)).tags, [{ label: product, side: 'buyer' }])
      deepEqual((await given.parse(workspace, { channels: [connection] })).progress, {
        done: 3,
        total: 3,
      })
    })

    it('leaves new mail to the reader of the mailbox, which announces it', async () => {
      const workspace = await accounts.givenAccount()
      const { account, connection, stored, call } = workspace
      await accounts.givenImap(connection, mail.imapPort)
      const send = mailProgram(mail)
      await send({ from: 'una@client.example', to: account, subject: 'News', text: 'Hello' })
      await accounts.put(account, [
        { from: 'una@client.example', to: account, id: 'f1', date: '2025-03-01' },
      ])
      await given.parse(workspace, { channels: [connection] })
      equal((await stored()).length, 1)
      await givenMailboxes(service, mail, [connection])
      const rows = await eventually(stored, (all) => all.length === 2, 20_000)
      deepEqual(
        rows.map(({ subject }) => subject),
        ['', 'News'],
      )
      const events = await service.db
        .selectFrom('events')
        .select('resource')
        .where('workspace', '=', workspace.id)
        .where('kind', '=', 'message.received')
        .execute()
      deepEqual(events, [{ resource: rows[1]?.id }])
      await call('POST', '/archive', { do: 'decline' })
    })

    it('parses the other channels while a mailbox cannot be opened, and that one once it can be', async () => {
      const workspace = await accounts.givenAccount()
      const { account, connection, connections, stored } = workspace
      await accounts.givenImap(connection, 9)
      await accounts.givenImap(connections[1], mail.imapPort)
      await accounts.put(await accounts.accountOf(connections[1]), [
        { from: 'a@client.example', to: 'x@us.example', id: 'g1', date: '2025-03-01' },
      ])
      await accounts.put(account, [
        { from: 'a@client.example', to: account, id: 'g2', date: '2025-03-01' },
      ])
      const { operation: key } = await given.start(workspace)
      const operation = async () => (await workspace.call('GET', `/operations/${key}`)).body
      const held = await eventually(operation, ({ state }) => state === 'waiting', 20_000)
      equal(held.waitingFor, 'connection')
      deepEqual((await given.read(workspace)).progress, { done: 1, total: null })
      equal(held.progress, null)
      await accounts.givenImap(connection, mail.imapPort)
      const done = await given.ended(workspace)
      deepEqual([done.state, done.progress], ['done', { done: 2, total: 2 }])
      equal((await stored()).length, 1)
      equal((await operation()).state, 'done')
    })

    it('ends when it is declined while a mailbox cannot be opened', async () => {
      const workspace = await accounts.givenAccount()
      await accounts.givenImap(workspace.connection, 9)
      const { operation: key } = await given.start(workspace, { channels: [workspace.connection] })
      const operation = async () => (await workspace.call('GET', `/operations/${key}`)).body
      await eventually(operation, ({ state }) => state === 'waiting', 20_000)
      await workspace.call('POST', '/archive', { do: 'decline' })
      const { state, result } = await eventually(operation, ({ endedAt }) => endedAt !== null)
      deepEqual([state, result], ['cancelled', { state: 'declined', done: 0 }])
    })
  })
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
