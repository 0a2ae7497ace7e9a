import { type Cell, textOf } from './cells.ts'
import { spacedOut } from './plain-heading.ts'
import {
  allowedWords,
  asksConsent,
  consentHeadings,
  emptyWords,
  noWords,
  plainNo,
  saysBounced,
  saysComplained,
  saysUnsubscribed,
  saysWithdrawn,
  seemsUnsubscribed,
  statusHeadings,
  stopForm,
  unsubscribedCells,
  unsubscribedHeadings,
  watchedHeadings,
  wholeUnsubscribed,
  yesWords,
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

// Every row has a link, an id or a rate of its own, and a soft bounce passes.
const saysNothing = /\b(?:links?|urls?|token|page|hash|rate|soft|ids?|uuid|guid|code|key)\b/
const otherWays =
  /optedout(?:of)?(?:fax|sms|mobile|calls?)|\b(?:sms|mms|fax|calls?|phone|telephone|telefon|mobile|text|texts|whatsapp|post|postal|push|cookies?|photos?|fotos?|recordings?)\b/
const ofMail = /\b(?:emails?|mails?|newsletters?)\b/
// When and from where somebody subscribed is no answer to whether they still want to.
const circumstances =
  /\b(?:time|date|ip|source|timestamp|datum|quelle|at|am|count|language|type|notes?|text|lists?)\b/

/** What a heading says about whether its people may be written to; undefined if nothing. */
export function stopOfHeading(heading: string): StopField | undefined {
  for (const form of [stopForm(heading), stopForm(spacedOut(heading))]) {
    if (saysNothing.test(form) || (otherWays.test(form) && !ofMail.test(form))) continue
    if (saysComplained.test(form)) return 'complained'
    if (saysBounced.test(form) || form === 'cleaned') return 'bounced'
    if (saysUnsubscribed.test(form.replace(seemsUnsubscribed, ''))) return 'unsubscribed'
    if (wholeUnsubscribed.has(form) || unsubscribedHeadings.has(form)) return 'unsubscribed'
    if (isOfStatus(statusHeadings, form) || isStatusOfMail(form)) return 'mailStatus'
    if (circumstances.test(form)) continue
    if (asksConsent.test(form) || consentHeadings.has(form)) return 'consent'
  }
  return undefined
}

/** "Person - Marketing status" and "Email status - other" are those of mail too. */
const isOfStatus = (headings: ReadonlySet<string>, form: string) =>
  headings.has(form) || headings.has(form.replace(ofPerson, '').replace(/ (?:other|work|\d+)$/, ''))
const isStatusOfMail = (form: string) =>
  /^(?:statut|stato|estado) | (?:status|state)$/.test(form) &&
  /mail|newsletter|subscri|suscri|iscri|abonn|consent|opt in|abo\b/.test(form)
const ofPerson = /^(?:person|contact|lead) /

/** What a column is read for: one of its own, or the words of another, such as "Lead status" and "Tags". */
export type Asked = StopField | 'words'

/**
 * The same of a heading, also where its column is about much else too: that stays what it is, and those of its words that say so
 * are found.
 */
export function stopWithin(heading: string): Asked | undefined {
  return stopOfHeading(heading) ?? (isWatched(stopForm(heading)) ? 'words' : undefined)
}

const isWatched = (form: string) => isOfStatus(watchedHeadings, form) || form.endsWith(' reason')

/** Why a person must not be written to, by the cell of such a column; undefined if the cell does not say so. */
export function readStop(asked: Asked, cell: Cell): StopReason | undefined {
  const text = textOf(cell).trim()
  if (text === '' || text.length > longestAnswer) return undefined
  const plain = stopForm(text)
  const said = reasonIn(plain)
  if (asked === 'words' || asked === 'mailStatus' || asked === 'consent') {
    const isNo =
      asked === 'consent' ? noWords.has(plain) : asked === 'mailStatus' && plainNo.has(plain)
    const isDenied = asked !== 'words' && (isNo || crosses.test(text) || deniesMore.test(text))
    const isWithdrawn = asked === 'consent' && saysWithdrawn.test(plain)
    const isDead = asked !== 'consent' && dead.has(plain)
    if (said !== undefined || isDead) return said ?? 'bounce'
    return isDenied || isWithdrawn || refuses(plain) ? 'unsubscribe' : undefined
  }
  if (said !== undefined) return said
  if (crosses.test(text) || emptyBoxes.test(text) || negatesReason(plain)) return undefined
  if (deniesMore.test(text) || (plain === '' && !ticks.test(text))) return undefined
  if (noWords.has(plain) || emptyWords.has(plain) || allowedWords.has(plain)) return undefined
  if (asked === 'bounced') return passes.test(plain) ? undefined : 'bounce'
  return asked === 'complained' ? 'complaint' : 'unsubscribe'
}

/** Whether the cells of a column answer what its heading asks; words about something else make it an ordinary column. */
export const answersStop = (field: StopField, cells: string[]): boolean =>
  (field !== 'consent' && field !== 'mailStatus') ||
  cells.some((cell) => readStop(field, cell) !== undefined || yesWords.has(stopForm(cell)))

const longestAnswer = 300
const ticks = /^[✓✔☑✅○◯●〇]/u
const crosses = /^[✗✘❌✕✖×]/u
const emptyBoxes = /^☐/u
/** A no with words behind it, as in "Nein, danke" and "No (2026-01-01)". */
const deniesMore = /^(?:no|nein|non|nee|não|nao|nej|nei|nie|нет|hayır)\s?[,;:.!(–—-](?!\p{L})/iu
const passes = /\b(?:soft|temporary|transient)\b/
const negated = /^(?:not|never|nicht|nie|pas|non|no|nao|niet|не) (?=.)/
const negatesReason = (plain: string) =>
  negated.test(plain) && reasonIn(plain.replace(negated, '')) !== undefined

/** The reason that the words of a cell give, whatever column they stand in. */
function reasonIn(plain: string): StopReason | undefined {
  if (negatesReason(plain)) return undefined
  const words = plain.replace(seemsUnsubscribed, '')
  if (saysComplained.test(words) || complaints.has(plain)) return 'complaint'
  if (saysBounced.test(words) || plain === 'cleaned')
    return passes.test(plain) ? undefined : 'bounce'
  const isWhole = wholeUnsubscribed.has(plain) || unsubscribedCells.has(plain)
  return isWhole || saysUnsubscribed.test(words) ? 'unsubscribe' : undefined
}

const complaints = new Set(['spam', 'complaint', 'junk'])
// "Archived" is Pipedrive's word for a person to whom it mails nothing.
const refusing = new Set([
  ...[
    'archived',
    'archiviert',
    'spamtrap',
    'abuse',
    'deleted',
    'removed',
    'geloscht',
    'entfernt',
    'eliminado',
  ],
])
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
  /^(?:not|non|never|no|un|nicht|kein|keine) ?(?:subscribed|consent|consented|opted in|angemeldet|abonniert|einwilligung)$/
const refuses = (plain: string) => refusing.has(plain) || refusesSubscription.test(plain)
