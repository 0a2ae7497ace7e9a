import type { Generated } from 'kysely'
import type { Rule } from '../../rules/judge/judge.ts'
import type { At, Json, JsonOrNull } from '../columns.ts'

// Segments, their members, and the search for more people.

export interface Segments {
  id: string
  workspace: string
  name: string
  query: string
  /** Also with further members, which are kept. */
  rules: Json<(Rule & Record<string, unknown>)[]>
  version: Generated<number>
  refill: Generated<boolean>
  saved: Generated<boolean>
  createdAt: At
  updatedAt: At
  /** Its last find; migrations/0100-foundation/segments.ts. */
  foundChannel: FindChannel | null
  foundFilters: JsonOrNull<Record<string, unknown>>
  /** When it last had its turn to be refilled, and up to which person its people were gone through; null if that is done. */
  refilledAt: At | null
  refilledTo: string | null
}

export type FindChannel = 'email' | 'professional_network'

export interface FindRuns {
  id: string
  segment: string
  channel: FindChannel
  filters: JsonOrNull<Record<string, unknown>>
  total: number | null
  cursor: string | null
  step: Generated<number>
  seen: Generated<number>
  ended: Generated<boolean>
  createdAt: At
}

export interface Finds {
  operation: string
  segment: string
  channel: FindChannel
  words: string | null
  filters: JsonOrNull<Record<string, unknown>>
  run: string | null
  want: Generated<number>
  added: Generated<number>
  existing: Generated<number>
}

export interface SegmentPeople {
  segment: string
  person: string
  byHand: Generated<boolean>
  /** Taken out by hand: neither matches nor byHand, whatever is judged. */
  takenOut: Generated<boolean>
  matches: boolean
  reason: Generated<string>
  version: number
  at: At
  /** Their number among all who ever joined a segment; the database gives it. Null in rows of earlier releases. */
  joined: Generated<string | null>
}
