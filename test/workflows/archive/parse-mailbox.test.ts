import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { archiveOf } from '../../support/archive.ts'
import { sealedFor } from '../../support/given.ts'
import { givenMailboxes, mailProgram } from '../../support/inbox.ts'
import { type TestMailboxes, testMailboxes } from '../../support/mailboxes.ts'
import { oddMails } from '../../support/odd-mails.ts'
import { type Past, type Put, putPast, rawOf } from '../../support/past-mail.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

// PAST_MAILS=5000 npm test -- -g 'past mails' takes it to the full number.
const pastMails = Number(process.env['PAST_MAILS'] ?? 600)

describe('parseArchive over a mailbox', function () {
  this.timeout(120_000 + pastMails * 100)
  let service: TestService
  let mail: TestMailboxes
  let given: ReturnType<typeof archiveOf>

  before(async function () {
    mail = await testMailboxes(this.test?.ctx)
    service = await startService()
    given = archiveOf(service)
  })
  after(() => service?.close())

  async function givenAccount() {
    const workspace = await service.workspace({ smtpPort: mail.smtpPort })
    const [connection] = workspace.connections
    const account = await accountOf(connection)
    const conversations = async () =>
      (await workspace.call('GET', '/conversations?limit=200')).body.conversations
    const messages = async (id: string) =>
      (await workspace.call('GET', `/conversations/${id}/messages?limit=200`)).body.messages
    const stored = () =>
      service.db
        .selectFrom('messages')
        .select(['id', 'conversation', 'direction', 'messageId', 'subject', 'automated', 'at'])
        .where('connection', '=', connection)
        .orderBy('at')
        .execute()
    return { ...workspace, connection, account, conversations, messages, stored }
  }
  const accountOf = async (id: string) =>
    (
      await service.db
        .selectFrom('connections')
        .select('account')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).account
  /** Gives the account its IMAP server, without a reader of the mailbox. */
  async function givenImap(connection: string, port: number) {
    const user = await accountOf(connection)
    const imap = JSON.stringify({ host: '127.0.0.1', port, secure: false, user })
    const secrets = sealedFor(connection, { smtp: 'secret', imap: 'secret' })
    await service.db
      .updateTable('connections')
      .set({ imap, secrets })
      .where('id', '=', connection)
      .execute()
  }
  const put = (account: string, mails: (Past & { folder?: Put['folder'] })[]) =>
    putPast(
      mail,
      account,
      mails.map((one) => ({
        raw: rawOf(one),
        arrived: one.date ?? '2025-03-01T12:00:00Z',
        ...(one.folder && { folder: one.folder }),
      })),
    )

  it(`stores each of ${pastMails} past mails once beside the reader, although worker and server die, and notifies nobody`, async function () {
    const workspace = await givenAccount()
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
    let worker = await service.work(this, { crash }, queue)
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
      worker = await service.work(this, { crash }, queue)
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

    it('threads mail in whatever order it is stored, and shows which conversations await an answer', async () => {
      const { account, connection, conversations, messages, ...workspace } = await givenAccount()
      await givenImap(connection, mail.imapPort)
      const client = 'kim@client.example'
      const ours = { from: account, folder: 'Sent' as const }
      const theirs = { from: `Kim Roth <${client}>`, to: account }
      await put(account, [
        // The second before the first; the answer comes from another address.
        {
          ...theirs,
          id: 'a3@c',
          subject: 'Re: Chairs',
          date: '2025-02-03',
          references: ['a1@c', 'a2@u'],
        },
        { ...theirs, id: 'a1@c', subject: 'Chairs', date: '2025-02-01' },
        {
          ...ours,
          id: 'a2@u',
          to: client,
          subject: 'Re: Chairs',
          date: '2025-02-02',
          references: ['a1@c'],
        },
        { ...ours, id: 'b1@u', to: 'lee@client.example', subject: 'Tables', date: '2025-02-04' },
        {
          ...theirs,
          from: 'lee@home.example',
          id: 'b2@c',
          subject: 'Your offer',
          date: '2025-02-05',
          references: ['b1@u'],
        },
        {
          ...ours,
          id: 'b3@u',
          to: 'lee@home.example',
          subject: 'Re: Your offer',
          date: '2025-02-06',
          references: ['b2@c'],
        },
        // An automatic reply, and two of ours that were moved to Archive.
        {
          ...theirs,
          id: 'c1@c',
          subject: 'Lamps',
          date: '2025-02-07',
          headers: ['Auto-Submitted: auto-replied'],
        },
        {
          from: account,
          to: client,
          id: 'c2@u',
          subject: 'Lamps',
          date: '2025-02-06',
          folder: 'Archive',
        },
        {
          from: account,
          to: client,
          id: 'a2@u',
          subject: 'Re: Chairs',
          date: '2025-02-02',
          folder: 'Archive',
        },
      ])
      const done = await given.parse(workspace as never, { channels: [connection] })
      deepEqual([done.state, done.progress], ['done', { done: 8, total: 8 }])
      const all = await conversations()
      const shown = await Promise.all(
        all.map(async (one: Record<string, string>) => [
          ...[one['subject'], one['waitingFor'], one['waitingSince']?.slice(0, 10)],
          one['lastMessageAt']?.slice(0, 10),
          (await messages(one['id'] as string)).map(
            ({ direction, at, automated }: { direction: string; at: string; automated: boolean }) =>
              `${at.slice(8, 10)} ${direction}${automated ? ' automated' : ''}`,
          ),
        ]),
      )
      deepEqual(shown, [
        ['Lamps', 'client', '2025-02-06', '2025-02-07', ['07 inbound automated', '06 outbound']],
        [
          'Your offer',
          'client',
          '2025-02-06',
          '2025-02-06',
          ['06 outbound', '05 inbound', '04 outbound'],
        ],
        ['Chairs', 'us', '2025-02-03', '2025-02-03', ['03 inbound', '02 outbound', '01 inbound']],
      ])
      const person = all.at(-1).person
      equal((await given.card(workspace as never, person)).name, 'Kim Roth')
    })

    it('counts mail outside Sent as ours only when it does not fail DMARC and is unambiguously from us', async () => {
      const { account, connection, ...workspace } = await givenAccount()
      await givenImap(connection, mail.imapPort)
      const past = { to: 'kim@client.example', subject: 'Terms' }
      const disowned = ['Authentication-Results: mx.us.example; dmarc=fail']
      await put(account, [
        { ...past, id: 'f1', from: account, headers: disowned, date: '2025-02-01' },
        { ...past, id: 'f2', from: `${account}, evil@evil.example`, date: '2025-02-02' },
        { ...past, id: 'f3', from: `Us <${account}> <evil@evil.example>`, date: '2025-02-03' },
        { ...past, id: 'f4', from: `Kim <"<${account}>"@evil.example>`, date: '2025-02-04' },
        { ...past, id: 'o1', from: account, date: '2025-02-05' },
        {
          ...past,
          id: 'o2',
          from: account,
          headers: disowned,
          date: '2025-02-06',
          folder: 'Sent' as const,
        },
      ])
      await given.parse(workspace as never, { channels: [connection] })
      const rows = await service.db
        .selectFrom('messages')
        .select(['messageId', 'direction', 'suspect'])
        .where('connection', '=', connection)
        .orderBy('messageId')
        .execute()
      deepEqual(
        rows.map(({ messageId, direction, suspect }) => [messageId, direction, suspect]),
        [
          ['<f1>', 'inbound', true],
          ['<f2>', 'inbound', true],
          ['<f3>', 'inbound', true],
          ['<f4>', 'inbound', true],
          ['<o1>', 'outbound', false],
          ['<o2>', 'outbound', false],
        ],
      )
    })

    it('leaves a snoozed or closed conversation as it is, and does not mark it as waiting for old mail', async () => {
      const workspace = await givenAccount()
      const { account, connection, call, messages } = workspace
      await givenImap(connection, mail.imapPort)
      const { id: person, email } = await given.person(workspace)
      const at = ['2026-11-20T10:00:00.000Z', '2026-11-21T10:00:00.000Z']
      const make = (subject: string) =>
        given.written(workspace, {
          person,
          messages: [
            { from: email, subject, at: at[0] as string },
            { to: email, subject, at: at[1] as string },
          ],
        })
      const [snoozed, closed] = [await make('Snoozed'), await make('Closed')]
      for (const [id, subject] of [
        [snoozed, 'Snoozed'],
        [closed, 'Closed'],
      ])
        await service.db
          .updateTable('conversations')
          .set({
            subject,
            waitingFor: 'client',
            waitingSince: at[1],
            lastMessageAt: at[1],
          } as never)
          .where('id', '=', id as string)
          .execute()
      const snooze = { snoozeUntil: '2027-03-01T08:00:00.000Z', why: 'Later' }
      await call('PATCH', `/conversations/${snoozed}`, snooze)
      await call('PATCH', `/conversations/${closed}`, { closed: true, reason: 'personal' })
      const read = async () =>
        Promise.all(
          [snoozed, closed].map(async (id) => {
            const { labels: _, ...rest } = (await call('GET', `/conversations/${id}`)).body
            return rest
          }),
        )
      const before = await read()
      const old = { from: email, to: account, text: 'Long ago.' }
      await put(account, [
        { ...old, id: `o1-${person}`, subject: 'Re: Snoozed', date: '2025-05-01' },
        { ...old, id: `o2-${person}`, subject: 'Re: Closed', date: '2025-05-02' },
      ])
      await given.parse(workspace, { channels: [connection] })
      deepEqual(await read(), before)
      equal((await messages(snoozed)).length, 3)
      equal((await messages(closed)).length, 3)
    })

    it('dates mail by its own header where possible, and keeps attachments and what cannot be read', async () => {
      const { account, connection, stored, ...workspace } = await givenAccount()
      await givenImap(connection, mail.imapPort)
      const theirs = { from: 'ola@client.example', to: account }
      const mixed = [
        ...['--b', 'Content-Type: text/plain', '', 'See the plan.', '--b'],
        ...['Content-Type: application/pdf', 'Content-Disposition: attachment; filename=plan.pdf'],
        ...['Content-Transfer-Encoding: base64', '', 'cGxhbg==', '--b--'],
      ]
      await putPast(mail, account, [
        {
          raw: rawOf({ ...theirs, id: 'd1', date: '2025-01-10T09:00:00Z' }),
          arrived: '2025-06-01T00:00:00Z',
        },
        {
          raw: rawOf({ ...theirs, id: 'd2', date: '2031-01-01T09:00:00Z' }),
          arrived: '2025-06-02T00:00:00Z',
        },
        { raw: rawOf({ ...theirs, id: 'd3' }), arrived: '2025-06-03T00:00:00Z' },
        {
          raw: rawOf({
            ...theirs,
            id: 'd4',
            date: '2025-06-04T00:00:00Z',
            body: mixed.join('\r\n'),
            headers: ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b'],
          }),
          arrived: '2025-06-04T00:00:00Z',
        },
      ])
      const odd = oddMails().map((raw) => ({ raw, arrived: '2025-07-01T00:00:00Z' }))
      const taken = await putPast(mail, account, odd)
      await given.parse(workspace as never, { channels: [connection] })
      const rows = await stored()
      ok(taken > 200 && rows.length === taken + 4, `${rows.length} of ${taken}`)
      const dateOf = (id: string) =>
        rows.find(({ messageId }) => messageId === `<${id}>`)?.at.toISOString()
      deepEqual(['d1', 'd2', 'd3'].map(dateOf), [
        '2025-01-10T09:00:00.000Z',
        '2025-06-02T00:00:00.000Z',
        '2025-06-03T00:00:00.000Z',
      ])
      const id = rows.find(({ messageId }) => messageId === '<d4>')?.id
      const { files } = (await workspace.call('GET', `/messages/${id}/files`)).body
      deepEqual(
        files.map(({ name, size }: { name: string; size: number }) => [name, size]),
        [['plan.pdf', 4]],
      )
    })

    it('begins on the given day, and marks and tags as for the archive', async () => {
      const workspace = await givenAccount()
      const { account, connection, stored, call, product } = workspace
      await givenImap(connection, mail.imapPort)
      const { name } = (await call('GET', `/products/${product}`)).body
      const theirs = {
        from: 'noa@client.example',
        to: account,
        text: `What does the ${name} cost?`,
      }
      await put(account, [
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
      const workspace = await givenAccount()
      const { account, connection, stored, call } = workspace
      await givenImap(connection, mail.imapPort)
      const send = mailProgram(mail)
      await send({ from: 'una@client.example', to: account, subject: 'News', text: 'Hello' })
      await put(account, [
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
      const workspace = await givenAccount()
      const { account, connection, connections, stored } = workspace
      await givenImap(connection, 9)
      await givenImap(connections[1], mail.imapPort)
      await put(await accountOf(connections[1]), [
        { from: 'a@client.example', to: 'x@us.example', id: 'g1', date: '2025-03-01' },
      ])
      await put(account, [{ from: 'a@client.example', to: account, id: 'g2', date: '2025-03-01' }])
      const { operation: key } = await given.start(workspace)
      const operation = async () => (await workspace.call('GET', `/operations/${key}`)).body
      const held = await eventually(operation, ({ state }) => state === 'waiting', 20_000)
      equal(held.waitingFor, 'connection')
      deepEqual((await given.read(workspace)).progress, { done: 1, total: null })
      equal(held.progress, null)
      await givenImap(connection, mail.imapPort)
      const done = await given.ended(workspace)
      deepEqual([done.state, done.progress], ['done', { done: 2, total: 2 }])
      equal((await stored()).length, 1)
      equal((await operation()).state, 'done')
    })

    it('ends when it is declined while a mailbox cannot be opened', async () => {
      const workspace = await givenAccount()
      await givenImap(workspace.connection, 9)
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
