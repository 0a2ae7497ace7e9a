import type { Generated } from 'kysely'
import type { At, Json } from '../columns.ts'

// The parses of the archive.

export type ArchiveState = 'running' | 'done' | 'declined'

/** The counts of a parse. */
export type ArchiveCounts = { addresses: number; marked: number; tagged: number; stored?: number }

export interface Archives {
  id: string
  workspace: string
  operation: string | null
  state: ArchiveState
  since: string | null
  channels: Generated<string[]>
  groups: Generated<boolean>
  fresh: Generated<boolean>
  done: Generated<number>
  total: number | null
  counts: Json<Partial<ArchiveCounts>>
  createdAt: At
  startedAt: At | null
  endedAt: At | null
}

export interface ArchiveChannels {
  archive: string
  channel: string
  position: number
  /** The cursor in the history, as its source writes it. */
  cursor: Generated<string>
  total: number | null
  ended: Generated<boolean>
  problem: string | null
}
