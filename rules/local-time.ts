import { DateTime } from 'luxon'

// Days and times as the wall clocks of a zone show them. Pure: the current time plays no part.

/**
 * The instant of a day (YYYY-MM-DD) and a time (HH:MM) in a zone; undefined if the clocks skip that time. If a time occurs
 * twice, the first one.
 */
export function instantOf(zone: string, day: string, time: string): Date | undefined {
  const given = `${day}T${time}`
  const at = DateTime.fromISO(given, { zone })
  if (!at.isValid || at.toFormat("yyyy-MM-dd'T'HH:mm") !== given) return undefined
  return at
    .getPossibleOffsets()
    .map((possible) => possible.toJSDate())
    .sort((a, b) => a.getTime() - b.getTime())[0]
}

/** The first instant of a day (YYYY-MM-DD) in a zone. */
export const dayStart = (zone: string, day: string): Date =>
  DateTime.fromISO(day, { zone }).startOf('day').toJSDate()

/** The day (YYYY-MM-DD) and time (HH:MM) that clocks of a zone show at an instant. */
export function wallClock(zone: string, at: Date): { day: string; time: string } {
  const local = DateTime.fromJSDate(at, { zone })
  return { day: local.toFormat('yyyy-MM-dd'), time: local.toFormat('HH:mm') }
}

/** Seconds by which the clocks of a zone are ahead of UTC at an instant. */
export const offsetSeconds = (zone: string, at: Date): number =>
  DateTime.fromJSDate(at, { zone }).offset * 60
