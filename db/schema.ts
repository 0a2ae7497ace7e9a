// biome-ignore-all format: every table on one page
import type { ColumnType, Generated } from 'kysely'
import type { AddressKind } from '../rules/addresses.ts'
import type { ChannelKind } from '../rules/channels.ts'
import type { ImportError } from '../rules/people-file/rows.ts'
import type { Side } from '../rules/sides.ts'

// Every table on one page, in the order of migrations/0001-foundation.ts. Column names are the snake_case of these (CamelCasePlugin).

type At = Date
/** jsonb: read as a value, written as its JSON text (the driver would make a Postgres array of an array). */
type Json<T> = ColumnType<T, string | undefined, string>
type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>

export type HealthLevel = 'normal' | 'caution' | 'restricted' | 'blocked' | 'unknown'
export type ConversationState = 'open' | 'snoozed' | 'closed'
export type MessageState = 'received' | 'queued' | 'sending' | 'sent' | 'failed' | 'cancelled'
export type CampaignState = 'draft' | 'running' | 'paused' | 'done'
export type TouchState = 'queued' | 'review' | 'sending' | 'sent' | 'failed'
/** A language that letters are written in. */
export type Language = 'en' | 'de' | 'es' | 'fr'
export type OperationState = 'accepted' | 'running' | 'waiting' | 'done' | 'failed' | 'cancelled'
export type TaskState = 'queued' | 'done' | 'failed' | 'cancelled'
export type DeliveryState = 'queued' | 'delivered' | 'failed'
export type RoutingField = 'label' | 'side' | 'product' | 'sender' | 'company' | 'agent'
export type ArchiveState = 'running' | 'done' | 'declined'
/** What a parse of the archive has come to. */
export type ArchiveCounts = { addresses: number; marked: number; tagged: number; stored?: number }

/** An agent's working hours: an IANA zone, HH:MM to HH:MM, days off as mon…sun or YYYY-MM-DD. */
export type Hours = { zone: string; from: string; to: string; daysOff: string[] } & Record<
  string,
  unknown
>
export type MailServer = {
  host: string
  port: number
  secure: boolean
  user?: string
  /** IMAP only: the provider files what is sent over SMTP in Sent by itself. */
  filesSent?: boolean
  /** Absent: needed unless the host is this machine. A certificate of one's own is verified with `ca`, or as `servername`. */
  tls?: 'required' | 'none' | { servername?: string; ca?: string }
} & Record<string, unknown>
export type Bridge = { url: string }
export type Signal = {
  key: string
  level: HealthLevel
  score: number
  facts: Record<string, unknown>
}
export type ImportRows = {
  total: number
  new: number
  update: number
  same: number
  duplicate: number
  invalid: number
}
/** A calendar collection (RFC 4791) and who may use it. */
export type CalDavServer = { url: string; user?: string; tls?: 'none' } & Record<string, unknown>
export type Reply = { address: string; answer: string; at: string }
/** A meeting that is asked about; instants are ISO 8601. */
export type MeetingDraft = {
  calendar: string
  title: string
  agenda: string
  startsAt: string
  endsAt: string
  guests: string[]
}
/** Whether given values fill what is empty, or replace what is there too. */
export type ImportMode = 'complete' | 'update'
export type RowOutcome = 'new' | 'update' | 'same' | 'duplicate' | 'invalid'

export interface Settings {
  name: string; value: Json<unknown>
}
export interface Workspaces {
  id: string; name: string; timezone: string; tagging: boolean; houseRules: string
  houseUpdatedAt: At; billing: JsonOrNull<Record<string, unknown>>
}
export interface Members {
  id: string; workspace: string; name: string; email: string; jobTitle: string; zone: string
  signature: string
}
export interface Tokens {
  id: string; hash: Buffer; workspace: string; member: string; clientId: string
  clientName: string; scopes: string[]; createdAt: At; expiresAt: At; revokedAt: At | null
  lastUsedAt: At | null
}
export interface Connections {
  id: string; workspace: string; kind: ChannelKind; name: string; account: string; member: string
  limitDay: number; limitWeek: number; gapSeconds: number; smtp: JsonOrNull<MailServer>
  imap: JsonOrNull<MailServer>
  /** Where the bridge of a messenger or professional network account listens. */
  bridge: JsonOrNull<Bridge>
  /** Sealed (secrets.ts): { smtp?: password, imap?: password, bridge?: secret }. */
  secrets: string | null; alive: Generated<boolean>; problem: string | null; checkedAt: At | null
  health: Generated<HealthLevel>; signals: Json<Signal[]>; lastClaimAt: At | null
  /** Names its own server authenticates mail under (RFC 8601), as the operator says; empty: what was learnt. */
  authserv: Generated<string[]>
  /** Since when it has its problem, and when its member was told of it. */
  problemSince: At | null; toldAt: At | null
  /** Letters in a row that its server took without an answer, and how long it rests for that (account-rests.ts). */
  unconfirmedInRow: Generated<number>; restsUntil: At | null
}
export interface ConnectionUsage {
  connection: string; day: string; used: number
}
export interface Folders {
  id: string; workspace: string; name: string; connection: string
}
export interface Products {
  id: string; workspace: string; name: string; description: string; side: string; goal: string
  conditions: Json<Record<string, unknown>[]>; markets: string[]
}
export interface Companies {
  id: string; workspace: string; name: string; pitch: string; policy: string
  facts: Json<Record<string, unknown>[]>; markets: string[]
}
export interface Agents {
  id: string; workspace: string; name: string; company: string | null; goal: string; rules: string
  knowledge: string; enabled: boolean; labels: string[]; channels: string[]; hours: Json<Hours>
}
export interface Prospects {
  id: string; workspace: string; name: string; email: string; phone: string; linkedin: string
  company: string; city: string; jobTitle: string
}
export interface People {
  id: string; workspace: string; name: string; city: string; jobTitle: string; company: string
  createdAt: At; updatedAt: At
  /** Letters wait while heldWhy is not null; without an end until somebody releases them (holds.ts). */
  heldUntil: At | null; heldWhy: string | null
  /** When a report without proof last held letters, and when a member was last told of one. */
  doubtedAt: At | null; doubtToldAt: At | null
}
export interface Addresses {
  workspace: string; kind: AddressKind; value: string; given: string; person: string
  position: number
}
export interface PersonTags {
  person: string; label: string; side: Side; addedAt: At; removedAt: At | null
}
export interface Suppressions {
  id: Generated<string>; workspace: string; address: string
  reason: 'unsubscribe' | 'complaint' | 'bounce' | 'operator'; at: At; touch: string | null
  /** The message that proves it. */
  evidence: string | null
}
export interface Labels {
  id: string; workspace: string; name: string
}
export interface Conversations {
  id: string; workspace: string; person: string; connection: string | null; kind: ChannelKind
  subject: string; state: Generated<ConversationState>; lastMessageAt: At; waitingSince: At
  waitingFor: Generated<'us' | 'client'>; importance: Generated<string>; intent: Generated<string>
  owner: string | null; snoozeUntil: At | null
  /** Raised whenever a snooze begins, moves or ends; its workflow acts under its own version only. */
  snoozeVersion: Generated<number>
  /** The operation, which is the workflow, that the snooze waits in. */
  snoozeOperation: string | null; why: string | null; reason: string | null
  met: Generated<boolean>; folder: string | null
  /** Written by a trigger, when anything that a list or its read shows of it changes. */
  updatedAt: Generated<Date>
}
export interface ConversationLabels {
  conversation: string; label: string
}
export interface Notes {
  id: string; conversation: string; text: string; author: string; at: At
}
/** What a member asked an agent to do; without `due` it is an instruction, and nothing is written. */
export interface Tasks {
  id: string; seq: Generated<string>; workspace: string; conversation: string; text: string
  due: At | null; state: Generated<TaskState>; reason: string | null; member: string
  operation: string; key: string; agent: string | null; message: string | null
  /** What the agent was told, and what it did, in its words. */
  told: JsonOrNull<Record<string, unknown>>; did: string | null; createdAt: At; endedAt: At | null
}
export interface Messages {
  id: string; seq: Generated<string>; workspace: string; conversation: string
  direction: 'inbound' | 'outbound'; senderName: string; senderHandle: string; toAddress: string
  subject: string; text: string; at: At; automated: Generated<boolean>; agent: string | null
  voice: string | null; connection: string | null; state: MessageState; reason: string | null
  sendAt: At | null; dueAt: At | null; nextTryAt: At | null; sentAt: At | null
  messageId: string | null; inReplyTo: string | null
  /** What the other side calls it: inbound mail's Message-ID, a bridge's own id. Inbound, one a connection. */
  externalId: string | null
  /** The send marker: which attempt has claimed it, when, and the workspace day its unit was taken from. */
  attempt: string | null; tries: Generated<number>; claimedAt: At | null
  claimedDay: string | null; operation: string | null; touch: string | null
  /** When it was claimed for the first time, or since a person had it sent again: patience counts from then. */
  firstClaimedAt: At | null
  /** Real time of the database: an attempt that lives says so again before it ends. */
  leasedUntil: At | null
  lateBySeconds: number | null
  /** It lies in the account's Sent folder, or need not. */
  filed: Generated<boolean>
  /** What a server or a bounce said of it: its enhanced status code (RFC 3463), else the reply code. */
  code: string | null
  /** The parse of the archive that looked at it last. */
  archive: string | null
  /** The account's own server says that it is not from whom it says: nothing follows from it. */
  suspect: Generated<boolean>
  report: JsonOrNull<MessageReport>
}
/** What a server or provider reports; `message` is the letter of ours that it is about. Without proof nothing follows from it. */
export type MessageReport = {
  kind: 'bounce' | 'complaint' | 'delivery'; code: string | null; permanent: boolean
  recipient: string | null; message: string | null; proven: boolean
}
export interface Files {
  id: string; seq: Generated<string>; workspace: string; message: string; name: string
  type: string; size: number; content: Buffer
}
export interface Deals {
  id: string; workspace: string; label: string; seller: string; buyer: string; agent: string
  stage: Generated<string>; createdAt: At; closedAt: At | null
}
export interface Notifications {
  id: string; workspace: string; member: string; at: At; kind: string; text: string
  conversation: string | null; readAt: At | null
}
export interface Segments {
  id: string; workspace: string; name: string; query: string
  rules: Json<({ kind: string; text: string } & Record<string, unknown>)[]>
  version: Generated<number>; refill: Generated<boolean>; saved: Generated<boolean>; createdAt: At
  updatedAt: At
  /** Its last find, in migrations/0007-finder.ts. */
  foundChannel: FindChannel | null; foundFilters: JsonOrNull<Record<string, unknown>>
}
export type FindChannel = 'email' | 'professional_network'
export interface FindRuns {
  id: string; segment: string; channel: FindChannel; filters: JsonOrNull<Record<string, unknown>>
  total: number | null; cursor: string | null; step: Generated<number>; seen: Generated<number>
  ended: Generated<boolean>; createdAt: At
}
export interface Finds {
  operation: string; segment: string; channel: FindChannel; words: string | null
  filters: JsonOrNull<Record<string, unknown>>; run: string | null; want: Generated<number>
  added: Generated<number>; existing: Generated<number>
}
export interface SegmentPeople {
  segment: string; person: string; byHand: Generated<boolean>; matches: boolean
  reason: Generated<string>; version: number; at: At
}
export interface Campaigns {
  id: string; workspace: string; name: string; goal: string; kind: Generated<string>
  state: Generated<CampaignState>; segment: string | null; agent: string | null
  senders: Generated<string[]>; addRules: Generated<string[]>
  materials: Json<({ title?: string; text?: string } & Record<string, unknown>)[]>
  /** Raised by every accepted move; a claim made under another epoch fails. */
  runEpoch: Generated<number>
  /** Raised by every edit that letters are written by; an agreement is of the brief it was given under. */
  briefVersion: Generated<number>
  /** The workflow id of the runner that the current epoch belongs to. */
  runner: string | null; createdAt: At; updatedAt: At; startedAt: At | null
}
export interface CampaignLetters {
  campaign: string; place: number; subject: string; text: string; agreed: Generated<boolean>
  writtenAt: At
  /** The version of the brief it was written from. */
  brief: Generated<number>
}
export interface Touches {
  id: string; workspace: string; campaign: string; person: string; place: number
  state: TouchState; reason: string | null; dueAt: At; sentAt: At | null
  connection: string | null; conversation: string | null; toAddress: string | null
  subject: string | null; text: string | null; writtenAt: At | null; messageId: string | null
  /** The version of the brief its text was written from. */
  brief: number | null
  /** The language of its text; null in letters of earlier versions, which are in English as far as our words go. */
  language: Language | null
  /** The member whom its text is from; null in letters of earlier versions, which go through any account. */
  signedBy: string | null
  /** Its text is agreed as it is, whatever has become of its place. */
  agreed: Generated<boolean>
  message: string | null
  /** What the unsubscribe link of this letter carries. */
  token: string | null; attempt: string | null; tries: Generated<number>; claimedAt: At | null
  claimedDay: string | null; epoch: number | null; workflow: string | null; createdAt: At
  /** What a server or a bounce said of it: its enhanced status code (RFC 3463), else the reply code. */
  code: string | null
  /** When it would have gone had it not been held. */
  heldFrom: At | null
  /** As of messages. A letter that the server put off keeps its dueAt. */
  nextTryAt: At | null; firstClaimedAt: At | null; leasedUntil: At | null
}
export interface Imports {
  id: string; workspace: string; operation: string; name: string; content: Buffer | null
  columns: Json<Record<string, unknown>[]>; cursor: Generated<number>; rows: Json<ImportRows>
  errors: Json<ImportError[]>; state: Generated<string>; mode: Generated<ImportMode>
}
/** What became of a row; `joined` is the earlier row of the file whose card it is of. */
export interface ImportedRows {
  operation: string; row: number; outcome: RowOutcome; person: string | null; joined: number | null
  errors: JsonOrNull<ImportError[]>
}
export interface Operations {
  id: string; workspace: string; key: string
  /** The workflow type where it runs as one, else the route's action. */
  kind: string; fingerprint: string; workflowType: string | null
  /** firstExecutionRunId of the run that owns it; runId is the one an operator looks at. */
  ownerRun: string | null; runId: string | null; state: OperationState
  /** The answer to HTTP comes from the workflow, not from the accepting transaction. */
  awaited: Generated<boolean>; answerStatus: number | null; answerBody: string | null
  result: JsonOrNull<unknown>; progressDone: number | null; progressTotal: number | null
  waitingFor: string | null; waitingUntil: At | null; resource: string | null; acceptedAt: At
  startedAt: At | null; endedAt: At | null; lastUsedAt: At
  /** The token's id: a confidential answer is repeated to it alone. */
  token: string | null
  /** Asked without a key: it is not kept for repeats. */
  keyless: Generated<boolean>
}
export interface Outbox {
  id: Generated<string>; operation: string | null; kind: 'start' | 'signal'
  workspace: Generated<string>; priority: Generated<number>
  workflowType: string | null; workflowId: string; signal: string | null; args: Json<unknown[]>
  attributes: Json<Record<string, string>>
  /** An operator starts it again: a closed run of the same id is no obstacle. */
  restart: Generated<boolean>; createdAt: Generated<At>; attempts: Generated<number>
  nextTryAt: Generated<At>; dispatchedAt: At | null; deadAt: At | null; problem: string | null
  /** Since when Temporal has refused it as invalid; real time. */
  refusedAt: At | null
}
export interface Audit {
  id: string; seq: Generated<string>; workspace: string; at: At; member: string | null
  clientId: string | null; clientName: string | null; action: string; resource: string
  before: JsonOrNull<unknown>; after: JsonOrNull<unknown>; key: string | null
}
/** How far a folder has been read under its UIDVALIDITY. */
export interface Mailboxes {
  connection: string; folder: 'inbox' | 'sent'; uidValidity: string; nextUid: string
}
export interface MailboxReaders {
  connection: string; since: At; problem: string | null; readAt: At | null
  /** When nothing in it was unread (real time); follow-ups wait for it. */
  caughtUpAt: At | null
  /** The name its server authenticates mail under, as it was learnt, and what the learning goes by (inbound-trust.ts). */
  authserv: string | null; authservSeen: JsonOrNull<{ id: string; senders: string[] }>
  /** Since when it cannot be read, and when its member was told of it. */
  problemSince: At | null; toldAt: At | null
}
/** Message-IDs of ours that were seen in a Sent folder. */
export interface SentEvidence {
  workspace: string; messageId: string; at: At
}
export interface Routing {
  workspace: string; enabled: Generated<boolean>
}
export interface RoutingRules {
  id: string; workspace: string; position: number; field: RoutingField; value: string
  member: string; createdAt: At
}
export interface RoutingBatches {
  operation: string; workspace: string; rule: string | null
  /** Conversations with a message since then; null: all. */
  since: At | null
  /** The id of the conversation it looked at last. */
  cursor: Generated<string>; seen: Generated<number>; handed: Generated<number>
  /** How many each member got, and the first of them. */
  handedTo: Json<Record<string, { count: number; first: string }>>; member: string; clientId: string; clientName: string
}
export interface Archives {
  id: string; workspace: string; operation: string | null; state: ArchiveState
  since: string | null; channels: Generated<string[]>; groups: Generated<boolean>
  fresh: Generated<boolean>
  done: Generated<number>
  total: number | null; counts: Json<Partial<ArchiveCounts>>; createdAt: At; startedAt: At | null
  endedAt: At | null
}
export interface ArchiveChannels {
  archive: string; channel: string; position: number
  /** Its place in the history, as its source writes it. */
  cursor: Generated<string>; total: number | null; ended: Generated<boolean>; problem: string | null
}
/** xid is the transaction that wrote it; with the id it is the order in which events are told (events.ts). */
export interface Events {
  id: Generated<string>; xid: Generated<string>; workspace: string; kind: string; at: At
  resource: string; data: Json<Record<string, unknown>>; recordedAt: Generated<At>
}
export interface Webhooks {
  id: string; workspace: string; member: string; url: string; kinds: Generated<string[]>
  enabled: Generated<boolean>
  /** Why it was disabled by itself: gone, failing. */
  problem: string | null
  /** Sealed: { current, previous? }; both sign until previousUntil. */
  secret: string; previousUntil: At | null; failingSince: At | null; createdAt: At; updatedAt: At
  /** Whether its workflow is there, and what it does (webhook-runners.ts). */
  runner: Generated<'none' | 'working' | 'waiting' | 'resting'>; epoch: Generated<number>
  /** Real time. */
  wokenAt: At | null; failures: Generated<number>; restsUntil: At | null
}
export interface Deliveries {
  id: string; webhook: string; event: string; state: Generated<DeliveryState>
  round: Generated<number>; attempts: Generated<number>; status: number | null
  problem: string | null; createdAt: At; triedAt: At | null; nextTryAt: At | null
  since: At | null
}

/** A calendar of another server; the calendars of the house have no rows (calendars.ts). */
export interface Calendars {
  id: string; workspace: string; name: string; member: string; caldav: Json<CalDavServer>
  /** Sealed (secrets.ts): { caldav?: password }. */
  secrets: string | null; problem: string | null; syncedAt: At | null
}
export interface Meetings {
  id: string; workspace: string; calendar: string
  /** Names it in iCalendar for ever; `instance` tells apart the occurrences of one that recurs elsewhere. */
  uid: string; instance: Generated<string>; title: string; agenda: Generated<string>
  /** The zone it was booked in: invitations and their cancellation show it. */
  zone: string; startsAt: At; endsAt: At; guests: Generated<string[]>; replies: Json<Reply[]>
  state: Generated<'booked' | 'cancelled'>; own: boolean; busy: Generated<boolean>
  sequence: Generated<number>
  /** Whose account its invitations come from: the organizer, the same for ever. */
  connection: string | null
  /** Of the event on the calendar's server: it has none, may be there, is there, is gone. */
  remote: 'none' | 'pending' | 'there' | 'gone'; remoteAt: At | null; createdAt: At
}
export interface Invitations {
  id: string; workspace: string; meeting: string; address: string; method: 'request' | 'cancel'
  sequence: number; state: Generated<'queued' | 'sending' | 'sent' | 'failed' | 'cancelled'>
  reason: string | null; connection: string | null; messageId: string | null; dueAt: At
  nextTryAt: At | null; sentAt: At | null; attempt: string | null; tries: Generated<number>
  claimedAt: At | null; claimedDay: string | null; firstClaimedAt: At | null; leasedUntil: At | null
}
export interface MeetingChecks {
  operation: string; workspace: string; draft: Json<MeetingDraft>
}

/** Real time. */
export interface ProcessStarts {
  process: string; at: Generated<At>
}

/** Workers, as they say that they live. Real time. */
export interface Workers {
  id: string; version: string; startedAt: Generated<At>; seenAt: Generated<At>
}
export interface Schema {
  processStarts: ProcessStarts; workers: Workers
  settings: Settings; workspaces: Workspaces; members: Members; tokens: Tokens
  connections: Connections; connectionUsage: ConnectionUsage; folders: Folders; products: Products
  companies: Companies; agents: Agents; prospects: Prospects; people: People; addresses: Addresses
  personTags: PersonTags; suppressions: Suppressions; labels: Labels; conversations: Conversations
  conversationLabels: ConversationLabels; notes: Notes; tasks: Tasks; messages: Messages; files: Files
  deals: Deals; notifications: Notifications; findRuns: FindRuns; finds: Finds; segments: Segments; segmentPeople: SegmentPeople
  campaigns: Campaigns; campaignLetters: CampaignLetters; touches: Touches; imports: Imports; importRows: ImportedRows
  operations: Operations; mailboxes: Mailboxes; mailboxReaders: MailboxReaders; sentEvidence: SentEvidence; outbox: Outbox; events: Events; webhooks: Webhooks
  deliveries: Deliveries; audit: Audit; routing: Routing
  routingRules: RoutingRules; routingBatches: RoutingBatches; archives: Archives; archiveChannels: ArchiveChannels
  calendars: Calendars; meetings: Meetings; invitations: Invitations; meetingChecks: MeetingChecks
}
