import { findPosition } from '../../db/accounts/folder-positions.ts'
import type { Reader } from '../../db/accounts/reader.ts'
import type { RunningArchive } from '../../db/archive/archives.ts'
import type { HistoryPage } from '../../db/archive/pages.ts'
import * as past from '../../db/archive/past-mail.ts'
import { inSavepoint, type Trx } from '../../db/database.ts'
import { isDisownedBy, namesOf } from '../../db/inbox/trust.ts'
import { findOwnAddresses } from '../../db/workspace/own-addresses.ts'
import { dayStart } from '../../rules/local-time.ts'
import { asWritten, isDisowned } from '../../rules/mail/as-written.ts'
import { headIn, isAboutMeeting, type ReceivedMail, unreadable } from '../../rules/mail/received.ts'
import { isOwnAddress, type Own } from '../../rules/own-addresses.ts'
import { trouble } from '../common/failures.ts'
import { cancelSignal } from '../common/heartbeat.ts'
import type { Deps } from '../deps.ts'
import { fetchInTurn, maxBytes, pastInHand } from '../inbox/in-hand.ts'
import { readMailAside } from '../inbox/read-mail-aside.ts'
import { openMailbox } from '../inbox/reader/open-mailbox.ts'
import {
  type Arrived,
  type FolderRole,
  folderRoles,
  type Head,
  type Mailbox,
  upTo,
} from '../ports/mail/imap.ts'

// Reads years of correspondence in a mailbox, page by page. Mail that the reader of the mailbox has still to read is left to
// the reader: it is new, and somebody is notified of it. One file, because all steps share the state of the open mailbox.

// Small enough for a transaction of a fraction of a second.
const pageMails = 50
// How much is fetched at once and held in memory: a round trip for each page is slow, and servers may scan the whole folder for
// each call. At least one mail is fetched, however large.
const most = { mails: 250, bytes: 16 * 1024 * 1024 }
const day = 24 * 60 * 60 * 1000
// IMAP compares the day of arrival, in the server's zone. It is before the day of writing only if clocks differ.
const marginMs = 2 * day
// No e-mail is older than this; an earlier date comes from a clock that was never set.
const oldest = new Date('1985-01-01T00:00:00Z')

/** Up to where a mailbox has been read: the folder, and the first UID that has not. */
type Cursor = { role: FolderRole; uidValidity: string; nextUid: number }
type Folder = { role: FolderRole; uidValidity: string; uids: number[] }
/** A mail as parsed, and as it came, in case the parsed one cannot be stored. */
type Fetched = {
  uid: number
  mail: past.PastMail
  raw: Buffer
  of: (read: ReceivedMail) => past.PastMail
}
/** A mail that is already stored, or that was fetched. */
type Entry = { uid: number; messageId: string } | Fetched
/** What was read from a folder at once, up to a UID, without the mails that are skipped. */
type Batch = { folder: Folder; last: number; entries: Entry[] }

/** A mailbox that is open for an archive, and what of it is in memory: the folder it stands in, and the batch read last. */
export type PastMailbox = {
  readonly deps: Deps
  readonly archive: RunningArchive
  readonly reader: Reader & { own: Own }
  readonly account: past.Account
  readonly mailbox: Mailbox
  readonly folders: Awaited<ReturnType<Mailbox['folders']>>
  /** The first day of the archive, and the day of arrival from which the server is searched; null if it has none. */
  readonly first: Date | null
  readonly arrivedFrom: Date | null
  readonly stop: AbortSignal
  current: Folder | undefined
  batch: Batch | undefined
  /** Gives back the memory that the batch was allowed. */
  release(): void
}

const cursorPattern = /^mailbox (inbox|sent|all|archive) (\S+) (\d+)$/
export const isInMailbox = (cursor: string): boolean => cursorPattern.test(cursor)
const writeCursor = ({ role, uidValidity, nextUid }: Cursor) =>
  `mailbox ${role} ${uidValidity} ${nextUid}`

function readCursor(text: string): Cursor {
  const [, role, uidValidity, nextUid] = cursorPattern.exec(text) ?? []
  if (!uidValidity) return { role: folderRoles[0], uidValidity: '', nextUid: 1 }
  return { role: role as FolderRole, uidValidity, nextUid: Number(nextUid) }
}

/** Opens a mailbox for an archive. This function and those that take its result throw MailTrouble. */
export async function openPastMail(
  deps: Deps,
  archive: RunningArchive,
  reader: Reader,
): Promise<PastMailbox> {
  const own = await findOwnAddresses(deps.db, reader.workspace)
  const first = archive.since ? dayStart(archive.timezone, archive.since) : null
  const arrivedFrom =
    first && first.getTime() - marginMs > oldest.getTime()
      ? new Date(first.getTime() - marginMs)
      : null
  const stop = AbortSignal.any(
    [cancelSignal(), deps.stopping].filter((signal) => signal !== undefined),
  )
  const mailbox = await openMailbox(deps, reader)
  const folders = await mailbox.folders().catch(async (error) => {
    await mailbox.close()
    throw error
  })
  return {
    deps,
    archive,
    reader: { ...reader, own },
    account: { workspace: reader.workspace, connection: reader.id },
    mailbox,
    folders,
    first,
    arrivedFrom,
    stop,
    current: undefined,
    batch: undefined,
    release() {},
  }
}

export async function closePastMail(opened: PastMailbox) {
  letGo(opened)
  await opened.mailbox.close()
}

function letGo(opened: PastMailbox) {
  opened.batch = undefined
  opened.release()
}

/** How many mails there are, including those of the day before the first one. */
export async function countPastMail(opened: PastMailbox): Promise<number> {
  const { mailbox, folders, arrivedFrom } = opened
  opened.current = undefined
  // The folder of all mail holds the same mails as the other folders.
  const counted = folders.some(({ role }) => role === 'all')
    ? folders.filter(({ role }) => role === 'all')
    : folders
  let total = 0
  for (const { path } of counted) {
    await mailbox.open(path)
    total += (await mailbox.search(1, arrivedFrom)).length
  }
  return total
}

/**
 * The mails after a cursor (empty: from the first); undefined at the end. At the end and after an error, what is held in memory is
 * released: another mailbox may be next.
 */
export async function readPastPage(
  opened: PastMailbox,
  after: string,
): Promise<HistoryPage | undefined> {
  try {
    const found = await pageBehind(opened, readCursor(after))
    if (!found) letGo(opened)
    return found
  } catch (error) {
    letGo(opened)
    throw error
  }
}

async function pageBehind(opened: PastMailbox, cursor: Cursor): Promise<HistoryPage | undefined> {
  for (const { role, path } of opened.folders) {
    if (folderRoles.indexOf(role) < folderRoles.indexOf(cursor.role)) continue
    if (opened.current?.role !== role) opened.current = await enter(opened, role, path, cursor)
    const { current } = opened
    const { uidValidity, uids } = current
    const from = cursor.role === role && cursor.uidValidity === uidValidity ? cursor.nextUid : 1
    const left = uids.filter((uid) => uid >= from)
    if (left.length === 0) continue
    if (!opened.batch || opened.batch.folder !== current || opened.batch.last < from) {
      letGo(opened)
      opened.batch = await readBatch(opened, current, left.slice(0, most.mails), path)
    }
    const { batch } = opened
    const entries = batch.entries.filter(({ uid }) => uid >= from)
    const some = entries.slice(0, pageMails)
    const last = some.length < entries.length ? (some.at(-1)?.uid ?? batch.last) : batch.last
    const next = writeCursor({ role, uidValidity, nextUid: last + 1 })
    return { next, keep: (trx) => keep(opened, trx, some) }
  }
  return undefined
}

/** If the server has renumbered the folder, it is read from its beginning; mails that are already stored are skipped. */
async function enter(
  { mailbox, arrivedFrom }: PastMailbox,
  role: FolderRole,
  path: string,
  cursor: Cursor,
): Promise<Folder> {
  const { uidValidity } = await mailbox.open(path)
  const behind = cursor.role === role && cursor.uidValidity === uidValidity
  const uids = await mailbox.search(behind ? cursor.nextUid : 1, arrivedFrom)
  return { role, uidValidity, uids }
}

async function readBatch(
  opened: PastMailbox,
  folder: Folder,
  uids: number[],
  path: string,
): Promise<Batch> {
  const { deps, mailbox, reader, stop } = opened
  const heads = (await mailbox.heads(uids)).map(readHead)
  const ids = heads.flatMap(({ messageId }) => messageId || [])
  const known = await past.listKnownMail(deps.db, opened.account, ids)
  const isNews = await newsOf(opened, folder, path)
  const isKnown = ({ messageId, from, dated }: PastHead) => known.hasHead(messageId, from, dated)
  const met = heads.filter(isKnown)
  const wanted = heads.filter((head) => !isKnown(head) && !head.draft && isNews(head) !== true)
  const some = upTo(most, maxBytes, wanted)
  let cut = wanted[some.length]
  const inHand = await fetchInTurn(mailbox, some, {
    workspace: reader.workspace,
    budget: pastInHand,
    signal: stop,
  }).catch((error) => {
    if (!deps.stopping?.aborted) throw error
    throw trouble('worker_stopping', 'The worker is stopping; another worker resumes.')
  })
  opened.release = inHand.release
  const [fetched, unsure]: [Fetched[], Fetched[]] = [[], []]
  for (const [n, head] of some.entries()) {
    const raw = inHand.raws.get(head.uid)
    if (!raw) continue
    const { mail, broke } = await readPast(opened, folder.role, head, raw)
    if (mail) (isNews(head) ? unsure : fetched).push(mail)
    // The batch ends here, so that this mail is stored first: it took long to parse, and must not be parsed twice.
    if (!broke) continue
    cut = wanted[n + 1]
    break
  }
  const last = cut ? cut.uid - 1 : (uids.at(-1) as number)
  fetched.push(...(await notInInbox(mailbox, unsure, path)))
  const entries = [...met.filter(({ uid }) => uid <= last), ...fetched]
  return { folder, last, entries: entries.sort((a, b) => a.uid - b.uid) }
}

/**
 * Whether the reader of the mailbox has still to read a mail. In a folder that the reader does not read, a mail that arrived
 * after the reader began may lie in its Inbox too.
 */
async function newsOf({ deps, reader }: PastMailbox, { role, uidValidity }: Folder, path: string) {
  const read = role === 'inbox' || role === 'sent'
  const position = read ? await findPosition(deps.db, reader.id, path) : undefined
  const nextUid = position?.uidValidity === uidValidity ? position.nextUid : 0
  return ({ uid, arrivedAt }: Arrived): boolean | 'maybe' => {
    if (arrivedAt < reader.since || (read && uid < nextUid)) return false
    return read || 'maybe'
  }
}

async function notInInbox(mailbox: Mailbox, mails: Fetched[], path: string): Promise<Fetched[]> {
  if (mails.length === 0) return []
  const left: Fetched[] = []
  await mailbox.open('INBOX')
  for (const one of mails) if (!(await mailbox.has(one.mail.messageId))) left.push(one)
  await mailbox.open(path)
  return left
}

async function readPast(
  { deps, reader, first }: PastMailbox,
  role: FolderRole,
  { uid, arrivedAt }: Arrived,
  raw: Buffer,
): Promise<{ mail: Fetched | undefined; broke: string | null }> {
  const of = (read: ReceivedMail) =>
    pastMailOf(reader, role, read, writtenAt(read.date, arrivedAt, deps.clock.now()))
  const { workspace, timezone } = reader
  const { mail: read, broke } = await readMailAside(raw, arrivedAt, workspace, undefined, timezone)
  if (broke)
    deps.log.warn({ connection: reader.id, uid, code: broke }, 'a past mail is kept unparsed')
  const mail = of(read)
  return { mail: first && mail.at < first ? undefined : { uid, mail, raw, of }, broke }
}

/** Stores what is new of a page; answers the messages of the page that this parse has not read before. */
async function keep(opened: PastMailbox, trx: Trx, entries: Entry[]) {
  const { account, archive, first } = opened
  const fetched = entries.filter((entry) => 'mail' in entry)
  const met = entries.flatMap((entry) => ('mail' in entry ? [] : entry.messageId))
  const mails = fetched.map(({ mail }) => mail)
  await past.lockPastMail(trx, account, mails)
  const ids = mails.map(({ messageId }) => messageId)
  const known = await past.listKnownMail(trx, account, ids)
  const conversations = new Set<string>()
  let stored = 0
  for (const one of fetched) {
    const { messageId, dated, direction, from, via } = one.mail
    const isOurs = direction === 'outbound'
    const mail = { messageId, dated, senders: [from.address, via], isOurs }
    if (known.has(mail)) continue
    const isSecond = known.hasId(messageId)
    known.add(mail)
    const conversation = await insert(opened, trx, one, isSecond)
    if (!conversation) continue
    conversations.add(conversation)
    stored++
  }
  await past.settleConversations(trx, [...conversations])
  const messages = await past.meetMail(trx, account, archive.id, [...met, ...ids], first)
  return { messages, stored }
}

/** A mail that cannot be stored as parsed is stored as a file, so that one mail never holds up the others. */
async function insert(
  { deps, reader, account }: PastMailbox,
  trx: Trx,
  { mail, raw, of }: Fetched,
  isSecond: boolean,
) {
  const now = deps.clock.now()
  return inSavepoint(
    trx,
    () => past.insertPastMail(trx, account, mail, isSecond, now, deps.secretKey),
    (error) => {
      deps.log.error({ connection: reader.id, err: error }, 'a past mail is kept as a file')
      const { messageId } = mail
      const kept = { ...of(unreadable(raw)), messageId }
      return past.insertPastMail(trx, account, kept, isSecond, now, deps.secretKey)
    },
  )
}

/** When the mail says it was written, if that is plausible; otherwise when it arrived. Never later than now. */
function writtenAt(date: Date | null, arrivedAt: Date, now: Date): Date {
  const latest = arrivedAt.getTime() + day
  const sane = date && date >= oldest && date.getTime() <= latest ? date : arrivedAt
  return sane < now ? sane : now
}

/** A mail is ours if it lies in Sent, or if our account sent it, wherever it lies, unless its sender may be forged. */
function pastMailOf(
  reader: Reader & { own: Own },
  role: FolderRole,
  given: ReceivedMail,
  at: Date,
): past.PastMail {
  const { account, own } = reader
  const { mail: read, via, isOwn } = asWritten(given, own)
  const { messageId, from, to, cc, subject, text, html, files, report } = read
  const names = namesOf(reader)
  const doubtful =
    read.suspect ||
    isDisownedBy(names, read.authentication) ||
    (via !== null && isDisowned(read, names, own))
  // What our own people write to each other has no recipient here.
  const ours = role === 'sent' || (isOwn && !doubtful)
  const others = [...to, ...cc].filter((one) => !isOwnAddress(own, one))
  return {
    messageId,
    subject,
    text,
    html,
    at,
    dated: read.date,
    files,
    // Years later it does not matter which letter it answers, only that it answers one.
    automated: read.automated || (read.weak && read.references.length === 0),
    aside: isAboutMeeting(read),
    direction: ours ? 'outbound' : 'inbound',
    suspect: !ours && doubtful,
    from,
    via,
    replyTo: read.replyTo,
    to: ours ? (others[0] ?? '') : (to[0] ?? cc[0] ?? account),
    toAddresses: to,
    cc,
    bcc: ours ? read.bcc : [],
    references: [...read.references, ...(report?.refersTo ?? [])],
  }
}

type PastHead = ReturnType<typeof readHead>

/** The head of a mail that is there. The rest is read in a child process. */
const readHead = ({ fields, ...head }: Head) => ({ ...head, ...headIn(fields) })
