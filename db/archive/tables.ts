import type { Generated } from 'kysely'
import type { At, Json } from '../columns.ts'

// The parses of what was written before.

export type ArchiveState = 'running' | 'done' | 'declined'

/** What a parse of the archive has come to. */
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
  /** Its place in the history, as its source writes it. */
  cursor: Generated<string>
  total: number | null
  ended: Generated<boolean>
  problem: string | null
}
