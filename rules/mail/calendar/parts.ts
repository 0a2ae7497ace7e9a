import type { VEvent } from 'node-ical'
import type { Attachment, Email } from 'postal-mime'
import { readEmail } from '../../addresses.ts'
import { bounded, eventsIn } from '../../calendar/events.ts'
import { plainText } from '../../text.ts'
import { bytesOf } from '../attachments.ts'

// The parts of a mail that calendar programs wrote for each other (iMIP, RFC 6047).

export type CalendarPart = { method: string; events: VEvent[] }

// A mail is about one event (RFC 5546, 3.2), and some programs add it twice. Its description may be long.
const maxParts = 3
const maxBytes = 512 * 1024
const maxEvents = 10

/** What is said in a calendar's language, by METHOD in lower case; `zone` is for times whose own is unknown. */
export const calendarPartsOf = ({ attachments }: Email, zone: string): CalendarPart[] =>
  attachments
    .filter(isCalendar)
    .slice(0, maxParts)
    .flatMap((part) => {
      const text = decoded(part)
      const events = eventsIn(text, zone).slice(0, maxEvents)
      const stated = /^METHOD:\s*([A-Z-]{1,20})\s*$/im.exec(text)?.[1]
      // Some programs say it in the head of the part alone.
      const method = (stated ?? (events.length > 0 ? part.method : undefined))?.toLowerCase()
      return method ? [{ method, events }] : []
    })

const isCalendar = ({ mimeType, filename }: Attachment) =>
  /^(text\/(x-v)?calendar|application\/ics)$/i.test(mimeType) || /\.ics$/i.test(filename ?? '')

/** iCalendar is UTF-8 (RFC 5545, 3.1.4); some programs write it in their own eight bits. */
function decoded(part: Attachment): string {
  const bytes = bytesOf(part).subarray(0, maxBytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The text of a field, which has parameters at times. */
export function fieldOf(event: VEvent, name: string, most: number): string {
  const [first] = [(event as unknown as Record<string, unknown>)[name] ?? ''].flat()
  return bounded(first, most).trim()
}

/** The COMMENT of an event, or an empty text. Some programs add the place and time of the meeting below a line. */
export const commentOf = (event: VEvent): string =>
  (fieldOf(event, 'comment', 20_000).split('*~*~*')[0] ?? '').trim()

/** Somebody who takes part or invites. `sentBy` is who writes for them, an empty text if that is not an address. */
export type Party = {
  address: string
  name: string
  sentBy: string | null
  answer: string
}

export function partyOf(value: unknown): Party | undefined {
  const { val, params = {} } =
    typeof value === 'object' && value !== null
      ? (value as { val?: unknown; params?: Record<string, unknown> })
      : { val: value }
  const address = readEmail(String(val ?? ''))?.value
  if (!address) return undefined
  const given = params['SENT-BY']
  return {
    address,
    name: plainText(String(params.CN ?? '')).slice(0, 300),
    sentBy: given === undefined ? null : (readEmail(String(given))?.value ?? ''),
    answer: String(params.PARTSTAT ?? '').toLowerCase(),
  }
}

/** The UID of an event; undefined if it cannot be kept. */
export function uidOf({ uid }: VEvent): string | undefined {
  const text = String(uid ?? '')
  return text === '' || text.length > 1000 || text.includes('\0') ? undefined : text
}

/** Its number among the versions of its event; null if it does not say. */
export const sequenceOf = ({ sequence }: VEvent): number | null =>
  Number.isSafeInteger(Number(sequence ?? Number.NaN)) ? Number(sequence) : null

/** When it was written, if it says so. */
export const stampOf = ({ dtstamp }: VEvent): Date | null =>
  dtstamp instanceof Date && !Number.isNaN(dtstamp.getTime()) ? new Date(dtstamp) : null
