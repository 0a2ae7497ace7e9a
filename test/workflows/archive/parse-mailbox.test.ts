import { deepEqual, equal, ok } from 'node:assert/strict'
import { archiveOf } from '../../support/archive.ts'
import { type TestMailboxes, testMailboxes } from '../../support/mailboxes.ts'
import { oddMails } from '../../support/odd-mails.ts'
import { pastAccounts } from '../../support/past-accounts.ts'
import { putPast, rawOf } from '../../support/past-mail.ts'
import { startService, type TestService } from '../../support/service.ts'

// What it stores: threads, directions, dates and states.

describe('parseArchive over a mailbox', function () {
  this.timeout(120_000)
  let service: TestService
  let mail: TestMailboxes
  let given: ReturnType<typeof archiveOf>
  let accounts: ReturnType<typeof pastAccounts>

  before(async function () {
    mail = await testMailboxes(this.test?.ctx)
    service = await startService()
    given = archiveOf(service)
    accounts = pastAccounts(service, mail)
  })
  after(() => service?.close())

  describe('with a worker', () => {
    before(function () {
      return service.work(this.test?.ctx).then(() => {})
    })

    it('threads mail in whatever order it is stored, and shows which conversations await an answer', async () => {
      const { account, connection, conversations, messages, ...workspace } =
        await accounts.givenAccount()
      await accounts.givenImap(connection, mail.imapPort)
      const client = 'kim@client.example'
      const ours = { from: account, folder: 'Sent' as const }
      const theirs = { from: `Kim Roth <${client}>`, to: account }
      await accounts.put(account, [
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
      await accounts.put(account, [
        { ...old, id: `o1-${person}`, subject: 'Re: Snoozed', date: '2025-05-01' },
        { ...old, id: `o2-${person}`, subject: 'Re: Closed', date: '2025-05-02' },
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
  })
})
