import type { RestCause } from './causes.ts'

// What the member of an account is told when it rests: what its provider says, and what can be done.

const what: Record<RestCause, string> = {
  smtp_quota: 'has sent as much as its provider lets it send in a day',
  smtp_rate: 'sends faster than its provider lets it',
  smtp_sessions: 'has more connections to its mail server than its provider lets it',
  smtp_sender_refused: 'may not send under its address: its mail server refuses it as the sender',
  smtp_disabled: 'may not send: its provider has stopped what it sends',
  smtp_unpaid: 'may not send until it is paid for, says its provider',
  smtp_login_refused: 'cannot log in to its mail server to send',
  smtp_refusing:
    'gets the same refusal for one recipient after another, so the refusal is probably about the account',
  imap_login_refused: 'cannot be read: its mail server refuses the login',
  imap_throttled: 'is read less often, because its provider slows it down',
  imap_too_many_sessions: 'has more connections to its mailbox than its provider lets it',
  imap_bandwidth: 'has read as much of its mailbox as its provider lets it for now',
  imap_unavailable: 'cannot be read: its mail server is not available',
}

const toDo: Record<RestCause, string> = {
  smtp_quota:
    'Nothing has to be done; a lower daily limit of the account keeps it below the quota.',
  smtp_rate: 'Nothing has to be done; a longer gap between its letters keeps it below the limit.',
  smtp_sessions: 'Nothing has to be done, unless other programs use the account at the same time.',
  smtp_sender_refused:
    'Give its login the right to send as this address at the provider, or correct the address; then have the account checked (POST /senders/health/check).',
  smtp_disabled:
    'Ask the provider to allow sending again, and then have the account checked (POST /senders/health/check).',
  smtp_unpaid:
    'Pay for the account at its provider, and then have it checked (POST /senders/health/check).',
  smtp_login_refused:
    'Give Postroom the present password of the account, or have its owner consent again.',
  smtp_refusing: 'Ask the provider what the refusal means, if it goes on.',
  imap_login_refused:
    'Give Postroom the present password of the account, or have its owner consent again.',
  imap_throttled: 'Nothing has to be done.',
  imap_too_many_sessions:
    'Nothing has to be done, unless other programs read the mailbox at the same time.',
  imap_bandwidth:
    'Nothing has to be done, unless other programs read the mailbox at the same time.',
  imap_unavailable: 'Nothing has to be done, unless it lasts.',
}

const mostWords = 300

/** The words of a server on one line, without what does not print, and not too many of them. */
export const wordsToTell = (words: string, most = mostWords): string => {
  const line = words.replace(/[\p{C}\s]+/gu, ' ').trim()
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}

/** `until` is null where only a person can end the rest. */
export function restTold(
  account: string,
  cause: RestCause,
  words: string,
  until: Date | null,
): string {
  const isOfSending = cause.startsWith('smtp')
  const waits = isOfSending ? 'What is to be sent waits' : 'Its mail is read later'
  const said = wordsToTell(words)
  return [
    `${account} ${what[cause]}.`,
    ...(said ? [`Its server says: “${said}”`] : []),
    until === null
      ? `${isOfSending ? 'What is to be sent through it waits' : 'Its mail is not read'} until somebody acts.`
      : `${waits} until ${until.toISOString()}.`,
    toDo[cause],
  ].join(' ')
}

const otherTroubles: Record<string, { what: string; toDo: string }> = {
  imap_incomplete: {
    what: 'cannot be read: its mail server counts messages that it does not show',
    toDo: 'Postroom looks again by itself; if it lasts, look into the mailbox for a message that is missing here.',
  },
  imap_folder: {
    what: 'cannot be read in all its folders: its mail server does not open one of them',
    toDo: 'Letters that may have been answered wait. Look at the folder in a mail program, or have the operator leave it out (imap.folders).',
  },
  imap_no_folders: {
    what: 'cannot be read: its mail server shows no folders',
    toDo: 'Postroom keeps trying; if it lasts, ask the provider.',
  },
  imap_tls: {
    what: 'cannot be read: its mail server offers no connection that is safe',
    toDo: 'The operator has to look at the certificate and the settings of the server.',
  },
}

/** `code` is that of the trouble; `name` is what the member calls the account. */
export function problemTold(name: string, part: 'sending' | 'reading', code: string): string {
  const isCause = (one: string): one is RestCause => one in what
  if (isCause(code)) return `${name} ${what[code]} (${code}). ${toDo[code]}`
  const other = otherTroubles[code]
  if (other) return `${name} ${other.what} (${code}). ${other.toDo}`
  const cannot = part === 'sending' ? 'cannot be opened to send' : 'cannot be read'
  return `${name} ${cannot} (${code}). Postroom keeps trying; the operator may have to look into it.`
}
