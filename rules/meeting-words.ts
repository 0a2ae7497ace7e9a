import { DateTime } from 'luxon'

// When a meeting is, in words.

const dayFormat = 'cccc, d LLLL yyyy'

/** The day and the time of a meeting as clocks of a zone show them, with the zone; of one that takes whole days, the days. */
export function whenWords(
  { startsAt, endsAt, isFullDay = false }: { startsAt: Date; endsAt: Date; isFullDay?: boolean },
  zone: string,
): string {
  const local = (at: Date) => DateTime.fromJSDate(at, { zone }).setLocale('en-GB')
  const [from, to] = [local(startsAt), local(endsAt)]
  if (isFullDay) {
    // It ends where the day after begins.
    const last = to > from ? to.minus({ milliseconds: 1 }) : to
    const days = [from, last].map((at) => at.toFormat(dayFormat))
    return [...new Set(days)].join(' – ')
  }
  const isOneDay = from.hasSame(to, 'day')
  const end = to.toFormat(isOneDay ? 'HH:mm' : `${dayFormat}, HH:mm`)
  return `${from.toFormat(`${dayFormat}, HH:mm`)}–${end} (${zone})`
}
