import { type Cell, textOf } from './cells.ts'
import { plainHeading, spacedOut } from './plain-heading.ts'
import {
  allowedWords,
  asksConsent,
  emptyWords,
  noWords,
  saysBounced,
  saysComplained,
  saysUnsubscribed,
  statusHeadings,
  watchedHeadings,
} from './stop-words.ts'

// The columns of a file that say who must not be written to. In doubt nobody is: a person who is left out can be written to by
// hand, and one who is written to after a "no" cannot be unwritten to.

/** What such a column holds. */
export const stopFields = [
  'unsubscribed',
  'bounced',
  'complained',
  'consent',
  'mailStatus',
] as const
export type StopField = (typeof stopFields)[number]
/** The reason of the suppression that follows. */
export type StopReason = 'unsubscribe' | 'bounce' | 'complaint'

/** Whoever complains wants no letters, and a bounce is about one address alone. */
const byStrength: StopReason[] = ['bounce', 'unsubscribe', 'complaint']
export const strongest = (one: StopReason, other: StopReason | undefined): StopReason =>
  other !== undefined && byStrength.indexOf(other) >= byStrength.indexOf(one) ? other : one

export const isStopField = (field: string): field is StopField =>
  (stopFields as readonly string[]).includes(field)

// Every row has a link or a rate of its own, and a soft bounce passes.
const saysNothing = /\b(?:links?|urls?|token|page|hash|rate|soft)\b/
const otherWays = /\b(?:sms|fax|calls?|phone|telephone|telefon|text|texts|whatsapp|post|postal)\b/
const ofMail = /\b(?:e ?mails?|mails?|newsletters?)\b/
// When and from where somebody subscribed is no answer to whether they still want to.
const circumstances =
  /\b(?:time|date|ip|source|timestamp|datum|quelle|at|am|count|language|type|notes?|text|lists?)\b/

/** What a heading says about whether its people may be written to; undefined if nothing. */
export function stopOfHeading(heading: string): StopField | undefined {
  for (const form of [plainHeading(heading), plainHeading(spacedOut(heading))]) {
    if (saysNothing.test(form) || (otherWays.test(form) && !ofMail.test(form))) continue
    if (saysComplained.test(form)) return 'complained'
    if (saysBounced.test(form)) return 'bounced'
    if (saysUnsubscribed.test(form)) return 'unsubscribed'
    if (statusHeadings.has(form.replace(ofPerson, '')) || isStatusOfMail(form)) return 'mailStatus'
    if (asksConsent.test(form) && !circumstances.test(form)) return 'consent'
  }
  return undefined
}

const isStatusOfMail = (form: string) =>
  form.endsWith('status') && /mail|newsletter|subscri|consent|opt in|abo\b/.test(form)
const ofPerson = /^(?:person|contact|lead) /

/**
 * The same of a heading, also where its column is about much else too, such as "Lead status" and "Tags": that stays what it is, and
 * those of its words that say so are found.
 */
export function stopWithin(heading: string): StopField | undefined {
  const form = plainHeading(heading)
  const isWatched = watchedHeadings.has(form) || watchedHeadings.has(form.replace(ofPerson, ''))
  return stopOfHeading(heading) ?? (isWatched ? 'mailStatus' : undefined)
}

/** Why a person must not be written to, by the cell of such a column; undefined if the cell does not say so. */
export function readStop(field: StopField, cell: Cell): StopReason | undefined {
  const text = textOf(cell).trim()
  if (text === '' || text.length > longestAnswer) return undefined
  const plain = plainHeading(text)
  const said = reasonIn(plain)
  if (field === 'mailStatus')
    return said ?? (dead.has(plain) ? 'bounce' : refuses(plain) ? 'unsubscribe' : undefined)
  if (field === 'consent')
    return said ?? (noWords.has(plain) || crosses.test(text) ? 'unsubscribe' : undefined)
  if (said !== undefined) return said
  if (crosses.test(text) || emptyBoxes.test(text) || negatesReason(plain)) return undefined
  if (plain === '' && !ticks.test(text)) return undefined
  if (noWords.has(plain) || emptyWords.has(plain) || allowedWords.has(plain)) return undefined
  if (field === 'bounced') return passes.test(plain) ? undefined : 'bounce'
  return field === 'complained' ? 'complaint' : 'unsubscribe'
}

/** Whether the cells of a column answer what its heading asks; words about something else make it an ordinary column. */
export const answersStop = (field: StopField, cells: string[]): boolean =>
  (field !== 'consent' && field !== 'mailStatus') ||
  cells.some((cell) => readStop(field, cell) !== undefined || plainAnswers.has(plainHeading(cell)))

const longestAnswer = 300
const plainAnswers = new Set([
  ...[
    'yes',
    'true',
    'y',
    'ja',
    'oui',
    'si',
    'sim',
    'tak',
    'ano',
    'evet',
    'да',
    'так',
    'wahr',
    'vrai',
    'vero',
  ],
  ...['verdadero', 'subscribed', 'unsubscribed', 'opted in', 'granted', 'erteilt', 'angemeldet'],
])
const ticks = /^[✓✔☑✅]/u
const crosses = /^[✗✘❌✕]/u
const emptyBoxes = /^☐/u
const passes = /\b(?:soft|temporary|transient)\b/
const negated = /^(?:not|never|nicht|nie|pas|non|no|nao|niet|не) (?=.)/
const negatesReason = (plain: string) =>
  negated.test(plain) && reasonIn(plain.replace(negated, '')) !== undefined

/** The reason that the words of a cell give, whatever column they stand in. */
function reasonIn(plain: string): StopReason | undefined {
  if (negatesReason(plain)) return undefined
  if (saysComplained.test(plain) || plain === 'spam' || plain === 'complaint') return 'complaint'
  if (saysBounced.test(plain)) return passes.test(plain) ? undefined : 'bounce'
  return saysUnsubscribed.test(plain) ? 'unsubscribe' : undefined
}

// "Archived" is Pipedrive's word for a person to whom it mails nothing.
const refusing = new Set(['archived', 'archiviert', 'spamtrap', 'abuse'])
// What services that check addresses call those that take no mail.
const dead = new Set([
  'invalid',
  'ungultig',
  'invalide',
  'invalido',
  'not valid',
  'dead',
  'nonexistent',
])
const refusesSubscription =
  /^(?:not|non|never|no|un|nicht|kein|keine) ?(?:subscribed|consent|opted in|angemeldet|abonniert|einwilligung)$/
const refuses = (plain: string) => refusing.has(plain) || refusesSubscription.test(plain)
