import { plainLine, plainText } from '../../rules/text.ts'
import { insertFiles } from '../conversations/files.ts'
import type { MessageReport } from '../conversations/tables.ts'
import type { Db, Trx } from '../database.ts'
import { newId } from '../ids.ts'
import type { Proof, Report } from './reports.ts'

// A message that came in, as a mailbox or a bridge brings it, and its row.

export type Inbound = {
  workspace: string
  connection: string
  /** With the connection it makes the message one: its Message-ID with the brackets, or the bridge's id. */
  externalId: string
  from: { name: string; address: string }
  to: string
  subject: string
  text: string
  /** Business time: when it came in, not later than now. Campaigns compare it with when their letters were sent. */
  at: Date
  /** What it refers to, by the same kind of ids; the nearest last. */
  references: string[]
  files: { name: string; type: string; content: Buffer }[]
  /** Nobody wrote it: no letter is stopped by it, nothing wakes or waits, nobody is told. */
  automated: boolean
  /** The sender is away until then: their letters wait. */
  outOfOfficeUntil?: Date | undefined
  /** What a server or provider says about a letter of ours. It acts on nothing that it does not prove to know. */
  report?: Report | undefined
  /** The account's own server says that it is not from whom it says: it is stored and shown, and nothing follows from it. */
  suspect?: boolean | undefined
  /** It is about something else, such as a meeting: of no conversation, it goes to the latest one of its person. */
  aside?: boolean | undefined
}

/** fresh is false for a message that is here already: nothing was done then. */
export type Received = { conversation: string; message: string; fresh: boolean }

const longestText = 1_000_000
const longestSubject = 1000

const line = (text: string, longest: number) => plainLine(text.slice(0, longest)).trim()

export const cleaned = (given: Inbound, now: Date): Inbound => ({
  ...given,
  externalId: line(given.externalId, 1000),
  from: {
    name: line(given.from.name, 300),
    address: line(given.from.address, 320),
  },
  to: line(given.to, 320),
  subject: line(given.subject, longestSubject),
  text: plainText(given.text.slice(0, longestText)),
  at: given.at > now ? now : given.at,
  references: [...new Set(given.references.map((id) => line(id, 1000)))].slice(-100),
  report: given.report && {
    ...given.report,
    recipients: given.report.recipients.map((address) => line(address, 320)),
    ids: [...new Set(given.report.ids.map((id) => line(id, 1000)))].slice(0, 100),
  },
})

/**
 * The message as it is here already; also one that an operator's file or an archive brought, by its Message-ID, and one of ours
 * that came back to the account it was written from.
 */
export async function findReceived(
  db: Db,
  { connection, workspace, externalId }: Inbound,
): Promise<Received | undefined> {
  const row = await db
    .selectFrom('messages')
    .select(['id', 'conversation'])
    .where('workspace', '=', workspace)
    .where('connection', '=', connection)
    .where((eb) =>
      eb.or([
        eb.and([eb('direction', '=', 'inbound'), eb('externalId', '=', externalId)]),
        eb('messageId', '=', externalId),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row && { conversation: row.conversation, message: row.id, fresh: false }
}

export async function insertReceived(
  trx: Trx,
  inbound: Inbound,
  conversation: string,
  inReplyTo: string | null | undefined,
  proof: Proof | undefined,
): Promise<string> {
  const { suspect = false, report } = inbound
  const { workspace, connection, externalId, from, to, subject, text, at, automated } = inbound
  const id = newId('msg')
  await trx
    .insertInto('messages')
    .values({
      id,
      workspace,
      conversation,
      connection,
      subject,
      text,
      at,
      automated,
      direction: 'inbound',
      state: 'received',
      externalId,
      messageId: externalId,
      senderName: from.name,
      senderHandle: from.address,
      toAddress: to,
      inReplyTo: inReplyTo ?? inbound.references.at(-1) ?? null,
      suspect,
      report: report ? JSON.stringify(reportOf(report, proof)) : null,
    })
    .execute()
  const files = inbound.files.map(({ name, type, content }) => ({
    name: line(name, 300),
    type: line(type, 200),
    content,
  }))
  await insertFiles(trx, workspace, id, files)
  return id
}

const reportOf = ({ kind, code, permanent, recipients }: Report, proof?: Proof): MessageReport => ({
  kind,
  code,
  permanent,
  proven: proof !== undefined,
  recipient: proof?.recipient ?? recipients[0] ?? null,
  message: proof?.kind === 'message' ? proof.id : null,
})
