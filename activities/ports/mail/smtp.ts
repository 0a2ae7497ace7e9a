import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { MailServer } from '../../../db/accounts/tables.ts'
import type { LoginFailure } from '../../../rules/answers/login-pauses.ts'
import {
  meaningOfSmtp,
  type SmtpAnswer,
  type SmtpMeaning,
  type Stage,
} from '../../../rules/answers/smtp.ts'
import { idsInAnswer } from '../../../rules/letter-ids.ts'
import { whyOf } from '../../../rules/oauth.ts'
import { type Refused, takingMs } from '../../../rules/outgoing.ts'
import type { Mail } from './compose.ts'
import { pinned } from './pinned.ts'
import { byToken, nameFirst, offers, statusIn, tokenLogin } from './smtp-steps.ts'
import { tlsTo } from './tls.ts'

// SMTP (RFC 5321) in the separate steps that sending at most once needs: open the session and log in, and only then hand a
// letter over. One file, because both steps judge the same answers of the same session.

/**
 * The outcome of handing a letter over. `code` is the SMTP reply code, if there was one, and `status` the enhanced status code
 * (RFC 3463) after it; `answer` is what the server said, and at which stage. accepted: a 250 to the final dot; `ids` are those under which the server says that it sends the letter on, `refused` are the recipients other than `to` who do
 * not get it. refused: a 5xx; the server did not take the letter. deferred: a 4xx, or the connection broke before the first byte of DATA; the server did not take the letter, and it may be tried again.
 * unknown: DATA had begun and no answer came. A bridge answers in the same terms, with its own id of what it took and its word
 * for why it refuses.
 */
export type Handover =
  | { kind: 'accepted'; externalId?: string; ids?: string[]; refused?: Refused[] }
  | { kind: 'refused'; code: number; status?: string; reason?: string; answer?: Said }
  | { kind: 'deferred'; code: number | null; status?: string; answer?: Said }
  | { kind: 'unknown'; refused?: Refused[] }

/** The words of a server, all lines of them, and how far the dialogue had come. */
export type Said = { stage: Stage; words: string }

/** What the answer of a server means; undefined where none of a mail server came. */
export function meaningOf(handover: Handover): SmtpMeaning | undefined {
  if (handover.kind !== 'refused' && handover.kind !== 'deferred') return undefined
  const { code, status: enhanced, answer } = handover
  return answer && code !== null ? meaningOfSmtp({ ...answer, code, enhanced }) : undefined
}

export type MailSession = {
  send(mail: Mail): Promise<Handover>
  /** Whether the server takes addresses beyond ASCII (SMTPUTF8, RFC 6531). */
  takesWide: boolean
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
  /** The system's name for the error, such as ECONNREFUSED, or a provider's. */
  readonly word: string | undefined
  /** Whether the server has refused the login for good, as it does with a wrong password, or for now. */
  readonly failure: LoginFailure
  /** Where the trouble is, if it is not the mail server. */
  readonly at: string | undefined
  /** What the server said, if it was one for mail. */
  readonly answer: SmtpAnswer | undefined
  /** What a server of IMAP said in answer to the login itself. It may hold anything, so it is shown to nobody as it is. */
  said: string | undefined
  constructor(
    code: string,
    word?: string,
    failure: LoginFailure = 'unreachable',
    at?: string,
    answer?: SmtpAnswer,
  ) {
    super(code)
    this.answer = answer
    this.at = at
    this.code = code
    this.word = word
    this.failure = failure
  }
}

/** What is wrong, and where, for the sentences that operators read. */
export const whyOfMail = ({ code, word, at }: MailTrouble, server: MailServer | null): string =>
  whyOf(code, word, at ?? (server ? `${server.host}:${server.port}` : undefined))

const connectTimeoutMs = 10_000
const answerTimeoutMs = 60_000
// In bytes.
const longestAnswer = 64 * 1_024
// A server that takes longer to answer to RSET is left, and a fresh session opened.
const clearTimeoutMs = 5_000

/**
 * Opens an SMTP session and logs in, with a password or a token.
 * @throws MailTrouble smtp_unreachable, smtp_login_refused, smtp_tls, smtp_error.
 */
export async function openSmtp(named: MailServer, login?: string | Bearer): Promise<MailSession> {
  const server = await pinned(named)
  if (!server) throw new MailTrouble('smtp_unreachable')
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
    maxResponseSize: longestAnswer,
    tls: options,
    ...(typeof login === 'object' && { customAuth: tokenLogin(server, login) }),
  })
  await step(connection, 'greeting', (done) => connection.connect(done))
  const how = credentialsOf(server, login)
  // Without its login, the letters of the account would be refused for good. A server of a customer's that asks for no login says
  // nothing about the password.
  if ((typeof login === 'object' || named.public) && !connection.allowsAuth) {
    connection.close()
    throw new MailTrouble('smtp_login_refused', undefined, 'refused')
  }
  if (how && connection.allowsAuth)
    await step(connection, 'login', (done) => connection.login(how, done))
  // From here on, errors reach the callback of send; without a listener, a late one would end the process.
  connection.on('error', () => {})
  return {
    send: (mail) => transmit(connection, mail),
    takesWide: offers(connection, 'SMTPUTF8'),
    clear: () => clear(connection),
    isOver: () => connection.destroyed,
    onOver: (then) => void connection.once('end', then),
    hold(holds) {
      const socket = socketOf(connection)
      if (socket) holds ? socket.ref() : socket.unref()
    },
    close: () => connection.quit(),
  }
}

const socketOf = (connection: SMTPConnection) =>
  (connection as unknown as { _socket: Socket | false })._socket

/** An access token, and the user it is for. */
export type Bearer = { user: string; accessToken: string }

/** By a password, if the server has users, or by a token. */
function credentialsOf({ user }: MailServer, login: string | Bearer | undefined) {
  if (typeof login === 'string') return user ? { credentials: { user, pass: login } } : undefined
  if (!login) return undefined
  const credentials = { user: login.user, pass: login.accessToken }
  return { method: byToken, user: login.user, credentials } as SMTPConnection.Credentials
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

function step(
  connection: SMTPConnection,
  stage: Stage,
  run: (done: (error?: Error | null) => void) => void,
) {
  return new Promise<void>((resolve, reject) => {
    const fail = (error: Error) => {
      connection.close()
      const answer = answerIn(error, stage)
      reject(new MailTrouble(troubleOf(error), wordOf(error), failureOf(error), undefined, answer))
    }
    connection.once('error', fail)
    run((error) => {
      if (error) return fail(error)
      connection.removeListener('error', fail)
      resolve()
    })
  })
}

function answerIn(error: Error, stage: Stage): SmtpAnswer | undefined {
  const { responseCode: code, response } = error as { responseCode?: number; response?: string }
  if (code === undefined || !response) return undefined
  return { stage, code, enhanced: statusIn(response), words: response }
}

function troubleOf(error: Error): string {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  // A 4xx says nothing of the password or token: there are too many sessions or logins, or the server is busy (RFC 4954, 6).
  const isPassing = responseCode !== undefined && responseCode >= 400 && responseCode < 500
  if (code === 'EAUTH' && !isPassing) return 'smtp_login_refused'
  if (code === 'ETLS' || /certificate|SSL|TLS/i.test(error.message)) return 'smtp_tls'
  return responseCode ? `smtp_error_${responseCode}` : 'smtp_unreachable'
}

function failureOf(error: Error): LoginFailure {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  if (code === 'EAUTH' && (responseCode ?? 500) >= 500) return 'refused'
  return responseCode === undefined ? 'unreachable' : 'passing'
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

const wide = /[^\0-\x7f]/

async function transmit(connection: SMTPConnection, mail: Mail): Promise<Handover> {
  const { from, to } = mail.envelope
  const takesWide = offers(connection, 'SMTPUTF8')
  // Such an address has no other form (RFC 6531, 3.2), so the server is not even asked.
  if (!takesWide && (wide.test(from) || wide.test(to.mailbox)))
    return { kind: 'refused', code: 553, status: '5.6.7' }
  const others = mail.envelope.others.filter(({ mailbox }) => takesWide || !wide.test(mailbox))
  const refused = mail.envelope.others
    .filter((one) => !others.includes(one))
    .map(({ given: address }) => ({ address, code: '5.6.7' }))
  const socket = socketOf(connection)
  if (socket) socket.setTimeout(answerTimeoutMs)
  const envelope = { ...mail.envelope, others }
  const handover = await transact(connection, { ...mail, envelope }, refused)
  const isWithServer = handover.kind === 'accepted' || handover.kind === 'unknown'
  return isWithServer && refused.length > 0 ? { ...handover, refused } : handover
}

/** Adds to `refused` those of the others whom the server does not take. */
function transact(connection: SMTPConnection, mail: Mail, refused: Refused[]) {
  return new Promise<Handover>((resolve) => {
    const { from, to, others } = mail.envelope
    // The body is read for the first time when the server has said 354: only then has DATA begun.
    let begun = false
    async function* read() {
      begun = true
      const socket = socketOf(connection)
      // Servers look through a letter before they answer to its end, and of a large one megabytes may still be on their way then.
      // Whoever hangs up earlier does not know what became of a letter that was taken. A line on which something moves is never cut.
      if (socket) socket.setTimeout(takingMs)
      yield* mail.open()
    }
    const body = Readable.from(read(), { objectMode: false })
    const utf8 = [from, to.mailbox, ...others.map(({ mailbox }) => mailbox)].some((one) =>
      wide.test(one),
    )
    const { size } = mail
    const forget =
      others.length > 0 ? nameFirst(connection, mail.envelope, { size, utf8, refused }) : () => {}
    const envelope = { from, to: [to.mailbox], size, use8BitMime: utf8 }
    connection.send(envelope, body, (error, info) => {
      forget()
      if (!error) return resolve(accepted(info?.response))
      const { code: word, response } = error as { code?: string; response?: string }
      const code = (error as { responseCode?: number }).responseCode
      const found = statusIn(response)
      const status = found === undefined ? {} : { status: found }
      const stage = begun ? 'dot' : stageOf((error as { command?: string }).command)
      const said = { ...status, ...(response && { answer: { stage, words: response } }) }
      if (word === 'ESTREAM') {
        // The letter could not be read to its end. Without the final dot, the server must forget what it was given (RFC 5321,
        // 4.1.1.4).
        connection.close()
        resolve({ kind: 'deferred', code: null })
      } else if (code !== undefined && code >= 500) resolve({ kind: 'refused', code, ...said })
      else if (code !== undefined && code >= 400) resolve({ kind: 'deferred', code, ...said })
      else if (word === 'EMESSAGE' && !begun) resolve({ kind: 'refused', code: 552 })
      // The server was not even asked about an address that cannot exist.
      else if (word === 'EENVELOPE' && !begun) resolve({ kind: 'refused', code: 553 })
      else resolve(begun ? { kind: 'unknown' } : { kind: 'deferred', code: null })
    })
  })
}

const stageOf = (command = ''): Stage =>
  command.startsWith('MAIL') ? 'mail' : command.startsWith('RCPT') ? 'rcpt' : 'data'

function accepted(answer = ''): Handover {
  const ids = idsInAnswer(answer)
  return ids.length > 0 ? { kind: 'accepted', ids } : { kind: 'accepted' }
}
