import type { Generated } from 'kysely'
import type { Hours } from '../../rules/hours.ts'
import type { Quotas } from '../../rules/quotas.ts'
import type { Mode } from '../../rules/sandbox/mode.ts'
import type { At, Json, JsonOrNull } from '../columns.ts'

// A workspace, its members, agents and resources, and its tokens.

/** What a workspace may keep for a number of days only. */
export type Kept = 'messages' | 'files' | 'audit' | 'notifications' | 'inboxWithoutPerson'
export type Retention = { [name in Kept]?: number | 'forever' }

export interface Workspaces {
  id: string
  name: string
  timezone: string
  tagging: boolean
  /** The country whose national phone numbers it writes. */
  region: string | null
  houseRules: string
  houseUpdatedAt: At
  billing: JsonOrNull<Record<string, unknown>>
  /** In days; a word where everything is kept. */
  retention: JsonOrNull<Retention>
  /** What it may have at once; what is not named is without a bound. */
  quotas: JsonOrNull<Quotas>
  createdAt: Generated<At>
  /** Whether what it sends leaves. It never changes. */
  mode: Generated<Mode>
  /** It is erased: nothing of it is left but its id, which is never given again. */
  erasedAt: At | null
}

/** Bytes of files and texts that transactions have added or removed, written by triggers: the sum is what a workspace stores. */
export interface StoredBytes {
  id: Generated<string>
  workspace: string
  /** A bigint, which the driver reads as text. */
  bytes: string
}

/** How far the erasure of a workspace has come, and what it has deleted. */
export interface WorkspaceErasures {
  workspace: string
  operation: string
  step: Generated<number>
  /** By table. */
  counts: Json<Record<string, number>>
  /** Letters of which nobody knows whether they arrived. */
  unconfirmed: Generated<number>
}

export interface Members {
  id: string
  workspace: string
  name: string
  email: string
  jobTitle: string
  zone: string
  signature: string
  /** The account that they write through where several fit; it counts only while it is theirs. */
  defaultConnection: Generated<string | null>
  /** When they left; what they have written still names them. */
  leftAt: At | null
  /** Who has taken over what was theirs. */
  successor: string | null
}

export interface Tokens {
  id: string
  hash: Buffer
  workspace: string
  member: string
  clientId: string
  clientName: string
  scopes: string[]
  createdAt: At
  expiresAt: At
  revokedAt: At | null
  lastUsedAt: At | null
  /** What an agent has prepared goes without a person who confirms it. */
  unattended: Generated<boolean>
}

/** Tokens of the administration. */
export interface AdminTokens {
  id: string
  hash: Buffer
  /** The one workspace that it sees; null if it sees all. */
  workspace: string | null
  clientId: string
  clientName: string
  scopes: string[]
  createdAt: At
  expiresAt: At
  revokedAt: At | null
  lastUsedAt: At | null
}

/** What is held. The widest are those of everything, then those of a workspace, then those of a mail host. */
export interface Holds {
  id: string
  what: 'all' | 'workspace' | 'host'
  workspace: string | null
  /** A mail server as connections name it, in small letters. */
  host: string | null
  /** The operator, a token of the administration that sees all workspaces, or one that sees this one alone. */
  setBy: HoldSetter
  /** The application, if one has set it. */
  clientId: string | null
  clientName: string | null
  why: string
  createdAt: At
}
export type HoldSetter = 'operator' | 'administration' | 'workspace'

export interface Products {
  id: string
  workspace: string
  name: string
  description: string
  side: 'sell' | 'buy' | 'both'
  goal: string
  conditions: Json<Record<string, unknown>[]>
  markets: string[]
}

export interface Companies {
  id: string
  workspace: string
  name: string
  pitch: string
  policy: string
  facts: Json<Record<string, unknown>[]>
  markets: string[]
}

export interface Agents {
  id: string
  workspace: string
  name: string
  company: string | null
  goal: string
  rules: string
  knowledge: string
  enabled: boolean
  labels: string[]
  channels: string[]
  hours: Json<Hours>
}

export interface Deals {
  id: string
  workspace: string
  label: string
  seller: string
  buyer: string
  agent: string
  stage: Generated<string>
  createdAt: At
  closedAt: At | null
}
