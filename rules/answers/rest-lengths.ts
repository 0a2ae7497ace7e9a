import { nextDayIn } from '../hours.ts'
import { hasOne, listed, oneLine } from '../mail/phrases.ts'
import { endsBySomebody, type RestCause } from './causes.ts'

// How long an account rests, by its cause and how often in a row it has been refused for it.

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** `tries` is 1 for the first. `zone` is the workspace's. */
export type Resting = { cause: RestCause; tries: number; words: string; zone: string; now: Date }

/**
 * Until when it rests, and when one letter tries: they differ where only a person can end the rest (`until` is null), and once a
 * day is tried whether one has.
 */
export function restOf(resting: Resting): { until: Date | null; probeAt: Date } {
  const { cause, now } = resting
  const at = new Date(now.getTime() + lengthOf(resting))
  return { until: endsBySomebody(cause) ? null : at, probeAt: at }
}

function lengthOf({ cause, tries, words, zone, now }: Resting): number {
  const said = oneLine(words)
  if (endsBySomebody(cause)) return day
  // What a server says is kept, unless it is out of all proportion or leads to nothing.
  const stated = statedWait(said)
  if (stated !== undefined && tries < 5) return bounded(stated, minute, 7 * day)
  if (cause === 'smtp_quota') return quotaOf(said, tries, zone, now)
  if (cause === 'smtp_refusing') return doubled(hour, tries, day)
  if (cause === 'smtp_rate') return doubled(firstRateOf(said), tries, 4 * hour)
  return doubled(minute, tries, 15 * minute)
}

/**
 * A provider does not say when its day begins. Many count by the sender's own zone or over the last 24 hours, so the first try
 * is at midnight there, or after 24 hours where the words name them; from then on hourly tries meet any other day.
 */
function quotaOf(said: string, tries: number, zone: string, now: Date): number {
  if (tries > 1) return doubled(hour, tries - 1, 4 * hour)
  if (hasOne(said, ofLastDay)) return day
  return Math.max(hour, nextDayIn(zone, now).getTime() - now.getTime())
}
const ofLastDay = listed(
  '24 hour | 24-hour | 24h | 24 std | 24 stunden | 24 heures | 24 horas | 24 ore',
)

function firstRateOf(said: string): number {
  if (hasOne(said, listed('per hour | hourly | an hour | stund | heure | hora | /hour')))
    return 20 * minute
  if (hasOne(said, listed('second | sekunde | sending rate'))) return minute
  return 5 * minute
}

const doubled = (first: number, tries: number, most: number) =>
  Math.min(first * 2 ** Math.min(tries - 1, 20), most)
const bounded = (value: number, least: number, most: number) =>
  Math.min(Math.max(value, least), most)

/** The words for units of time, in seconds. */
const units: [unit: RegExp, seconds: number][] = [
  [/^(?:s|sec|secs|seconds?|sek|sekunden?|secondes?|segundos?|secondi|secondo)$/, 1],
  [/^(?:m|min|mins|minutes?|minuten?|minutos?|minuti|minuto|minut|minuut)$/, 60],
  [/^(?:h|hr|hrs|hours?|std|stunden?|heures?|horas?|ore|ora|uur)$/, 60 * 60],
  [/^(?:d|days?|tage?n?|jours?|días?|dias?|giorni|dagen)$/, 24 * 60 * 60],
]
const secondsOf = (unit: string) => units.find(([name]) => name.test(unit))?.[1]

// How long a server says to wait, if it says so: "try again in 15 minutes", "retry after 3600 seconds".

// Before the time, or somewhere else in the sentence.
const waits =
  listed(`again | retry | wait | later | blocked for | suspended for | locked for | reset | lifted | erneut | warten
  wieder | gesperrt | versuchen | réessay | attend | intente | inténtelo | espere | riprov | tente | opnieuw`)
const asks =
  /\b(?:in|after|for|wait|nach|für|dans|après|attendez|en|dentro de|tra|fra|over|em) (?:about |at least |etwa |mindestens |environ )?(\d{1,6}(?:\.\d)?) ?([a-zí]{1,10})\b/g

/** Milliseconds; undefined if it says nothing. `words` are folded. */
export function statedWait(words: string): number | undefined {
  if (!hasOne(words, waits)) return undefined
  for (const [, number = '', unit = ''] of words.matchAll(asks)) {
    const seconds = secondsOf(unit)
    if (seconds !== undefined && Number(number) > 0) return Number(number) * seconds * 1_000
  }
  return undefined
}

// How many letters a server says that it takes in a second, a minute or an hour: "30 messages per minute", "500/hour".

const rates =
  /(?<![\d.])(\d{1,5}) ?(?:[a-zé-]{1,20} ){0,2}(?:per|an?|each|every|in|pro|je|par|por|\/) ?(\d{0,3}) ?([a-z]{1,9})\b/g

/** The seconds between two letters that keep to it, at most a minute; 0 if the server says no such rate. */
export function statedGapSeconds(words: string): number {
  for (const [, number = '', times = '', unit = ''] of oneLine(words).matchAll(rates)) {
    const seconds = secondsOf(unit)
    if (seconds === undefined || seconds > 60 * 60 || Number(number) === 0) continue
    return Math.min(60, Math.ceil((seconds * (Number(times) || 1)) / Number(number)))
  }
  return 0
}
