import { domainOf } from './addresses.ts'

// Rules for everything that is sent: messages, campaign letters and invitations.

/** How long a mail server may take to answer to the end of a letter (RFC 5321, 4.5.3.2.6); most need a moment. */
export const takingMs = 600_000

/** Why a letter ends whose account is no connection any more. */
export const connectionRemoved = 'connection_removed'

/** A recipient other than `to` that does not get a letter; the code is a server's, or a word of ours (`suppressed`). */
export type Refused = { address: string; code: string }

/** What stands in the header of a letter and in no other column of its row. The claim decides it again for each hand-over. */
export type LetterHead = {
  /** ISO 8601. */
  date: string
  /** The names of its sender and its recipient. */
  from: string
  to: string
  /** Without those that only a server with SMTPUTF8 can be told. Who is suppressed is still in it. */
  cc: string[]
  inReplyTo: string | null
  references: string[]
  unsubscribeUrl?: string
}

const days = 24 * 60 * 60 * 1000
const givesUpAfterMs = 4 * days

/**
 * When a letter that the server put off (4xx) is tried next: after 15 s, doubling up to 15 min. Null four days after its first
 * claim, because RFC 5321 §4.5.4.1 advises giving up after four or five days; the time in the queue before that says nothing
 * about the server. The claim has already counted this try in the row.
 */
export function nextTry(
  { tries, firstClaimedAt }: { tries: number; firstClaimedAt: Date | null },
  now: Date,
): Date | null {
  if (firstClaimedAt && now.getTime() - firstClaimedAt.getTime() > givesUpAfterMs) return null
  return new Date(now.getTime() + Math.min(15_000 * 2 ** (tries - 1), 15 * 60_000))
}

/** The Message-ID of a letter from an account: the same for every try, so that the letter can be found in a Sent folder. */
export const messageIdOf = (id: string, account: string): string =>
  `<${id}@${domainOf(account).toLowerCase()}>`

const mostReferences = 50

/**
 * The References of an answer: those of the message that it answers, and its id (RFC 5322, 3.6.4). Of many, the first one stays,
 * which began the thread, and the nearest ones.
 */
export function referencesTo(parent: string, references: string[]): string[] {
  const all = [...references.filter((id) => id !== parent), parent]
  return all.length > mostReferences ? [...all.slice(0, 1), ...all.slice(1 - mostReferences)] : all
}
