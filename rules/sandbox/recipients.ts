import { DateTime } from 'luxon'

// The recipients of a sandbox. The mail server that a workspace in the mode `sandbox` is connected to knows the addresses below
// `sandbox.postroom.example`: each does what its name says. docs/sandbox.md has the same list for those who use it.

export const sandboxDomain = 'sandbox.postroom.example'

/** What comes back for a letter that was taken. */
export type Back =
  | { kind: 'reply'; wish: Wish }
  | { kind: 'unsubscribe' }
  /** ISO 8601; the first day on which they are there again. */
  | { kind: 'away'; until: string }
  | { kind: 'bounce' }
  | { kind: 'complaint' }
  | { kind: 'meeting'; answer: 'ACCEPTED' | 'TENTATIVE' | 'DECLINED' }

export type Wish = 'interested' | 'question' | 'quote' | 'meeting' | 'declined'

/** What the server says when it is told of a recipient, with the codes of RFC 5321 and RFC 3463. */
export type Saying = { code: number; status: string; words: string }

/** `refuses`: it does not take the letter. `defersMs`: it puts the letter off for so long, counted from the first try. */
export type Recipient = {
  refuses?: Saying
  defersMs?: number
  slowMs?: number
  back?: Back
  /** How long after the letter that comes. */
  afterMs: number
}

const longestSlowMs = 5 * 60_000
const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const full: Saying = {
  code: 552,
  status: '5.2.2',
  words: 'The mailbox of the recipient is full: over quota',
}
const spent: Saying = {
  code: 550,
  status: '5.4.5',
  words: 'Daily user sending limit exceeded',
}
const unknown: Saying = {
  code: 550,
  status: '5.1.1',
  words: 'No such user here: the sandbox has no recipient of this name',
}
export const greylisted: Saying = {
  code: 451,
  status: '4.7.1',
  words: 'Greylisted, please try again later',
}

const named: Record<string, Omit<Recipient, 'afterMs'>> = {
  'reply-interested': { back: { kind: 'reply', wish: 'interested' } },
  'reply-question': { back: { kind: 'reply', wish: 'question' } },
  'reply-quote': { back: { kind: 'reply', wish: 'quote' } },
  'reply-meeting': { back: { kind: 'reply', wish: 'meeting' } },
  'reply-declined': { back: { kind: 'reply', wish: 'declined' } },
  unsubscribe: { back: { kind: 'unsubscribe' } },
  bounce: { back: { kind: 'bounce' } },
  complaint: { back: { kind: 'complaint' } },
  'meeting-accept': { back: { kind: 'meeting', answer: 'ACCEPTED' } },
  'meeting-tentative': { back: { kind: 'meeting', answer: 'TENTATIVE' } },
  'meeting-decline': { back: { kind: 'meeting', answer: 'DECLINED' } },
  quota: { refuses: full },
  'sender-quota': { refuses: spent },
  refused: { refuses: unknown },
  silent: {},
}

/**
 * What an address does. One elsewhere is silent: its letter is taken, and nothing leaves. One that the sandbox does not know is
 * refused, so that a misspelt name shows. What stands behind a `+` distinguishes addresses that do the same.
 */
export function recipientOf(address: string): Recipient {
  const at = address.lastIndexOf('@')
  if (address.slice(at + 1).toLowerCase() !== sandboxDomain) return { afterMs: 0 }
  const [name = ''] = address.slice(0, at).toLowerCase().split('+')
  const [, first = '', delay] = /^(.+?)(?:-after-((?:\d{1,4}[smhd])+))?$/.exec(name) ?? []
  const known = named[first] ?? byValue(first)
  return { ...(known ?? { refuses: unknown }), afterMs: delay ? delayOf(delay) : 0 }
}

function byValue(name: string): Omit<Recipient, 'afterMs'> | undefined {
  const [, defer] = /^defer-((?:\d{1,4}[smhd])+)$/.exec(name) ?? []
  if (defer) return { defersMs: delayOf(defer) }
  const [, slow] = /^slow-((?:\d{1,4}[smhd])+)$/.exec(name) ?? []
  if (slow) return { slowMs: Math.min(delayOf(slow), longestSlowMs) }
  const [, until] = /^ooo-until-(\d{4}-\d{2}-\d{2})$/.exec(name) ?? []
  return until && DateTime.fromISO(until, { zone: 'utc' }).isValid
    ? { back: { kind: 'away', until } }
    : undefined
}

/** Such as 4h, 70s or 1h30m. */
const delayOf = (text: string): number =>
  [...text.matchAll(/(\d+)([smhd])/g)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (unitMs[unit] ?? 0),
    0,
  )
