import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import MailComposer from 'nodemailer/lib/mail-composer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { MailServer } from '../../../db/accounts/tables.ts'
import { plainLine } from '../../../rules/text.ts'
import { tlsTo } from './tls.ts'

// SMTP (RFC 5321) in the separate steps that sending at most once needs: open the session and log in, and only then hand a
// letter over.

export type Letter = {
  from: { name: string; address: string }
  to: string
  /** The recipient's name, if known. */
  toName?: string | undefined
  subject: string
  text: string
  /** The same in HTML, as an alternative to the text. */
  html?: string | undefined
  messageId: string
  inReplyTo: string | null
  references: string[]
  /** The link for one-click unsubscribing (RFC 8058); campaign letters only. */
  unsubscribeUrl?: string
  /** No person wrote it at that moment (RFC 3834), so programs with automatic replies leave it alone. */
  automated: boolean
  /** An iTIP message in iCalendar (RFC 6047): beside the text, and as a file. */
  calendar?: { method: 'request' | 'cancel'; content: string }
  date: Date
}

/**
 * The outcome of handing a letter over. `code` is the SMTP reply code, if there was one, and `status` the enhanced status code
 * (RFC 3463) after it. accepted: a 250 to the final dot. refused: a 5xx; the server did not take the letter. deferred: a 4xx,
 * or the connection broke before the first byte of DATA; the server did not take the letter, and it may be tried again.
 * unknown: DATA had begun and no answer came. A bridge answers in the same terms, with its own id of what it took and its word
 * for why it refuses.
 */
export type Handover =
  | { kind: 'accepted'; externalId?: string }
  | { kind: 'refused'; code: number; status?: string; reason?: string }
  | { kind: 'deferred'; code: number | null; status?: string }
  | { kind: 'unknown' }

export type Envelope = { from: string; to: string }

export type MailSession = {
  send(envelope: Envelope, raw: Buffer): Promise<Handover>
  /** Clears what remains of a letter that was not taken. False if the server no longer answers; the session is over then. */
  clear(): Promise<boolean>
  isOver(): boolean
  onOver(then: () => void): void
  /** Whether the session keeps the process alive. An open one does, until told otherwise. */
  hold(holds: boolean): void
  close(): void
}

/** The account could not be opened; `code` is safe to show (no reply text, no address). */
export class MailTrouble extends Error {
  readonly code: string
  /** The system's name for the error, such as ECONNREFUSED. */
  readonly word: string | undefined
  /** The server has refused the login for good (5xx), as it does with a wrong password. */
  readonly isRefusal: boolean
  constructor(code: string, word?: string, isRefusal = false) {
    super(code)
    this.code = code
    this.word = word
    this.isRefusal = isRefusal
  }
}

const connectTimeoutMs = 10_000
const answerTimeoutMs = 60_000
// A server that takes longer to answer to RSET is left, and a fresh session opened.
const clearTimeoutMs = 5_000

/**
 * Opens an SMTP session and logs in.
 * @throws MailTrouble smtp_unreachable, smtp_login_refused, smtp_tls, smtp_error.
 */
export async function openSmtp(server: MailServer, password?: string): Promise<MailSession> {
  const { mode, options } = tlsTo(server)
  const connection = new SMTPConnection({
    host: server.host,
    port: server.port,
    secure: server.secure,
    requireTLS: mode === 'required',
    ignoreTLS: mode === 'never',
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: answerTimeoutMs,
    tls: options,
  })
  await step(connection, (done) => connection.connect(done))
  if (server.user && password !== undefined && connection.allowsAuth)
    await step(connection, (done) =>
      connection.login({ credentials: { user: server.user as string, pass: password } }, done),
    )
  // From here on, errors reach the callback of send; without a listener, a late one would end the process.
  connection.on('error', () => {})
  return {
    send: (envelope, raw) => handOver(connection, envelope, raw),
    clear: () => clear(connection),
    isOver: () => connection.destroyed,
    onOver: (then) => void connection.once('end', then),
    hold(holds) {
      const { _socket: socket } = connection as unknown as { _socket: Socket | false }
      if (socket) holds ? socket.ref() : socket.unref()
    },
    close: () => connection.quit(),
  }
}

/** RSET, which every server answers (RFC 5321, 4.1.1.5). */
function clear(connection: SMTPConnection) {
  return new Promise<boolean>((resolve) => {
    const end = (isThere: boolean) => {
      clearTimeout(timer)
      connection.removeListener('end', isGone)
      if (!isThere) connection.close()
      resolve(isThere)
    }
    const isGone = () => end(false)
    const timer = setTimeout(isGone, clearTimeoutMs)
    connection.once('end', isGone)
    connection.reset((error) => end(!error))
  })
}

function step(connection: SMTPConnection, run: (done: (error?: Error | null) => void) => void) {
  return new Promise<void>((resolve, reject) => {
    const fail = (error: Error) => {
      connection.close()
      reject(new MailTrouble(troubleOf(error), wordOf(error), isRefusal(error)))
    }
    connection.once('error', fail)
    run((error) => {
      if (error) return fail(error)
      connection.removeListener('error', fail)
      resolve()
    })
  })
}

function troubleOf(error: Error): string {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  if (code === 'EAUTH') return 'smtp_login_refused'
  if (code === 'ETLS' || /certificate|SSL|TLS/i.test(error.message)) return 'smtp_tls'
  return responseCode ? `smtp_error_${responseCode}` : 'smtp_unreachable'
}

function isRefusal(error: Error): boolean {
  const { code, responseCode = 500 } = error as { code?: string; responseCode?: number }
  return code === 'EAUTH' && responseCode >= 500
}

function statusIn(response: string | undefined): { status?: string } {
  const status = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '')?.[1]
  return status === undefined ? {} : { status }
}

/**
 * What a row stores about why a letter was not taken: the enhanced status code, or else the reply code. A bridge gives its
 * reason instead.
 */
export const codeOfRefusal = (handover: Handover): string | null =>
  handover.kind === 'refused' && handover.reason === undefined
    ? (handover.status ?? String(handover.code))
    : handover.kind === 'deferred' && handover.code !== null
      ? (handover.status ?? String(handover.code))
      : null

/** The system's code beneath an error of nodemailer, which has its own code. */
export function wordOf(error: unknown): string | undefined {
  const { code, errno, cause } = (error ?? {}) as {
    code?: unknown
    errno?: unknown
    cause?: unknown
  }
  const word = [code, errno].find((one) => typeof one === 'string' && systemWord.test(one))
  if (typeof word === 'string') return word
  const named = error instanceof Error ? systemWord.exec(error.message)?.[0] : undefined
  return named ?? (cause === undefined ? undefined : wordOf(cause))
}
const systemWord =
  /\b(ECONNREFUSED|ECONNRESET|ECONNABORTED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE)\b/

function handOver(connection: SMTPConnection, envelope: Envelope, raw: Buffer) {
  return new Promise<Handover>((resolve) => {
    // The body is read for the first time when the server has said 354: only then has DATA begun.
    let begun = false
    const body = new Readable({
      read() {
        begun = true
        this.push(raw)
        this.push(null)
      },
    })
    connection.send({ from: envelope.from, to: [envelope.to], size: raw.length }, body, (error) => {
      if (!error) return resolve({ kind: 'accepted' })
      const code = (error as { responseCode?: number }).responseCode
      const status = statusIn((error as { response?: string }).response)
      if (code !== undefined && code >= 500) resolve({ kind: 'refused', code, ...status })
      else if (code !== undefined && code >= 400) resolve({ kind: 'deferred', code, ...status })
      else if ((error as { code?: string }).code === 'EMESSAGE' && !begun)
        resolve({ kind: 'refused', code: 552 })
      // The server was not even asked about an address that cannot exist.
      else if ((error as { code?: string }).code === 'EENVELOPE' && !begun)
        resolve({ kind: 'refused', code: 553 })
      else resolve(begun ? { kind: 'unknown' } : { kind: 'deferred', code: null })
    })
  })
}

/**
 * The raw message (RFC 5322), made once before the claim with our own Message-ID, and its envelope. The envelope decides who
 * gets the letter: always exactly one address, with an odd local part in quotes.
 */
export async function composeLetter(letter: Letter): Promise<{ raw: Buffer; envelope: Envelope }> {
  const composer = new MailComposer({
    from: { ...letter.from, name: plainLine(letter.from.name) },
    to: { name: plainLine(letter.toName ?? ''), address: plainLine(letter.to) },
    subject: plainLine(letter.subject),
    text: letter.text,
    ...(letter.html !== undefined && { html: letter.html }),
    date: letter.date,
    ...(letter.calendar && { icalEvent: { ...letter.calendar, filename: 'invite.ics' } }),
    messageId: letter.messageId,
    ...(letter.inReplyTo && { inReplyTo: letter.inReplyTo, references: letter.references }),
    headers: {
      ...(letter.automated && { 'Auto-Submitted': 'auto-generated' }),
      ...(letter.unsubscribeUrl && {
        'List-Unsubscribe': `<${letter.unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    // What a person wrote is text, never a path or an address to fetch from.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const node = composer.compile()
  const { from, to } = node.getEnvelope()
  return { raw: await node.build(), envelope: { from: from || '', to: to.join() } }
}
