import type { Insertable } from 'kysely'
import type { Report } from '../../rules/mail/received.ts'
import { keptHtml, plainLine, plainText } from '../../rules/text.ts'
import { fileNameOf, insertFiles, type NewFile } from '../conversations/files.ts'
import { messageWords, withWords } from '../conversations/search-words.ts'
import type { MessageReport, Messages } from '../conversations/tables.ts'
import type { Trx } from '../database.ts'
import { newId } from '../ids.ts'
import type { Proof } from './proof.ts'

// An inbound message, as a mailbox or a bridge delivers it, and its row.

export type Inbound = Readonly<{
  workspace: string
  connection: string
  /** Its Message-ID with the brackets, or the bridge's id, which identifies it within its connection. */
  externalId: string
  from: { name: string; address: string }
  /** The address of ours through which a group or a form sent it. */
  via?: string | null | undefined
  /** Where it asks for answers. */
  replyTo?: { name: string; address: string }[] | undefined
  /** The first recipient: the one that the message is shown with where only one is shown. */
  to: string
  /** All recipients in To, if there may be others than `to`. */
  toAddresses?: string[] | undefined
  cc?: string[] | undefined
  subject: string
  text: string
  /** The same as the text, in HTML. */
  html?: string | null | undefined
  /** When it came in, in business time, and never later than now. Campaigns compare it with when their letters were sent. */
  at: Date
  /** The date in its head, null if it has none; undefined where its id alone says which message it is. */
  dated?: Date | null | undefined
  /** The folder of its mailbox, if it came from one. */
  folder?: string | undefined
  /** The messages that it refers to, by ids of the same kind; the nearest is last. */
  references: string[]
  files: NewFile[]
  /** No person wrote it: it stops no letter, wakes no conversation, leaves nobody waiting and notifies nobody. */
  automated: boolean
  /** It has signs of a program that a person's mail may have too: it is automatic unless it answers a letter of ours. */
  weak?: boolean | undefined
  /** A person wrote it, as far as one can tell; the owner is asked to look. */
  unclear?: boolean | undefined
  /** The sender is away until then, and their letters wait. */
  outOfOfficeUntil?: Date | undefined
  /** What a server or provider says about a letter of ours. It acts only on a letter that it proves to know. */
  report?: Report | undefined
  /**
   * The account's own server says that it is not from its stated sender: it is stored and shown, and nothing follows from it.
   */
  suspect?: boolean | undefined
  /** It is about something else, such as a meeting. It begins no conversation, but joins the latest one of its person. */
  aside?: boolean | undefined
  /** The UID of a meeting to which its writer invites, or which they cancel. */
  meeting?: string | undefined
}>

/** What we have decided about a mail; see `judge`. */
export type Verdict = Readonly<{
  automated: boolean
  unclear: boolean
  outOfOfficeUntil: Date | undefined
  /** The ids that it refers to, and our own ids of the letters that it names in another way or proves to know. */
  references: string[]
  /** What it reports, and what the letter that it proves to know adds to that. */
  report: Report | undefined
}>

/** A mail with our verdict in place of what it says of itself. */
export type Judged = Omit<Inbound, keyof Verdict> & Verdict

/** fresh is false if the message was here already: then nothing was done. */
export type Received = { conversation: string; message: string; fresh: boolean }

const longestText = 1_000_000
const longestSubject = 1000
const mostRecipients = 200
const mostReplies = 20

const line = (text: string, longest: number) => plainLine(text.slice(0, longest)).trim()

/** The columns of the further recipients. `to_addresses` is null where it would say no more than `to_address`. */
function addresseesOf(given: Pick<Inbound, 'to' | 'toAddresses' | 'cc'> & { bcc?: string[] }) {
  const to = linesOf(given.toAddresses)
  const isMore = to.length > 1 || (to.length === 1 && to[0] !== line(given.to, 320))
  return { toAddresses: isMore ? to : null, cc: linesOf(given.cc), bcc: linesOf(given.bcc) }
}

/** The columns of the way that it took, and of that which answers are to take. */
export const wayOf = ({ via, replyTo }: Pick<Inbound, 'via' | 'replyTo'>) => ({
  via: via ?? null,
  replyTo: replyTo?.length ? JSON.stringify(replyTo) : null,
})

const linesOf = (addresses: string[] = []) =>
  addresses
    .slice(0, mostRecipients)
    .map((address) => line(address, 320))
    .filter((address) => address !== '')

export const cleaned = (given: Inbound, now: Date): Inbound => ({
  ...given,
  externalId: line(given.externalId, 1000),
  from: {
    name: line(given.from.name, 300),
    address: line(given.from.address, 320),
  },
  via: given.via ? line(given.via, 320) : null,
  replyTo: given.replyTo?.slice(0, mostReplies).map(({ name, address }) => ({
    name: line(name, 300),
    address: line(address, 320),
  })),
  to: line(given.to, 320),
  subject: line(given.subject, longestSubject),
  text: plainText(given.text.slice(0, longestText)),
  html: keptHtml(given.html),
  at: given.at > now ? now : given.at,
  references: [...new Set(given.references.map((id) => line(id, 1000)))].slice(-100),
  report: given.report && {
    ...given.report,
    recipients: given.report.recipients.map((address) => line(address, 320)),
    refersTo: [...new Set(given.report.refersTo.map((id) => line(id, 1000)))].slice(0, 100),
  },
})

export async function insertReceived(
  trx: Trx,
  inbound: Inbound,
  conversation: string,
  inReplyTo: string | null | undefined,
  proof: Proof | undefined,
  /** What it is known by in its account. */
  key: string,
  /** The ids that it refers to, as it names them. */
  refersTo: string[],
): Promise<string> {
  const { workspace, connection, suspect = false, report } = inbound
  return insertMail(
    trx,
    { ...inbound, files: inbound.files.map(cleanedFile) },
    {
      workspace,
      connection,
      conversation,
      html: inbound.html ?? null,
      automated: inbound.automated,
      folder: inbound.folder ?? null,
      direction: 'inbound',
      state: 'received',
      externalId: key,
      messageId: inbound.externalId,
      dated: inbound.dated ?? null,
      ...wayOf(inbound),
      inReplyTo: inReplyTo ?? null,
      refersTo,
      suspect,
      report: report ? JSON.stringify(reportOf(report, proof)) : null,
    },
  )
}

type Mail = Pick<
  Inbound,
  'from' | 'to' | 'toAddresses' | 'cc' | 'subject' | 'text' | 'at' | 'files'
> & { bcc?: string[] }

/** Stores a mail, whoever wrote it, with its files; answers its id. `row` has what depends on how it came here. */
export async function insertMail(
  trx: Trx,
  mail: Mail,
  row: Omit<
    Insertable<Messages>,
    'id' | 'subject' | 'text' | 'at' | 'senderName' | 'senderHandle' | 'toAddress'
  >,
): Promise<string> {
  const { from, to, subject, text, at } = mail
  const id = newId('msg')
  const insert = trx.insertInto('messages').values({
    ...row,
    id,
    subject,
    text,
    at,
    senderName: from.name,
    senderHandle: from.address,
    toAddress: to,
    ...addresseesOf(mail),
  })
  const { workspace, conversation } = row
  // What a suspect message says is not searched.
  if (row.suspect) await insert.execute()
  else {
    const names = mail.files.map(({ name }) => fileNameOf(name))
    const words = messageWords({ id, workspace, conversation, subject, text, at }, names)
    await withWords(words, insert).execute(trx)
  }
  await insertFiles(trx, row.workspace, id, mail.files)
  return id
}

const cleanedFile = ({ name, type, content, cid }: NewFile): NewFile => ({
  name: line(name, 300),
  type: line(type, 200),
  content,
  cid: cid ? line(cid, 300) || null : null,
})

/** What a message shows of a report. */
export const reportOf = (
  { kind, code, permanent, recipients }: Report,
  proof?: Proof,
): MessageReport => ({
  kind,
  code,
  permanent,
  proven: proof !== undefined,
  recipient: proof?.recipient ?? recipients[0] ?? null,
  message: proof?.kind === 'message' ? proof.id : null,
})
