import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { openImap } from '../../../activities/ports/mail/imap.ts'
import { withClient } from '../../../dev/stack/postgres.ts'
import { givenMailboxes, mailProgram } from '../../support/inbox.ts'
import { ownMailboxes, testMailboxes } from '../../support/mailboxes.ts'
import { oddMails } from '../../support/odd-mails.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'

// MAILS=2000 npm test -- -g 'stores each of' takes it to the full number.
const mails = Number(process.env['MAILS'] ?? 90)
const only = ['rows', 'mail'] as const

describe('a mailbox that fails', function () {
  this.timeout(120_000 + mails * 200)
  let service: TestService

  before(async () => {
    service = await startService()
  })
  after(() => service?.close())

  it(`stores each of ${mails} messages once and in order, whatever dies in the meantime`, async function () {
    const mail = await ownMailboxes(this)
    const { call, connections } = await service.workspace({ smtpPort: mail.smtpPort })
    await givenMailboxes(service, mail, connections.slice(0, 1))
    const account = await accountOf(connections[0])
    const send = mailProgram(mail)
    const queue = `test-${randomUUID()}`
    const work = () => service.work(this, { mailWaitMs: 300 }, { taskQueue: queue, only })
    const sendSome = async (from: number, to: number) => {
      for (let i = from; i < to; i++) {
        const text = `Number ${i}.`
        await send({ from: 'ann@client.example', to: account, subject: 'Count', text })
      }
    }
    const sending = sendSome(0, mails)
    for (let round = 1; round <= 3; round++) {
      // The worker stops between two mails, as it does when it is told to stop; what it has stored is its position.
      const worker = await work()
      const before = await count()
      const share = (round * mails) / 4
      await eventually(count, (stored) => stored > before || stored >= share, 30_000)
      if (round !== 2) mail.kill()
      await worker.stop()
    }
    await sending
    await work()

    await eventually(count, (stored) => stored >= mails, 60_000 + mails * 50)
    const { conversations } = (await call('GET', '/conversations')).body
    equal(conversations.length, 1)
    const texts: string[] = []
    for (let cursor = ''; ; ) {
      const query = `limit=200&cursor=${encodeURIComponent(cursor)}`
      const { body } = await call('GET', `/conversations/${conversations[0].id}/messages?${query}`)
      texts.unshift(...body.messages.map(({ text }: { text: string }) => text).reverse())
      if (body.next === null) break
      cursor = body.next
    }
    deepEqual(
      texts,
      Array.from({ length: mails }, (_, i) => `Number ${i}.`),
    )

    async function count() {
      const row = await service.db
        .selectFrom('messages')
        .select((eb) => eb.fn.countAll<string>().as('stored'))
        .where('connection', '=', connections[0])
        .executeTakeFirstOrThrow()
      return Number(row.stored)
    }
  })

  for (const [what, sqlstate, times] of [
    ['the connection to the database is lost', '57P01', 1],
    ['other transactions cross its own again and again', '40P01', 6],
  ] as const)
    it(`stores a mail as it was read, once, although ${what} meanwhile`, async function () {
      const mail = await testMailboxes(this)
      const own = await startService()
      const { connections } = await own.workspace({ smtpPort: mail.smtpPort })
      const { db } = own
      const { account } = await db
        .selectFrom('connections')
        .select('account')
        .where('id', '=', connections[0])
        .executeTakeFirstOrThrow()
      // A sequence counts on, also where the transaction is rolled back.
      await withClient(own.ownerUrl, (client) =>
        client.query(`
          create sequence tries;
          create function fails() returns trigger language plpgsql security definer as $$ begin
            if nextval('public.tries') <= ${times} then
              raise exception 'fails' using errcode = '${sqlstate}';
            end if;
            return new;
          end $$;
          create trigger fails before insert on messages for each row execute function fails()`),
      )
      await givenMailboxes(own, mail, [connections[0]])
      await own.work(this, { mailWaitMs: 300 }, { only })
      await mailProgram(mail)({ from: 'ann@client.example', to: account, text: 'As it was.' })
      const stored = await eventually(
        () =>
          db
            .selectFrom('messages')
            .leftJoin('files', 'files.message', 'messages.id')
            .select(['messages.text', 'files.name'])
            .where('messages.connection', '=', connections[0])
            .execute(),
        (found) => found.length > 0,
        30_000,
      )
      deepEqual(stored, [{ text: 'As it was.', name: null }])
      await own.close()
    })

  it('keeps every odd and broken mail and reads on after it', async function () {
    const mail = await testMailboxes(this)
    const { call, connections } = await service.workspace({ smtpPort: mail.smtpPort })
    const account = await accountOf(connections[0])
    const server = { host: '127.0.0.1', port: mail.imapPort, secure: false, user: account }
    const odd: Buffer[] = []
    let mailbox = await openImap(server, 'secret')
    for (const raw of oddMails())
      try {
        await mailbox.append('INBOX', raw)
        odd.push(raw)
      } catch {
        // What the server itself cannot accept never reaches the service.
        mailbox = await openImap(server, 'secret')
      }
    ok(odd.length >= 200, `${odd.length} taken`)
    await givenMailboxes(service, mail, connections.slice(0, 1))
    await service.work(this, { mailWaitMs: 300 }, { only })
    await mailProgram(mail)({ from: 'last@client.example', to: account, text: 'After all that.' })

    const all = await eventually(
      () =>
        service.db
          .selectFrom('messages')
          .select('text')
          .where('connection', '=', connections[0])
          .execute(),
      (found) => found.some(({ text }) => text === 'After all that.'),
      90_000,
    )
    equal(all.length, odd.length + 1)
    for (const { id } of (await call('GET', '/conversations?limit=200')).body.conversations)
      equal((await call('GET', `/conversations/${id}/messages?limit=200`)).status, 200)
    await mailbox.close()
  })

  async function accountOf(id: string) {
    const row = await service.db
      .selectFrom('connections')
      .select('account')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return row.account
  }
})
