import type { Generated } from 'kysely'
import type { CampaignState } from '../../rules/campaign.ts'
import type { At, Json } from '../columns.ts'

// Campaigns and their letters.

export type TouchState = 'queued' | 'review' | 'sending' | 'sent' | 'failed'

/** A language that letters are written in. */
export type Language = 'en' | 'de' | 'es' | 'fr'

export interface Campaigns {
  id: string
  workspace: string
  name: string
  goal: string
  kind: Generated<string>
  state: Generated<CampaignState>
  segment: string | null
  agent: string | null
  senders: Generated<string[]>
  addRules: Generated<string[]>
  materials: Json<({ title?: string; text?: string } & Record<string, unknown>)[]>
  /** Raised by every accepted move; a claim made under another epoch fails. */
  runEpoch: Generated<number>
  /** Raised by every edit that letters are written by; an agreement is of the brief it was given under. */
  briefVersion: Generated<number>
  /** The workflow id of the runner that the current epoch belongs to. */
  runner: string | null
  createdAt: At
  updatedAt: At
  startedAt: At | null
}

export interface CampaignLetters {
  campaign: string
  place: number
  subject: string
  text: string
  agreed: Generated<boolean>
  writtenAt: At
  /** The version of the brief it was written from. */
  brief: Generated<number>
}

export interface Touches {
  id: string
  workspace: string
  campaign: string
  person: string
  place: number
  state: TouchState
  reason: string | null
  dueAt: At
  sentAt: At | null
  connection: string | null
  conversation: string | null
  toAddress: string | null
  subject: string | null
  text: string | null
  writtenAt: At | null
  messageId: string | null
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
  token: string | null
  attempt: string | null
  tries: Generated<number>
  claimedAt: At | null
  claimedDay: string | null
  epoch: number | null
  workflow: string | null
  createdAt: At
  /** What a server or a bounce said of it: its enhanced status code (RFC 3463), else the reply code. */
  code: string | null
  /** When it would have gone had it not been held. */
  heldFrom: At | null
  /** As of messages. A letter that the server put off keeps its dueAt. */
  nextTryAt: At | null
  firstClaimedAt: At | null
  leasedUntil: At | null
}
