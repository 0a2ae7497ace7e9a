import type { Generated } from 'kysely'
import type { CampaignState } from '../../rules/campaign.ts'
import type { LetterHead } from '../../rules/outgoing.ts'
import type { At, Json, JsonOrNull } from '../columns.ts'

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
  /** How many letters it has for each person: 1, 2 or 3. */
  places: Generated<number>
  /** The weekdays between each letter after the first and the one before it. */
  waitDays: Generated<number[]>
  materials: Json<({ title?: string; text?: string } & Record<string, unknown>)[]>
  /** Raised by every accepted move; a claim made under another epoch fails. */
  runEpoch: Generated<number>
  /** Raised by every edit of what letters are written from; an agreement holds for the version it was given to. */
  briefVersion: Generated<number>
  /** The workflow id of the runner of the current epoch. */
  runner: string | null
  createdAt: At
  updatedAt: At
  startedAt: At | null
  /** Of which segment first letters are planned, and up to which number of those who joined it. */
  plannedSegment: string | null
  plannedTo: Generated<string>
  /** The person up to whom letters were ended, where anybody may have left the segment; null if that is done. */
  leftTo: Generated<string | null>
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

/** A template of a place; the variants of a place are distinguished by a letter. */
export interface CampaignTemplates {
  campaign: string
  place: number
  variant: string
  weight: number
  /** Empty where the subject is that of the thread. */
  subject: string
  text: string
  html: string | null
}

/** A letter that is sent to a member to look at, by the operation that asked for it. */
export interface LetterTests {
  operation: string
  workspace: string
  campaign: string
  place: number
  person: string
  toAddress: string
  state: Generated<'queued' | 'sending' | 'sent' | 'failed' | 'unconfirmed'>
  /** Why it failed. */
  code: string | null
}

export interface Touches {
  id: string
  workspace: string
  campaign: string
  person: string
  /** 1, 2 or 3; less in a letter that was sent again, or that would have followed one (touch-again.ts). */
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
  /**
   * The language of its text; null in letters of earlier versions, whose fixed words, such as the unsubscribe line, are
   * English.
   */
  language: Language | null
  /** The member that its text is from; null in letters of earlier versions, which may go through any account. */
  signedBy: string | null
  /** Its own text is agreed, whatever has become of its place. */
  agreed: Generated<boolean>
  message: string | null
  /** The token in this letter's unsubscribe link. */
  token: string | null
  attempt: string | null
  tries: Generated<number>
  claimedAt: At | null
  claimedDay: string | null
  epoch: number | null
  workflow: string | null
  createdAt: At
  /** The code that a server or a bounce gave: the enhanced status code (RFC 3463), otherwise the reply code. */
  code: string | null
  /** When it would have gone had it not been held. */
  heldFrom: At | null
  /** As in messages. A letter that the server put off keeps its dueAt. */
  nextTryAt: At | null
  firstClaimedAt: At | null
  leasedUntil: At | null
  /** The text in HTML, if its template has one. */
  html: string | null
  /** Which variant of its place the person got; once it is chosen, it stays. */
  variant: string | null
  /** Null in letters of earlier versions. */
  head: JsonOrNull<LetterHead>
  /** Somebody wrote its words for this person: they are never written again. */
  ownWords: Generated<boolean>
  /** The variables that had no value when the text was to be made: the letter waits for review then. */
  missing: string[] | null
  /** What the server or the report said in its own words, if the letter did not arrive. */
  said: string | null
  /** The letter as which it was sent again. */
  again: string | null
  /** As in messages. */
  removedAt: At | null
  /** As in messages. */
  counted: Generated<boolean>
}

/** When a campaign may next send through an account; booked in advance, so that campaigns never race for an account. */
export interface AccountTurns {
  connection: string
  campaign: string
  at: NonNullable<At>
}
