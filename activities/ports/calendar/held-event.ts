import { foldLines } from 'ical-generator'
import { readEmail } from '../../../rules/addresses.ts'
import { unfolded } from './zones.ts'

// The event of an invitation as the calendar of the one who answered it keeps it.

/** `data` is the event as it came, `address` whom it invites. */
export type HeldEvent = { data: string; address: string; answer: string }

/**
 * Without METHOD (RFC 4791, 4.1), with the answer; the answer has gone by mail, so the server is told to write to nobody
 * (RFC 6638, 7.1).
 */
export function heldEvent({ data, address, answer }: HeldEvent): string {
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
