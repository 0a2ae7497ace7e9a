import { deepEqual, equal } from 'node:assert/strict'
import { receiveMail, receiveSentMail } from '../../../activities/inbox/receive-mail.ts'
import { openReader } from '../../../db/accounts/reader.ts'
import { readMail } from '../../../rules/mail/read.ts'
import { givenSender, lettersTo } from '../../support/inbound.ts'
import { startService, type TestService } from '../../support/service.ts'

// Mail of our own people, and what comes through groups and forms of ours.

describe('mail from an address of ours', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  async function given() {
    const sender = await givenSender(service)
    const { db, clock } = service
    const [connection] = sender.connections
    const imap = JSON.stringify({ host: '127.0.0.1', port: 9, secure: false, user: 'ana' })
    const { account } = await db
      .updateTable('connections')
      .set({ imap })
      .where('id', '=', connection)
      .returning('account')
      .executeTakeFirstOrThrow()
    const { email: member } = await db
      .selectFrom('members')
      .select('email')
      .where('id', '=', sender.member)
      .executeTakeFirstOrThrow()
    const store = async (lines: string[], isSent = false) => {
      const reader = await openReader(db, connection)
      const now = clock.now()
      const mail = await readMail(Buffer.from(lines.join('\r\n')), now)
      if (!reader) throw new Error('no reader')
      await db
        .transaction()
        .execute(async (trx) =>
          isSent
            ? receiveSentMail(trx, reader, mail, now, now)
            : receiveMail(trx, reader, mail, { at: now, folder: 'INBOX' }, now),
        )
    }
    const list = async (what: 'people' | 'conversations') =>
      (await sender.call('GET', `/${what}`)).body[what]
    const domain = account.split('@')[1]
    return { ...sender, account, member, domain, store, list }
  }
  const mail = (...lines: string[]) => [...lines, 'Subject: Cold room', '', 'What does it cost?']

  it('to another of ours is no conversation, and makes no card', async () => {
    const { account, member, store, list } = await given()
    const before = (await list('people')).length
    for (const isSent of [false, true]) {
      await store(mail(`From: Ana <${account}>`, `To: ${account}`), isSent)
      await store(mail(`From: Ana <${account}>`, `To: ${member}`), isSent)
      await store(mail(`From: M <${member.toUpperCase()}>`, `To: ${account}`), isSent)
    }
    deepEqual([await list('conversations'), (await list('people')).length], [[], before])
  })

  it('to a client is what we have sent, in their conversation, and ends no letter', async () => {
    const all = await given()
    const { account, member, email, store, messages } = all
    const { states } = await lettersTo(service, all)
    const { conversation } = await all.receive({ externalId: '<one@client>', automated: true })
    await store(
      mail(
        ...[`From: M <${member}>`, `To: ${email}`, `Cc: ${account}`],
        ...['Message-ID: <m1@us>', 'In-Reply-To: <one@client>'],
      ),
    )
    const [message] = await messages(conversation)
    deepEqual([message.direction, message.sender.handle], ['outbound', member])
    deepEqual(await states(), ['sent', 'queued', 'review'])
  })

  it('through a group or a form is a mail of whoever wrote it', async () => {
    const all = await given()
    const { account, email, domain, store, list, read, messages } = all
    const { states } = await lettersTo(service, all)
    const group = [`List-ID: <team.${domain}>`, 'Precedence: list', `To: team@${domain}`]
    await store(
      mail(
        ...[`From: "'Cleo' via Team" <team@${domain}>`, `X-Original-From: Cleo <${email}>`],
        ...[`X-Original-Sender: ${email}`, ...group],
      ),
    )
    await store(
      mail(
        ...[`From: "'Markus Vogel' via Team" <team@${domain}>`, ...group],
        'X-Original-Sender: markus@vogel.example',
      ),
    )
    await store(
      mail(
        `From: Website <${account}>`,
        'Reply-To: Nadia Roth <nadia@roth.example>',
        `To: ${account}`,
      ),
    )
    deepEqual(await states(), ['sent', 'failed replied', 'failed replied'])
    const conversations: { id: string; person: string }[] = await list('conversations')
    equal(new Set(conversations.map(({ person }) => person)).size, 3)
    const shown = await Promise.all(
      conversations.map(async ({ id }) => {
        const [{ sender, via, automated }] = await messages(id)
        return [sender.name, sender.handle, via, automated, (await read(id)).waitingFor]
      }),
    )
    const team = `team@${domain}`
    deepEqual(shown.sort(), [
      ['Cleo', email, team, false, 'us'],
      ['Markus Vogel', 'markus@vogel.example', team, false, 'us'],
      ['Nadia Roth', 'nadia@roth.example', account, false, 'us'],
    ])
    const emails = (await list('people')).map((one: { email: string }) => one.email)
    deepEqual(emails.includes(team) || emails.includes(account), false)
  })

  it('through a form ends the letters to whoever asks for that in it, however the form lists its fields', async () => {
    const forms = [
      (email: string) => [
        ...[`From: Cleo <${email}>`, 'Subject: Cold room', '', 'Message Body:'],
        ...['Please take me off your list.', '', '-- ', 'This was sent from a contact form.'],
      ],
      (email: string) => [
        ...['Name: Cleo', `E-Mail: ${email}`, 'Nachricht: Bitte keine Werbung mehr!', '', '---'],
        'Powered by: Elementor',
      ],
    ]
    for (const form of forms) {
      const all = await given()
      const { account, email, store } = all
      const { states } = await lettersTo(service, all)
      const head = [`From: Website <${account}>`, `Reply-To: Cleo <${email}>`, `To: ${account}`]
      await store([...head, 'Subject: Contact', '', ...form(email)])
      deepEqual(await states(), ['sent', 'failed unsubscribed', 'failed unsubscribed'])
    }
  })

  it('is not believed where another sender shows it as a name', async () => {
    const all = await given()
    const { account, store, list, call, messages } = all
    await store(mail(`From: "Ana Ruiz <${account}>" <phish@x.example>`, `To: ${account}`))
    const [{ id }] = await list('conversations')
    equal((await messages(id))[0].suspect, true)
    const { notifications } = (await call('GET', '/notifications')).body
    deepEqual(
      notifications.map(({ kind }: { kind: string }) => kind),
      ['message.suspect'],
    )
  })
})
