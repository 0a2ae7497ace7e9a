import type { Generated } from 'kysely'
import type { At, Json } from '../columns.ts'

// Calendars, meetings and the mail about them.

/** A calendar collection (RFC 4791) and who may use it. */
export type CalDavServer = { url: string; user?: string; tls?: 'none' } & Record<string, unknown>

/** `unverified`: it came from another address than the one that was invited. */
export type Reply = { address: string; answer: string; at: string; unverified?: true }

/** Another time that a guest has proposed. Instants are ISO 8601. */
export type Proposal = {
  id: string
  by: string
  startsAt: string
  endsAt: string
  comment: string | null
  at: string
  state: 'open' | 'accepted' | 'declined'
}

/** A meeting whose time is checked; instants are ISO 8601. */
export type MeetingDraft = {
  calendar: string
  title: string
  agenda: string
  startsAt: string
  endsAt: string
  guests: string[]
  /** The meeting that is moved, if it stands in a calendar already. */
  meeting?: string
  /** Where it stood before, and by which version it was moved. */
  was?: { startsAt: string; endsAt: string; replies: Reply[]; sequence: number }
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
  /** When it was last to be read, whatever came of it. */
  triedAt: At | null
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
  proposals: Json<Proposal[]>
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

export type InvitationMethod = 'request' | 'update' | 'cancel' | 'decline'

export interface Invitations {
  id: string
  workspace: string
  meeting: string
  address: string
  /** An update announces a move; a decline answers the proposal of another time. */
  method: InvitationMethod
  sequence: number
  /** The proposal that is declined; otherwise empty. */
  proposal: Generated<string>
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
