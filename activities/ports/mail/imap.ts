import {
  type FetchMessageObject,
  type FetchQueryObject,
  ImapFlow,
  type ListResponse,
} from 'imapflow'
import type { MailServer } from '../../../db/accounts/tables.ts'
import { openCalls } from './imap-calls.ts'
import { openWaiting } from './imap-wait.ts'
import { pinned } from './pinned.ts'
import { type Bearer, MailTrouble } from './smtp.ts'
import { tlsTo } from './tls.ts'

// IMAP (RFC 9051) in the few steps that reading a mailbox needs.

/** What the server says of a folder: at SELECT, or without one at STATUS and LIST-STATUS. */
export type FolderState = { uidValidity: string; uidNext: number; exists: number }
export type Folder = FolderState & { path: string }
export type ListedFolder = {
  path: string
  /** Its name without those of the folders that it lies in. */
  name: string
  /** Its special use (RFC 6154), such as \Junk, as the server says it or as its name does. */
  use: string | null
  /** Null if the server has not said it together with the list. */
  state: FolderState | null
}
/** `isSent`: the server says itself whether it is the copy of a sent mail (labels of Gmail). */
export type Arrived = { uid: number; arrivedAt: Date; size: number; isSent?: boolean }
/** What the server says about a mail without sending it; messageId is the line of the header. */
/** `fields`: its Message-ID, From and Date, as they came. */
export type Head = Arrived & { fields: Buffer; draft: boolean }
export const folderRoles = ['inbox', 'sent', 'all', 'archive'] as const
export type FolderRole = (typeof folderRoles)[number]

export type Mailbox = {
  /** The folder of sent mail; null if there is none. */
  sentPath(): Promise<string | null>
  /** The folders with correspondence (RFC 6154), in the order of folderRoles; not every mailbox has all of them. */
  folders(): Promise<{ role: FolderRole; path: string }[]>
  /** All folders that can be opened. A list that is empty is a trouble, because every mailbox has an Inbox. */
  listFolders(): Promise<ListedFolder[]>
  /** Whether `listFolders` lists the states of all folders in one call (LIST-STATUS, RFC 5819). */
  tellsStates: boolean
  /** The state of a folder that is not opened for it; null if the server does not say, as of a folder that is gone. */
  state(path: string): Promise<FolderState | null>
  /** Makes the folder current. */
  open(path: string): Promise<Folder>
  /**
   * The mails of the current folder from a UID on, in order. Without `sizes` each size is 0: to tell it, a server may have to
   * open every mail.
   */
  list(fromUid: number, sizes?: boolean): Promise<Arrived[]>
  /**
   * Mails by UID, each whole, or cut at `maxBytes`, without those that the server leaves out. Several are fetched at once,
   * because a server may scan the whole folder for each call.
   */
  fetch(uids: number[], maxBytes: number): Promise<Map<number, Buffer>>
  /** The header of a mail; undefined if the server leaves it out. */
  header(uid: number): Promise<Buffer | undefined>
  /** UIDs in the current folder from one on, in order; with `at`, only those that have arrived since its day. */
  search(fromUid: number, at: Date | null): Promise<number[]>
  /** In the order of the UIDs; mails that are gone are left out. */
  heads(uids: number[]): Promise<Head[]>
  has(messageId: string): Promise<boolean>
  createSent(): Promise<string>
  /** Without `at`, the mail has arrived now, by the server's clock. */
  append(path: string, raw: Buffer, at?: Date): Promise<void>
  /**
   * Ends when the server says that something has arrived in the current folder (true), after `ms`, or when told to stop. A
   * server that takes no IDLE is asked again and again, with a pause.
   */
  waitForMail(ms: number, signal: AbortSignal): Promise<boolean>
  close(): Promise<void>
}

/** The first of some mails, within the limits of number and size, each counted up to `maxBytes`; at least one. */
export function upTo<Mail extends { size: number }>(
  most: { mails: number; bytes: number },
  maxBytes: number,
  mails: Mail[],
): Mail[] {
  let sum = 0
  const over = mails.findIndex(({ size }, n) => {
    sum += Math.min(size, maxBytes)
    return n > 0 && (n === most.mails || sum > most.bytes)
  })
  return over < 0 ? mails : mails.slice(0, over)
}

const connectTimeoutMs = 10_000
// The server's own timeout for IDLE is half an hour (RFC 9051, 5.4). What is silent for too long is found sooner (imap-calls.ts).
const socketTimeoutMs = 30 * 60_000
const states = { messages: true, uidNext: true, uidValidity: true }

/**
 * Opens an IMAP session and logs in, with a password or a token.
 * @throws MailTrouble imap_unreachable, imap_tls, imap_error, and the causes of rules/answers; its calls throw it too. A call
 * that the server does not answer in time ends the session.
 */
export async function openImap(named: MailServer, login: string | Bearer): Promise<Mailbox> {
  const server = await pinned(named)
  if (!server) throw new MailTrouble('imap_unreachable')
  const { mode, options } = tlsTo(server)
  const client = new ImapFlow({
    host: server.host,
    port: server.port,
    secure: server.secure,
    // A TLS connection cannot be upgraded, and the library does not accept the option for one.
    ...(!server.secure && mode !== 'offered' && { doSTARTTLS: mode === 'required' }),
    auth: typeof login === 'string' ? { user: server.user ?? '', pass: login } : login,
    tls: options,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: socketTimeoutMs,
    disableAutoIdle: true,
    logger: false,
  })
  // An error also fails the current call; without a listener it would end the process.
  client.on('error', () => {})
  const call = openCalls(client)
  await call(client.connect())
  const tellsStates = client.capabilities.has('LIST-STATUS')
  const waiting = openWaiting(client, call)

  async function listed(withStates = false): Promise<ListResponse[]> {
    const folders = await call(client.list(withStates ? { statusQuery: states } : {}))
    if (folders.length === 0) throw new MailTrouble('imap_no_folders')
    return folders.filter(({ flags }) => !flags.has('\\Noselect'))
  }
  /** Fetches what is wanted of some mails of the current folder and converts each. */
  async function query<T>(
    uids: string,
    wanted: FetchQueryObject,
    of: (mail: FetchMessageObject) => T,
  ): Promise<T[]> {
    const found: T[] = []
    if (uids === '') return found
    await call(
      (async () => {
        for await (const mail of client.fetch(uids, wanted, { uid: true })) found.push(of(mail))
      })(),
    )
    return found
  }

  return {
    tellsStates,
    sentPath: async () => sentIn(await listed()) ?? null,
    async folders() {
      const all = await listed()
      const used = (use: string) => all.find(({ specialUse }) => specialUse === use)?.path
      const paths: Record<FolderRole, string | undefined> = {
        inbox: 'INBOX',
        sent: sentIn(all),
        all: used('\\All'),
        archive: used('\\Archive'),
      }
      return folderRoles.flatMap((role) => {
        const path = paths[role]
        return path === undefined ? [] : [{ role, path }]
      })
    },
    async listFolders() {
      const all = await listed(tellsStates)
      const sent = sentIn(all)
      return all.map(({ path, name, specialUse, status }) => ({
        path,
        name,
        use: path === sent ? '\\Sent' : (specialUse ?? null),
        state: tellsStates ? stateOf(status) : null,
      }))
    },
    async state(path) {
      const status = await call(client.status(path, states)).catch(unlessRefused)
      return stateOf(status)
    },
    async open(path) {
      const { exists, uidNext, uidValidity } = await call(client.mailboxOpen(path))
      waiting.opened(exists)
      return { path, exists, uidNext: uidNext ?? 0, uidValidity: String(uidValidity) }
    },
    async list(fromUid, sizes = true) {
      const wanted = {
        ...told,
        size: sizes,
        ...(client.capabilities.has('X-GM-EXT-1') && { labels: true }),
      }
      const mails = await query(`${fromUid}:*`, wanted, arrivedOf)
      // `n:*` also returns the last mail if its UID is less than n (RFC 9051, 6.4.9).
      return mails.filter(({ uid }) => uid >= fromUid).sort((a, b) => a.uid - b.uid)
    },
    async fetch(uids, maxBytes) {
      const wanted = { uid: true, source: { start: 0, maxLength: maxBytes } }
      const mails = await query(uids.join(','), wanted, ({ uid, source }) => ({ uid, source }))
      return new Map(
        mails.flatMap(({ uid, source }) => (source && uids.includes(uid) ? [[uid, source]] : [])),
      )
    },
    async header(uid) {
      const [mail] = await query(String(uid), { uid: true, headers: true }, (found) => found)
      return mail?.headers
    },
    async search(fromUid, at) {
      const query = { uid: `${fromUid}:*`, ...(at && { since: at }) }
      const found = (await call(client.search(query, { uid: true }))) || []
      return found.filter((uid) => uid >= fromUid).sort((a, b) => a - b)
    },
    async heads(uids) {
      // Without the ENVELOPE: servers fail on odd addresses when they build it.
      const wanted = { ...told, flags: true, headers: ['message-id', 'from', 'date'] }
      const heads = await query(uids.join(','), wanted, (mail) => ({
        ...arrivedOf(mail),
        fields: mail.headers ?? Buffer.alloc(0),
        draft: mail.flags?.has('\\Draft') ?? false,
      }))
      return heads.sort((a, b) => a.uid - b.uid)
    },
    async has(messageId) {
      const query = { header: { 'message-id': messageId } }
      return ((await call(client.search(query, { uid: true }))) || []).length > 0
    },
    async createSent() {
      await call(client.mailboxCreate('Sent'))
      return sentIn(await listed()) ?? 'Sent'
    },
    async append(path, raw, at) {
      // Without a connection it answers false, and has done nothing.
      if (!(await call(client.append(path, raw, ['\\Seen'], at))))
        throw new MailTrouble('imap_unreachable')
    },
    waitForMail: waiting.waitForMail,
    async close() {
      await call(client.logout(), logoutMs).catch(() => client.close())
    },
  }
}

const logoutMs = 5_000

const stateOf = (status: ListResponse['status'] | false | undefined): FolderState | null => {
  if (!status || status.uidValidity === undefined || status.uidNext === undefined) return null
  const { messages = 0, uidNext, uidValidity } = status
  return { exists: messages, uidNext, uidValidity: String(uidValidity) }
}

/** A folder that cannot be asked about is no trouble of the session. */
const unlessRefused = (error: unknown) => {
  if (error instanceof MailTrouble && error.code === 'imap_error') return undefined
  throw error
}

const told = { uid: true, internalDate: true, size: true }
const arrivedOf = ({ uid, internalDate, size, labels }: FetchMessageObject): Arrived => ({
  uid,
  arrivedAt: new Date(internalDate ?? Date.now()),
  size: size ?? 0,
  ...(labels && { isSent: labels.has('\\Sent') && !labels.has('\\Inbox') }),
})

const sentIn = (folders: ListResponse[]) =>
  (
    folders.find(({ specialUse }) => specialUse === '\\Sent') ??
    folders.find(({ name }) => sentNames.test(name))
  )?.path

const sentNames = /^(sent|sent (items|mail|messages)|gesendet|envoyés|enviados|inviati)$/i
