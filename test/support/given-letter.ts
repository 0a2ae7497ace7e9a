import { deepEqual, equal, ok } from 'node:assert/strict'
import MailComposer from 'nodemailer/lib/mail-composer'
import type Mail from 'nodemailer/lib/mailer'
import { receiveMail, receiveSentMail } from '../../activities/inbox/receive-mail.ts'
import { openReader, type Reader } from '../../db/accounts/reader.ts'
import { findSendingRecord } from '../../db/accounts/sending-record.ts'
import { retrying, type Trx } from '../../db/database.ts'
import { readMail } from '../../rules/mail/read.ts'
import type { ReceivedMail } from '../../rules/mail/received.ts'
import { givenCampaign } from './given-campaign.ts'
import { type MailSink, testMail } from './mail.ts'
import {
  eventually,
  type SharedService,
  sharedService,
  startService,
  type TestService,
} from './service.ts'

// A letter that has reached somebody, and what comes back. Mail is read and stored here as a reader of mailboxes does it, without
// a mailbox: test/workflows/inbox/sync-mailbox.test.ts shows the way through one.

export type Touch = { place: number; state: string; reason: string | null; dueAt: string }
type Shown = {
  automated: boolean
  suspect: boolean
  report: Record<string, unknown> | null
  subject: string
  direction: string
}
type Receive = (trx: Trx, reader: Reader, mail: ReceivedMail, at: Date) => Promise<unknown>
export type GivenLetter = Awaited<ReturnType<typeof givenLetter>>

/** The name under which the server of the account reports what it has checked. */
export const server = 'mx.us.example'
const day = 24 * 60 * 60 * 1000
// As many as a reader has.
const tries = 6

export type MailRoom = { service: SharedService; mail: MailSink }

/** A service that sends mail, for the suite that calls this: of its own if nobody else may change a row meanwhile. */
export function mailRoom({ alone = false } = {}) {
  const room = {} as MailRoom
  let own: TestService | undefined
  before(async function () {
    room.mail = await testMail()
    if (alone) {
      own = await startService()
      await own.work(this.test?.ctx, {}, { only: ['rows', 'send', 'remote'] })
    }
    room.service = own ?? (await sharedService(this.test?.ctx))
  })
  after(() => own?.close())
  return room
}

/**
 * A campaign whose first letter has reached one person, whose address is of this domain. The account's server calls itself
 * mx.us.example.
 */
export async function givenLetter(
  { service, mail }: MailRoom,
  { authserv = [server], domain = 'client.example' }: { authserv?: string[]; domain?: string } = {},
) {
  const { db, clock } = service
  const campaign = await givenCampaign(service, mail, { people: 1, domain })
  const { call, connections, id } = campaign
  // Its accounts have mailboxes, which nobody reads.
  const imap = JSON.stringify({ host: '127.0.0.1', port: 9, secure: false, user: 'ana' })
  await db
    .updateTable('connections')
    .set({ authserv, imap })
    .where('id', 'in', connections)
    .execute()
  await campaign.move('running')
  await eventually(campaign.touches, (all: Touch[]) => all.length === 2, 20_000)
  const [letter] = campaign.letters()
  ok(letter)
  const [person = ''] = campaign.people
  const [email = ''] = campaign.emails
  const conversations = async () =>
    (await call('GET', '/conversations?limit=200')).body.conversations as { id: string }[]
  const received = async () => {
    const all = await conversations()
    const pages = await Promise.all(
      all.map(async (one) => (await call('GET', `/conversations/${one.id}/messages`)).body),
    )
    return pages
      .flatMap(({ messages }) => messages as Shown[])
      .filter(({ direction }) => direction === 'inbound')
  }
  const touches = async () =>
    ((await campaign.touches()) as Touch[])
      .sort((a, b) => a.place - b.place)
      .map(({ state, reason }) => (reason ? `${state} ${reason}` : state))
  const suppressed = async () =>
    (await call('GET', '/suppressions')).body.suppressions as {
      address: string
      reason: string
    }[]
  const { conversation } = await db
    .selectFrom('touches')
    .select('conversation')
    .where('campaign', '=', campaign.campaign)
    .where('place', '=', 1)
    .executeTakeFirstOrThrow()

  /** Reads and stores a mail that has come into an account, or into its Sent folder. */
  async function store(connection: string, raw: Buffer, receive: Receive) {
    const reader = await openReader(db, connection)
    ok(reader)
    const now = clock.now()
    const mail = await readMail(raw, now)
    await retrying(tries, () => db.transaction().execute((trx) => receive(trx, reader, mail, now)))
  }
  /** Sends a mail to the account of the workspace that it is addressed to. */
  async function deliver(message: Mail.Options) {
    const { to, raw } = await delivered(message)
    const accounts = db.selectFrom('connections').select('id').where('workspace', '=', id)
    const { id: connection } = await accounts.where('account', '=', to).executeTakeFirstOrThrow()
    await store(connection, raw, (trx, reader, mail, at) =>
      receiveMail(trx, reader, mail, { at, folder: 'INBOX' }, at),
    )
  }

  return {
    ...campaign,
    letter,
    person,
    email,
    conversation: conversation as string,
    workspace: id,
    received,
    suppressed,
    conversations,
    states: touches,
    to: letter.from,
    deliver,
    /** Delivers it and returns how it is shown. */
    async bring(message: Mail.Options) {
      const before = (await received()).length
      await deliver(message)
      const all = await received()
      ok(all.length > before)
      return all[0] as Shown
    },
    /** What a member has sent with a mail program: it is in the Sent folder. */
    sentElsewhere: (lines: string[]) =>
      store(connections[0], Buffer.from(lines.join('\r\n')), (trx, reader, mail, at) =>
        receiveSentMail(trx, reader, mail, at, at),
      ),
    /** What counts against the account. */
    async counted() {
      const since = new Date(clock.now().getTime() - 7 * day)
      const [account = ''] = connections
      const record = await findSendingRecord(db, account, since, '2026-11-23')
      return { bounced: record.bounced, complaints: record.complaints }
    },
    reply: () => call('POST', `/conversations/${conversation}/messages`, { text: 'Hello.' }),
    held: async () => (await call('GET', `/people/${person}`)).body.held,
    notified: async (kind: string) =>
      (await call('GET', '/notifications')).body.notifications.filter(
        (one: { kind: string }) => one.kind === kind,
      ).length as number,
  }
}

/** A mail with the lines that a server adds when it delivers it (RFC 5321, 4.4). */
async function delivered(message: Mail.Options) {
  const composer = new MailComposer(message).compile()
  const { from, to: recipients } = composer.getEnvelope()
  const [to = ''] = recipients
  const added = [`Return-Path: <${from || ''}>`, `Delivered-To: ${to}`, 'Received: by localhost']
  const raw = Buffer.concat([Buffer.from(`${added.join('\r\n')}\r\n`), await composer.build()])
  return { to, raw }
}

/** Whoever sent it, the letter stays sent, the next one is still to go, and its person may be written to. */
export async function nothingIsStopped(given: GivenLetter, next = 'queued') {
  deepEqual(await given.states(), ['sent', next])
  deepEqual(await given.suppressed(), [])
  equal((await given.reply()).status, 200)
  equal((await given.call('GET', '/people')).body.people.length >= 1, true)
}

/** The header of mail that carries these Authentication-Results, the topmost first. */
export const headed = (...results: string[]) => ({
  headers: results.map((value) => ({ key: 'Authentication-Results', value })),
})
/** The header of mail whose sender our own server has refused. */
export const refused = headed(`${server}; spf=fail; dmarc=fail (p=none) header.from=client.example`)
