import type { Generated } from 'kysely'
import type { At, Json, JsonOrNull } from '../columns.ts'

// Events and their deliveries to webhooks, the audit log, and notifications to members.

export type DeliveryState = 'queued' | 'delivered' | 'failed'

export interface Notifications {
  id: string
  workspace: string
  member: string
  at: At
  kind: string
  text: string
  conversation: string | null
  readAt: At | null
}

export interface Audit {
  id: string
  seq: Generated<string>
  workspace: string
  at: At
  member: string | null
  clientId: string | null
  clientName: string | null
  action: string
  resource: string
  before: JsonOrNull<unknown>
  after: JsonOrNull<unknown>
  key: string | null
}

/** The transaction that wrote it; (xid, id) is the order in which events are read (events.ts). */
export interface Events {
  id: Generated<string>
  xid: Generated<string>
  workspace: string
  kind: string
  at: At
  resource: string
  data: Json<Record<string, unknown>>
  recordedAt: Generated<At>
}

export interface Webhooks {
  id: string
  workspace: string
  member: string
  url: string
  kinds: Generated<string[]>
  enabled: Generated<boolean>
  /** Why it was disabled automatically: gone, failing. */
  problem: string | null
  /** Sealed: { current, previous? }; both secrets sign until previousUntil. */
  secret: string
  previousUntil: At | null
  failingSince: At | null
  createdAt: At
  updatedAt: At
  /** Whether its workflow exists, and what it does (webhook-runners.ts). */
  runner: Generated<'none' | 'working' | 'waiting' | 'resting'>
  epoch: Generated<number>
  /** Real time. */
  wokenAt: At | null
  failures: Generated<number>
  restsUntil: At | null
}

export interface Deliveries {
  id: string
  webhook: string
  event: string
  state: Generated<DeliveryState>
  round: Generated<number>
  attempts: Generated<number>
  status: number | null
  problem: string | null
  createdAt: At
  triedAt: At | null
  nextTryAt: At | null
  since: At | null
}
