import type { Generated } from 'kysely'
import type { At, Json } from '../columns.ts'

// Calendars, meetings and the mail about them.

/** A calendar collection (RFC 4791) and who may use it. */
export type CalDavServer = { url: string; user?: string; tls?: 'none' } & Record<string, unknown>

export type Reply = { address: string; answer: string; at: string }

/** A meeting whose time is checked; instants are ISO 8601. */
export type MeetingDraft = {
  calendar: string
  title: string
  agenda: string
  startsAt: string
  endsAt: string
  guests: string[]
}

/** A calendar of another server; the calendars of the house have no rows (calendars.ts). */
export interface Calendars {
  id: string
  workspace: string
  name: string
  member: string
  caldav: Json<CalDavServer>
  /** Sealed (secrets.ts): { caldav?: password }. */
  secrets: string | null
  problem: string | null
  syncedAt: At | null
}

export interface Meetings {
  id: string
  workspace: string
  calendar: string
  /**
   * Identifies it in iCalendar permanently; `instance` identifies the occurrences of an event that recurs on another server.
   */
  uid: string
  instance: Generated<string>
  title: string
  agenda: Generated<string>
  /** The zone it was booked in: invitations and their cancellation show it. */
  zone: string
  startsAt: At
  endsAt: At
  guests: Generated<string[]>
  replies: Json<Reply[]>
  state: Generated<'booked' | 'cancelled'>
  own: boolean
  busy: Generated<boolean>
  sequence: Generated<number>
  /** The account that its invitations come from: the organizer, which never changes. */
  connection: string | null
  /** Whether the calendar's server holds its event: it has none, may be there, is there, or is gone. */
  remote: 'none' | 'pending' | 'there' | 'gone'
  remoteAt: At | null
  createdAt: At
}

export interface Invitations {
  id: string
  workspace: string
  meeting: string
  address: string
  method: 'request' | 'cancel'
  sequence: number
  state: Generated<'queued' | 'sending' | 'sent' | 'failed' | 'cancelled'>
  reason: string | null
  connection: string | null
  messageId: string | null
  dueAt: At
  nextTryAt: At | null
  sentAt: At | null
  attempt: string | null
  tries: Generated<number>
  claimedAt: At | null
  claimedDay: string | null
  firstClaimedAt: At | null
  leasedUntil: At | null
}

export interface MeetingChecks {
  operation: string
  workspace: string
  draft: Json<MeetingDraft>
}
