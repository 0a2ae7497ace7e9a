import type { Generated } from 'kysely'
import type {
  Connections,
  ConnectionUsage,
  ConnectTickets,
  Folders,
  Logins,
  Mailboxes,
  MailboxReaders,
  MailboxSets,
  Rests,
  SandboxLetters,
  SessionPlaces,
  Suppressions,
  Verifications,
} from './accounts/tables.ts'
import type { ArchiveChannels, Archives } from './archive/tables.ts'
import type { Calendars, Invitations, MeetingChecks, Meetings } from './calendar/tables.ts'
import type {
  AccountTurns,
  CampaignLetters,
  Campaigns,
  CampaignTemplates,
  LetterTests,
  Touches,
} from './campaigns/tables.ts'
import type { At, Json } from './columns.ts'
import type {
  ConversationLabels,
  Conversations,
  Files,
  Labels,
  Messages,
  Notes,
  PreparedMessages,
  Routing,
  RoutingBatches,
  RoutingRules,
  Tasks,
} from './conversations/tables.ts'
import type { Audit, Deliveries, Events, Notifications, Webhooks } from './events/tables.ts'
import type { LetterIds, SentEvidence } from './inbox/tables.ts'
import type { Operations, Outbox, ProcessStarts, Workers } from './operations/tables.ts'
import type {
  Addresses,
  ErasedAddresses,
  ErasureKeys,
  Erasures,
  FieldsOfPeople,
  ImportedRows,
  Imports,
  MergedPeople,
  People,
  PersonTags,
  Prospects,
} from './people/tables.ts'
import type { FindRuns, Finds, SegmentPeople, Segments } from './segments/tables.ts'
import type {
  AdminTokens,
  Agents,
  Companies,
  Deals,
  Holds,
  Members,
  Products,
  StoredBytes,
  Tokens,
  WorkspaceErasures,
  Workspaces,
} from './workspace/tables.ts'

// Every table; the columns of each are declared in its own wing.

export interface Settings {
  name: string
  value: Json<unknown>
}

/** How far the rows that a migration found have been filled in. */
export interface Backfills {
  migration: string
  /** The key of the last row. */
  after: Generated<string>
  endedAt: At | null
}

export interface Schema {
  backfills: Backfills
  processStarts: ProcessStarts
  workers: Workers
  settings: Settings
  workspaces: Workspaces
  members: Members
  tokens: Tokens
  adminTokens: AdminTokens
  holds: Holds
  connections: Connections
  connectionUsage: ConnectionUsage
  logins: Logins
  verifications: Verifications
  connectTickets: ConnectTickets
  folders: Folders
  products: Products
  companies: Companies
  agents: Agents
  prospects: Prospects
  people: People
  addresses: Addresses
  personTags: PersonTags
  personFields: FieldsOfPeople
  mergedPeople: MergedPeople
  erasureKeys: ErasureKeys
  erasedAddresses: ErasedAddresses
  erasures: Erasures
  workspaceErasures: WorkspaceErasures
  storedBytes: StoredBytes
  suppressions: Suppressions
  labels: Labels
  conversations: Conversations
  conversationLabels: ConversationLabels
  notes: Notes
  tasks: Tasks
  messages: Messages
  preparedMessages: PreparedMessages
  files: Files
  deals: Deals
  notifications: Notifications
  findRuns: FindRuns
  finds: Finds
  segments: Segments
  segmentPeople: SegmentPeople
  campaigns: Campaigns
  campaignLetters: CampaignLetters
  campaignTemplates: CampaignTemplates
  letterTests: LetterTests
  accountTurns: AccountTurns
  touches: Touches
  imports: Imports
  importRows: ImportedRows
  operations: Operations
  mailboxes: Mailboxes
  mailboxReaders: MailboxReaders
  rests: Rests
  sandboxLetters: SandboxLetters
  sessionPlaces: SessionPlaces
  mailboxSets: MailboxSets
  sentEvidence: SentEvidence
  letterIds: LetterIds
  outbox: Outbox
  events: Events
  webhooks: Webhooks
  deliveries: Deliveries
  audit: Audit
  routing: Routing
  routingRules: RoutingRules
  routingBatches: RoutingBatches
  archives: Archives
  archiveChannels: ArchiveChannels
  calendars: Calendars
  meetings: Meetings
  invitations: Invitations
  meetingChecks: MeetingChecks
}
