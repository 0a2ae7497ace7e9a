import { deepEqual, equal, ok } from 'node:assert/strict'
import { archiveOf } from '../../support/archive.ts'
import { givenMailboxes, mailProgram } from '../../support/inbox.ts'
import { type TestMailboxes, testMailboxes } from '../../support/mailboxes.ts'
import { oddMails } from '../../support/odd-mails.ts'
import { pastAccounts } from '../../support/past-accounts.ts'
import { putPast, rawOf } from '../../support/past-mail.ts'
import { eventually, type SharedService, sharedService } from '../../support/service.ts'

// What it stores: threads, directions, dates and states; since when, and beside the reader of new mail.

describe('parseArchive over a mailbox', function () {
  this.timeout(120_000)
  let service: SharedService
  let mail: TestMailboxes
  let given: ReturnType<typeof archiveOf>
  let accounts: ReturnType<typeof pastAccounts>

  before(async function () {
    mail = await testMailboxes(this.test?.ctx)
    service = await sharedService(this.test?.ctx)
    given = archiveOf(service)
    accounts = pastAccounts(service, mail)
  })

  it('stores two mails with one Message-ID, and none of them twice', async () => {
    const { account, connection, conversations, stored, ...workspace } =
      await accounts.givenAccount()
    await accounts.givenImap(connection, mail.imapPort)
    const [kim, lee] = ['kim@client.example', 'Lee <lee@client.example>']
    const one = { id: 'daily@shop.example', to: account, subject: 'Today' }
    await accounts.put(account, [
      { ...one, from: kim, date: '2025-02-01' },
      { ...one, from: kim, date: '2025-02-08' },
      { ...one, from: lee, date: '2025-02-08' },
      // The copy of a list, put away by hand.
      { ...one, from: kim, date: '2025-02-08', subject: '[list] Today', folder: 'Archive' },
    ])
    for (const _ of [1, 2]) await given.parse(workspace as never, { channels: [connection] })
    deepEqual(
      (await stored()).map(({ messageId, at }) => [messageId, at.toISOString().slice(0, 10)]),
      ['01', '08', '08'].map((day) => ['<daily@shop.example>', `2025-02-${day}`]),
    )
    equal((await conversations()).length, 2)
  })

  it('threads mail in whatever order it is stored, and shows which conversations await an answer', async () => {
    const { account, connection, conversations, messages, ...workspace } =
      await accounts.givenAccount()
    await accounts.givenImap(connection, mail.imapPort)
    const [kim, lee] = ['kim@client.example', 'lee@home.example']
    const on = (day: number, id: string, subject: string, references: string[] = []) => ({
      id,
      subject,
      references,
      date: `2025-02-0${day}`,
    })
    const theirs = { from: `Kim Roth <${kim}>`, to: account }
    const ours = { from: account, to: kim, folder: 'Sent' as const }
    const moved = { ...ours, folder: 'Archive' as const }
    await accounts.put(account, [
      // The second before the first; the answer comes from another address.
      { ...theirs, ...on(3, 'a3@c', 'Re: Chairs', ['a1@c', 'a2@u']) },
      { ...theirs, ...on(1, 'a1@c', 'Chairs') },
      { ...ours, ...on(2, 'a2@u', 'Re: Chairs', ['a1@c']) },
      { ...ours, to: 'lee@client.example', ...on(4, 'b1@u', 'Tables') },
      { ...theirs, from: lee, ...on(5, 'b2@c', 'Your offer', ['b1@u']) },
      { ...ours, to: lee, ...on(6, 'b3@u', 'Re: Your offer', ['b2@c']) },
      // An automatic reply, and two of ours that were moved to Archive.
      { ...theirs, ...on(7, 'c1@c', 'Lamps'), headers: ['Auto-Submitted: auto-replied'] },
      { ...moved, ...on(6, 'c2@u', 'Lamps') },
      { ...moved, ...on(2, 'a2@u', 'Re: Chairs') },
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
    const { account, connection, ...workspace } = await accounts.givenAccount()
    await accounts.givenImap(connection, mail.imapPort)
    const past = { to: 'kim@client.example', subject: 'Terms' }
    const disowned = ['Authentication-Results: mx.us.example; dmarc=fail']
    await accounts.put(account, [
      { ...past, id: 'f1', from: account, headers: disowned, date: '2025-02-01' },
      { ...past, id: 'f2', from: `${account}, evil@evil.example`, date: '2025-02-02' },
      { ...past, id: 'f3', from: `Us <${account}> <evil@evil.example>`, date: '2025-02-03' },
      { ...past, id: 'f4', from: `Kim <"<${account}>"@evil.example>`, date: '2025-02-04' },
      { ...past, id: 'o1', from: account, date: '2025-02-05' },
      { ...past, id: 'o2', from: account, headers: disowned, date: '2025-02-06', folder: 'Sent' },
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
        ...['<f1>', '<f2>', '<f3>', '<f4>'].map((id) => [id, 'inbound', true]),
        ...['<o1>', '<o2>'].map((id) => [id, 'outbound', false]),
      ],
    )
  })

  it('leaves a snoozed or closed conversation as it is, and does not mark it as waiting for old mail', async () => {
    const workspace = await accounts.givenAccount()
    const { account, connection, call, messages } = workspace
    await accounts.givenImap(connection, mail.imapPort)
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
    const answered = { waitingFor: 'client' as const, waitingSince: at[1], lastMessageAt: at[1] }
    for (const [id, subject] of [
      [snoozed, 'Snoozed'],
      [closed, 'Closed'],
    ] as const)
      await service.db
        .updateTable('conversations')
        .set({ subject, ...answered } as never)
        .where('id', '=', id)
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
    await accounts.put(account, [
      { ...old, id: `o1-${person}`, subject: 'Re: Snoozed', date: '2026-10-20' },
      { ...old, id: `o2-${person}`, subject: 'Re: Closed', date: '2026-10-21' },
    ])
    await given.parse(workspace, { channels: [connection] })
    deepEqual(await read(), before)
    equal((await messages(snoozed)).length, 3)
    equal((await messages(closed)).length, 3)
  })

  it('dates mail by its own header where possible, and keeps attachments and what cannot be read', async () => {
    const { account, connection, stored, ...workspace } = await accounts.givenAccount()
    await accounts.givenImap(connection, mail.imapPort)
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
    // Each of them is read in test/rules/mail/read-mail.test.ts.
    const some = oddMails().filter((_, n) => n % 5 === 0)
    const odd = some.map((raw) => ({ raw, arrived: '2025-07-01T00:00:00Z' }))
    const taken = await putPast(mail, account, odd)
    await given.parse(workspace as never, { channels: [connection] })
    const rows = await stored()
    ok(taken >= 40 && rows.length === taken + 4, `${rows.length} of ${taken}`)
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
