import { ok } from 'node:assert/strict'
import { givenCampaign } from './given-campaign.ts'
import type { ScriptedImap } from './imap-server/index.ts'
import { givenMailboxes } from './inbox.ts'
import type { MailSink } from './mail.ts'
import { eventually, type TestService } from './service.ts'

type Touch = { place: number; state: string; reason: string | null }
type Where = { folder?: string; flags?: string[] }
type Imap = Pick<ScriptedImap, 'deliver' | 'imapPort'>

/**
 * A campaign of three letters to one person, the first of which has gone through an account whose mailbox is on a scripted server.
 * Nobody reads that mailbox before `isRead`.
 */
export async function givenLetter(service: TestService, mail: MailSink, imap: Imap) {
  const campaign = await givenCampaign(service, mail, { people: 1 })
  await campaign.move('running')
  await eventually(campaign.touches, (all: Touch[]) => all.length === 2)
  const [letter] = campaign.letters()
  ok(letter)
  const [person = ''] = campaign.emails
  const [connection] = campaign.connections
  const account = letter.from
  const second = async (): Promise<Touch> =>
    (await campaign.touches()).find(({ place }: Touch) => place === 2)
  return {
    ...campaign,
    ...mailboxOf(campaign.call, connection),
    letter,
    account,
    connection,
    second,
    /** Lays the person's answer into the mailbox; returns its UID. */
    answer: (where?: Where) =>
      imap.deliver(
        account,
        {
          from: { name: 'Client', address: person },
          to: account,
          subject: `Re: ${letter.subject}`,
          text: 'Call me.',
          inReplyTo: letter.messageId as string,
          messageId: `<answer-${campaign.campaign}@client.example>`,
        },
        where,
      ),
    /** From now on the mailbox is read, and the second letter is due. */
    async isRead() {
      await givenMailboxes(service, imap, [connection])
      await campaign.fallDue(2)
      await campaign.edit({ name: 'Again' })
    },
    /** What becomes of the second letter. */
    async fate(ms = 60_000) {
      const { state, reason } = await eventually(
        second,
        (one) => one.state === 'sent' || one.state === 'failed',
        ms,
      )
      return { state, reason, letters: campaign.letters().length }
    },
  }
}

/** The fate of a second letter whose person has answered the first. */
export const stopped = { state: 'failed', reason: 'replied', letters: 1 }

type Call = Awaited<ReturnType<TestService['workspace']>>['call']

/** What a member sees of an account and of what has come to it. */
export function mailboxOf(call: Call, connection: string) {
  const conversations = async () => (await call('GET', '/conversations')).body.conversations
  return {
    conversations,
    subjects: async (): Promise<string[]> =>
      (await conversations()).map(({ subject }: { subject: string }) => subject).sort(),
    /** What the conversation with this subject holds. */
    async messages(subject: string) {
      const one = (await conversations()).find(
        (any: { subject: string }) => any.subject === subject,
      )
      return one ? (await call('GET', `/conversations/${one.id}/messages`)).body.messages : []
    },
    async channel() {
      const { body } = await call('GET', '/channels')
      return body.channels.find(({ id }: { id: string }) => id === connection)
    },
    /** The notifications of a kind. */
    async told(kind: string): Promise<{ text: string }[]> {
      const { body } = await call('GET', '/notifications')
      return body.notifications.filter((one: { kind: string }) => one.kind === kind)
    },
  }
}

/** A workspace with one account on the server, whose mailbox nobody reads before `isRead`. */
export async function givenReader(
  service: TestService,
  imap: Imap,
  settings: Parameters<typeof givenMailboxes>[3] = {},
) {
  const workspace = await service.workspace()
  const [connection] = workspace.connections
  const { account } = await service.db
    .selectFrom('connections')
    .select('account')
    .where('id', '=', connection)
    .executeTakeFirstOrThrow()
  return {
    ...workspace,
    ...mailboxOf(workspace.call, connection),
    account,
    connection,
    /** Lays a mail of a stranger into the mailbox. */
    mail: (subject: string, where?: Where) =>
      imap.deliver(
        account,
        {
          from: `ann-${connection.slice(-8)}-${subject.replace(/\W/g, '-')}@client.example`.toLowerCase(),
          to: account,
          subject,
          text: `${subject}, please.`,
          messageId: `<${subject.replace(/\W/g, '-')}-${connection}@client.example>`,
        },
        where,
      ),
    isRead: () => givenMailboxes(service, imap, [connection], settings),
  }
}

/** Subjects that sort as they are numbered. */
export const numbered = (n: number) =>
  Array.from({ length: n }, (_, i) => `Question ${String(i + 1).padStart(2, '0')}`)
