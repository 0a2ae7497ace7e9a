import { cut, plainLine } from './text.ts'

// What a member reads about a letter that did not arrive: which one, to whom, why, and what can be done.

const longestSaid = 400
const longestSubject = 100

/** A server's own words as they are kept and shown: one line without control characters, and not too long. */
export function serverWords(answer: string | null | undefined): string | null {
  const [first = '', ...others] = (answer ?? '').slice(0, 8_000).split(/\r?\n/)
  // Each line of an answer begins with the same codes.
  const more = others.map((line) => line.replace(/^\d{3}[ -](?:[245]\.\d{1,3}\.\d{1,3}[ \t])?/, ''))
  const text = plainLine([first.replace(/^(\d{3})-/, '$1 '), ...more].join(' '))
    .replace(/\s+/g, ' ')
    .trim()
  if (text === '') return null
  return text.length > longestSaid ? `${cut(text, longestSaid).trimEnd()}…` : text
}

export type Failure = { reason: string; code?: string | null; said?: string | null | undefined }

type Letter = { id: string; subject: string; to: string; account: string }

const reasons: Record<string, string> = {
  refused: 'the mail server refused it',
  undeliverable: 'no mail server took it within four days',
  bounced: 'it came back',
  suppressed: 'the address must not be written to any more',
  spam: 'its conversation was closed as spam',
  connection_removed: 'its account was removed',
}

/** Why it failed, with the server's code and own words. */
export function whyFailed({ reason, code, said }: Failure): string {
  const why = reasons[reason] ?? `it failed (${reason})`
  return `${why}${code ? ` (${code})` : ''}${said ? `: “${said}”` : ''}`
}

/** What a person can do about a failure, by the server's code. */
export function whatHelps({ reason, code }: Failure): string {
  if (reason === 'suppressed' || reason === 'spam') return ''
  if (reason === 'connection_removed') return 'Write it anew from another account.'
  const status = code ?? ''
  if (/^[45]\.1\./.test(status)) return 'Check the address.'
  if (/^[45]\.2\.[12]$/.test(status))
    return 'The mailbox takes no mail at present: try again later.'
  if (/^[45]\.(?:2\.3|3\.4)$|^552$/.test(status)) return 'Leave out large files.'
  if (/^[45]\.7\./.test(status))
    return 'The server does not accept its words, its files or its sender: change them, or ask its operator.'
  return 'Ask the recipient in another way, or try again later.'
}

/** The notification about a message that did not arrive. */
export function failureWords({ id, subject, to, account }: Letter, failure: Failure): string {
  const named = plainLine(cut(subject, longestSubject)).trim()
  const name = named === '' ? 'The message' : `The message “${named}”`
  const help = whatHelps(failure)
  const again = help && ` Then send it anew: POST /messages/${id}/again.`
  const what = failure.reason === 'bounced' ? 'did not arrive' : 'was not sent'
  return `${name} to ${to} from ${account} ${what}: ${whyFailed(failure)}.${help && ` ${help}`}${again}`
}

/** The same about a mail to a guest of a meeting. */
export function guestWords(
  { title, address, method }: { title: string; address: string; method: keyof typeof guestMails },
  failure: Failure,
): string {
  const mail = guestMails[method]
  const named = plainLine(cut(title, longestSubject)).trim()
  const what = failure.reason === 'bounced' ? 'did not arrive' : 'was not sent'
  const help = whatHelps(failure)
  return `${mail} “${named}” for ${address} ${what}: ${whyFailed(failure)}.${help && ` ${help}`}`
}

const guestMails = {
  request: 'The invitation to',
  update: 'The news of the new time of',
  cancel: 'The news that there is no longer',
  decline: 'The answer to the other time proposed for',
}

type Reason = { reason: string | null; code: string | null; said: string | null; letters: number }

/** Why letters of a campaign did not arrive, the most frequent reasons first. */
export function whyReturned(letters: number, reasons: Reason[]): string {
  const told = reasons.map(
    ({ reason, letters: n, ...rest }) => `${n} ${inPlural(reason ?? '')}${detail(rest)}`,
  )
  const rest = letters - reasons.reduce((sum, one) => sum + one.letters, 0)
  const more = rest > 0 ? [`${rest} for other reasons`] : []
  const [first, help] = [reasons[0], reasons[0] && whatHelps({ ...reasons[0], reason: '' })]
  const what = `${letters === 1 ? 'One letter' : `${letters} letters`} did not arrive`
  const again = first
    ? ` ${help} A letter is sent anew by POST /campaigns/{id}/touches/{touch}/again.`
    : ''
  return `${what}: ${[...told, ...more].join('; ')}.${again}`
}

const plurals: Record<string, string> = {
  refused: 'refused by a mail server',
  undeliverable: 'taken by no mail server within four days',
  bounced: 'came back',
}
const inPlural = (reason: string) => plurals[reason] ?? `failed (${reason})`

const detail = ({ code, said }: Pick<Reason, 'code' | 'said'>) =>
  `${code ? ` (${code})` : ''}${said ? `, such as “${said}”` : ''}`
