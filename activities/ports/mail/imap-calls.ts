import type { ImapFlow } from 'imapflow'
import { type ImapAnswer, meaningOfImap } from '../../../rules/answers/imap.ts'
import { MailTrouble, wordOf } from './smtp.ts'

// What a call to an IMAP server may come to: an answer, a refusal as a code that is safe to show, or nothing at all.

// Within this time a command has to be answered, unless as much as this has come or gone: RFC 9051 names no limit, and a server
// may say a byte now and then for ever.
const silentMs = 30_000
const leastBytes = 16 * 1_024
const lookEveryMs = 1_000

export type Call = <T>(work: Promise<T>, silentMs?: number) => Promise<T>

/**
 * Guards the calls of a client. @throws MailTrouble; without an answer in time, the session is closed.
 */
export const openCalls =
  (client: ImapFlow): Call =>
  async (work, silent = silentMs) => {
    let watch: NodeJS.Timeout | undefined
    const silence = new Promise<never>((_, reject) => {
      let moved = performance.now()
      const { sent, received } = client.stats()
      let bytes = sent + received
      watch = setInterval(() => {
        const now = performance.now()
        const { sent, received } = client.stats()
        if (sent + received - bytes >= leastBytes) {
          moved = now
          bytes = sent + received
        }
        if (now - moved < silent) return
        reject(new MailTrouble('imap_unreachable', 'ETIMEDOUT'))
        client.close()
      }, lookEveryMs)
    })
    try {
      return await Promise.race([work, silence])
    } catch (error) {
      throw error instanceof MailTrouble ? error : troubleOf(error, !client.authenticated)
    } finally {
      clearInterval(watch)
    }
  }

// Error texts of servers may hold addresses, so only codes are passed on.
function troubleOf(error: unknown, isLogin: boolean): MailTrouble {
  const { authenticationFailed, code, message, reason, ...answer } = error as Failed
  const { response, responseStatus, responseText, serverResponseCode } = answer
  const word = serverResponseCode || undefined
  // RFC 7889, 4: what it announced, and what it answers.
  if (word && /^(APPENDLIMIT|TOOBIG)$/i.test(word)) return new MailTrouble('imap_too_large')
  if (message === 'Unsupported authentication mechanism')
    return new MailTrouble('imap_login_refused', undefined, 'refused')
  // The library takes one refusal after the login for one of it, and gives its words alone.
  const words = responseText ?? response
  if (responseStatus || typeof words === 'string') {
    const verb = isLogin ? 'LOGIN' : ''
    const refused = meant({ verb, code: word, words: `${words ?? ''}`, loggedIn: !isLogin })
    if (isLogin && authenticationFailed) refused.said = `${words ?? ''}`
    return refused
  }
  // The server has said why it hangs up.
  if (reason) {
    const bye = meant({ verb: 'BYE', code: word, words: reason, loggedIn: !isLogin })
    if (bye.code !== 'imap_error') return bye
  }
  if (/certificate|SSL|TLS/i.test(`${code} ${message}`)) return new MailTrouble('imap_tls')
  return new MailTrouble('imap_unreachable', wordOf(error))
}

/** `imap_error`: it concerns what was asked for. */
function meant(answer: ImapAnswer): MailTrouble {
  const meaning = meaningOfImap(answer)
  if (meaning.concerns === 'mailbox') return new MailTrouble('imap_error')
  if (meaning.concerns === 'server')
    return new MailTrouble('imap_unreachable', undefined, 'passing')
  const { cause } = meaning
  return new MailTrouble(cause, undefined, cause === 'imap_login_refused' ? 'refused' : 'passing')
}

type Failed = {
  /** It is the login that was refused, and nothing before it. */
  authenticationFailed?: boolean
  code?: string
  message?: string
  /** What the server said when it hung up. */
  reason?: string
  response?: unknown
  responseStatus?: string
  responseText?: string
  serverResponseCode?: string | false
}
