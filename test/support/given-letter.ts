import { deepEqual, equal, ok } from 'node:assert/strict'
import type Mail from 'nodemailer/lib/mailer'
import { findSendingRecord } from '../../db/accounts/sending-record.ts'
import { givenCampaign } from './given-campaign.ts'
import { givenMailboxes, mailProgram } from './inbox.ts'
import { type TestMailboxes, testMailboxes } from './mailboxes.ts'
import { eventually, startService, type TestService } from './service.ts'

export type Touch = { place: number; state: string; reason: string | null; dueAt: string }
type Shown = {
  automated: boolean
  suspect: boolean
  report: Record<string, unknown> | null
  subject: string
  direction: string
}
export type GivenLetter = Awaited<ReturnType<typeof givenLetter>>

/** The name under which the server of the account reports what it has checked. */
export const server = 'mx.us.example'
const day = 24 * 60 * 60 * 1000

/** A service that sends and receives through mailboxes, for the suite that calls this. */
export function mailRoom() {
  const room = {} as { service: TestService; mail: TestMailboxes }
  before(async function () {
    this.timeout(120_000)
    room.mail = await testMailboxes(this.test?.ctx)
    room.service = await startService()
    await room.service.work(this.test?.ctx)
  })
  after(() => room.service?.close())
  return room
}

/** A campaign whose first letter has reached one person; its account's server calls itself mx.us.example. */
export async function givenLetter(
  { service, mail }: ReturnType<typeof mailRoom>,
  authserv: string[] = [server],
) {
  const send = mailProgram(mail)
  const campaign = await givenCampaign(service, mail.sink, { people: 1 })
  const { call, connections, db, id } = campaign
  await db.updateTable('connections').set({ authserv }).where('id', 'in', connections).execute()
  await givenMailboxes(service, mail, connections)
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
    /** Sends it and returns how it is shown. */
    async bring(message: Mail.Options) {
      const before = (await received()).length
      await send(message)
      const all = await eventually(received, (now) => now.length > before, 30_000)
      return all[0] as Shown
    },
    /** What counts against the account. */
    async counted() {
      const since = new Date(service.clock.now().getTime() - 7 * day)
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
