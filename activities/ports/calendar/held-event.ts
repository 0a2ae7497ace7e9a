import { foldLines } from 'ical-generator'
import { readEmail } from '../../../rules/addresses.ts'
import { unfolded } from '../../../rules/calendar/zones.ts'
import { mergedInvitation, withoutOccurrence } from './merged-event.ts'

// The event of an invitation as the calendar of the one who answered it keeps it.

/**
 * `current` is what the calendar's server has, null if nothing; `data` the event as it came, `address` whom it invites. `isHeld` is
 * false of an occurrence that the calendar is to leave out. `zone` is for times whose own is unknown.
 */
export type HeldEvent = {
  current: string | null
  data: string
  address: string
  answer: string
  isHeld: boolean
  zone: string
}

/** What the server is to have; null if nothing. */
export function heldEvent({ current, isHeld, zone, ...event }: HeldEvent): string | null {
  if (!isHeld)
    return current === null
      ? null
      : (withoutOccurrence({ current, next: event.data, zone }) ?? null)
  const next = withAnswer(event)
  return current === null ? next : mergedInvitation({ current, next, zone })
}

/**
 * Without METHOD (RFC 4791, 4.1), with the answer; the answer has gone by mail, so the server is told to write to nobody
 * (RFC 6638, 7.1).
 */
function withAnswer({
  data,
  address,
  answer,
}: Pick<HeldEvent, 'data' | 'address' | 'answer'>): string {
  const lines = unfolded(data).flatMap((line) => {
    if (/^METHOD:/i.test(line)) return []
    if (!/^(ATTENDEE|ORGANIZER)[;:]/i.test(line)) return [line]
    const silent = line
      .replace(/;SCHEDULE-AGENT=[^;:]*/gi, '')
      .replace(/^\w+/, '$&;SCHEDULE-AGENT=CLIENT')
    const value = /^ATTENDEE/i.test(line) ? /:(mailto:.*)$/i.exec(line)?.[1] : undefined
    if (value === undefined || readEmail(value)?.value !== address) return [silent]
    return [
      silent
        .replace(/;(PARTSTAT|RSVP)=[^;:]*/gi, '')
        .replace(/^\w+/, `$&;PARTSTAT=${answer.toUpperCase()}`),
    ]
  })
  return foldLines(lines.join('\r\n'))
}
