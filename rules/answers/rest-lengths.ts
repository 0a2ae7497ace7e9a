import { nextDayIn } from '../hours.ts'
import { hasOne, listed, oneLine } from '../mail/phrases.ts'
import { endsBySomebody, type RestCause } from './causes.ts'
import { statedWait } from './stated-times.ts'

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
