import {
  type FetchMessageObject,
  type FetchQueryObject,
  ImapFlow,
  type ListResponse,
} from 'imapflow'
import type { MailServer } from '../../../db/accounts/tables.ts'
import { type Bearer, MailTrouble, wordOf } from './smtp.ts'
import { tlsTo } from './tls.ts'

// IMAP (RFC 9051) in the few steps that reading a mailbox needs.

export type Folder = { path: string; uidValidity: string }
export type Arrived = { uid: number; arrivedAt: Date; size: number }
/** What the server tells about a mail without sending it; messageId is the line of the header. */
export type Head = Arrived & { messageId: string; draft: boolean }
export const folderRoles = ['inbox', 'sent', 'all', 'archive'] as const
export type FolderRole = (typeof folderRoles)[number]

export type Mailbox = {
  /** The folder of sent mail; null if there is none. */
  sentPath(): Promise<string | null>
  /** The folders with correspondence (RFC 6154), in the order of folderRoles; not every mailbox has all of them. */
  folders(): Promise<{ role: FolderRole; path: string }[]>
  /** Makes the folder current. */
  open(path: string): Promise<Folder>
  /** The mails of the current folder from a UID on, in order. */
  list(fromUid: number): Promise<Arrived[]>
  /**
   * Mails by UID, each whole, or cut at `maxBytes`; mails that are gone are left out. Several are fetched at once, because a
   * server may scan the whole folder for each call.
   */
  fetch(uids: number[], maxBytes: number): Promise<Map<number, Buffer>>
  /** UIDs in the current folder from one on, in order; with `at`, only those that have arrived since its day. */
  search(fromUid: number, at: Date | null): Promise<number[]>
  /** In the order of the UIDs; mails that are gone are left out. */
  heads(uids: number[]): Promise<Head[]>
  has(messageId: string): Promise<boolean>
  createSent(): Promise<string>
  /** Without `at`, the mail has arrived now, by the server's clock. */
  append(path: string, raw: Buffer, at?: Date): Promise<void>
  /** Ends when mail has arrived in the current folder, after `ms`, or when told to stop. */
  waitForMail(ms: number, signal: AbortSignal): Promise<void>
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
// The server's own timeout for IDLE is half an hour (RFC 9051, 5.4); a socket that is silent for longer than this is dead.
const socketTimeoutMs = 5 * 60_000

/**
 * Opens an IMAP session and logs in, with a password or a token.
 * @throws MailTrouble imap_unreachable, imap_login_refused, imap_tls, imap_error; its calls throw it too if the connection
 * breaks.
 */
export async function openImap(server: MailServer, login: string | Bearer): Promise<Mailbox> {
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
  await safely(client.connect())
  const sentPath = async () => {
    const folders = await safely(client.list())
    return sentIn(folders) ?? null
  }
  /** Fetches what is wanted of some mails of the current folder and converts each. */
  async function query<T>(
    uids: string,
    wanted: FetchQueryObject,
    of: (mail: FetchMessageObject) => T,
  ): Promise<T[]> {
    const found: T[] = []
    if (uids === '') return found
    await safely(
      (async () => {
        for await (const mail of client.fetch(uids, wanted, { uid: true })) found.push(of(mail))
      })(),
    )
    return found
  }

  return {
    sentPath,
    async folders() {
      const listed = await safely(client.list())
      const used = (use: string) =>
        listed.find(({ specialUse, flags }) => specialUse === use && !flags.has('\\Noselect'))?.path
      const paths: Record<FolderRole, string | undefined> = {
        inbox: 'INBOX',
        sent: sentIn(listed),
        all: used('\\All'),
        archive: used('\\Archive'),
      }
      return folderRoles.flatMap((role) => {
        const path = paths[role]
        return path === undefined ? [] : [{ role, path }]
      })
    },
    async open(path) {
      const box = await safely(client.mailboxOpen(path))
      return { path, uidValidity: String(box.uidValidity) }
    },
    async list(fromUid) {
      const mails = await query(`${fromUid}:*`, told, arrivedOf)
      // `n:*` also returns the last mail if its UID is less than n (RFC 9051, 6.4.9).
      return mails.filter(({ uid }) => uid >= fromUid).sort((a, b) => a.uid - b.uid)
    },
    async fetch(uids, maxBytes) {
      const wanted = { uid: true, source: { start: 0, maxLength: maxBytes } }
      const mails = await query(uids.join(','), wanted, ({ uid, source }) => ({ uid, source }))
      return new Map(mails.flatMap(({ uid, source }) => (source ? [[uid, source]] : [])))
    },
    async search(fromUid, at) {
      const query = { uid: `${fromUid}:*`, ...(at && { since: at }) }
      const found = (await safely(client.search(query, { uid: true }))) || []
      return found.filter((uid) => uid >= fromUid).sort((a, b) => a - b)
    },
    async heads(uids) {
      // Without the ENVELOPE: servers fail on odd addresses when they build it.
      const wanted = { ...told, flags: true, headers: ['message-id'] }
      const heads = await query(uids.join(','), wanted, (mail) => ({
        ...arrivedOf(mail),
        messageId: mail.headers?.toString('latin1') ?? '',
        draft: mail.flags?.has('\\Draft') ?? false,
      }))
      return heads.sort((a, b) => a.uid - b.uid)
    },
    async has(messageId) {
      const query = { header: { 'message-id': messageId } }
      return ((await safely(client.search(query, { uid: true }))) || []).length > 0
    },
    async createSent() {
      await safely(client.mailboxCreate('Sent'))
      return (await sentPath()) ?? 'Sent'
    },
    async append(path, raw, at) {
      // Without a connection it answers false, and has done nothing.
      if (!(await safely(client.append(path, raw, ['\\Seen'], at))))
        throw new MailTrouble('imap_unreachable')
    },
    async waitForMail(ms, signal) {
      await safely(waitIn(client, ms, signal))
    },
    async close() {
      await client.logout().catch(() => client.close())
    },
  }
}

const told = { uid: true, internalDate: true, size: true }
const arrivedOf = ({ uid, internalDate, size }: FetchMessageObject): Arrived => ({
  uid,
  arrivedAt: new Date(internalDate ?? Date.now()),
  size: size ?? 0,
})

const sentIn = (folders: ListResponse[]) =>
  (
    folders.find(({ specialUse }) => specialUse === '\\Sent') ??
    folders.find(({ name }) => sentNames.test(name))
  )?.path

const sentNames = /^(sent|sent (items|mail|messages)|gesendet|envoyés|enviados|inviati)$/i

async function waitIn(client: ImapFlow, ms: number, signal: AbortSignal) {
  if (signal.aborted) return
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const timer = setTimeout(end, ms)
  const news = ({ count, prevCount }: { count: number; prevCount: number }) => {
    if (count > prevCount) end()
  }
  client.on('exists', news)
  client.on('close', end)
  signal.addEventListener('abort', end)
  try {
    const idling = client.idle().then(end, end)
    await ended
    // IDLE is ended by another command, which fails if the connection is broken.
    if (client.usable) await client.noop()
    await idling
    if (!client.usable) throw new MailTrouble('imap_unreachable')
  } finally {
    clearTimeout(timer)
    client.off('exists', news)
    client.off('close', end)
    signal.removeEventListener('abort', end)
  }
}

// Error texts of servers may hold addresses, so only codes are passed on.
async function safely<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof MailTrouble) throw error
    throw new MailTrouble(codeOf(error), wordOf(error))
  }
}

function codeOf(error: unknown): string {
  const { authenticationFailed, code, message, responseStatus, serverResponseCode } =
    error as Failed
  // RFC 7889, 4: what it announced, and what it answers.
  if (/^(APPENDLIMIT|TOOBIG)$/i.test(serverResponseCode || '')) return 'imap_too_large'
  // The library says so too of a connection that ends, and without that flag that it knows no way to log in.
  if (authenticationFailed && responseStatus)
    return isPassing(error as Failed) ? 'imap_error' : 'imap_login_refused'
  if (message === 'Unsupported authentication mechanism') return 'imap_login_refused'
  if (/certificate|SSL|TLS/i.test(`${code} ${message}`)) return 'imap_tls'
  return responseStatus ? 'imap_error' : 'imap_unreachable'
}

type Failed = {
  authenticationFailed?: boolean
  code?: string
  message?: string
  responseStatus?: string
  responseText?: string
  serverResponseCode?: string | false
}

// RFC 5530, and what servers without such codes say: there are too many sessions, or the server is busy.
const passingCodes = ['UNAVAILABLE', 'LIMIT', 'INUSE', 'SERVERBUG', 'OVERQUOTA']
const passingWords =
  /too many|connections? limit|maximum number of connections|unavailable|temporar|throttl|try again/i

/** Whether a refused login says nothing of the password or token. */
const isPassing = ({ serverResponseCode, responseText = '' }: Failed) =>
  serverResponseCode
    ? passingCodes.includes(serverResponseCode) || isTooMany(serverResponseCode, responseText)
    : passingWords.test(responseText)

const isTooMany = (code: string, text: string) => code === 'ALERT' && passingWords.test(text)
