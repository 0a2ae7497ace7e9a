import type { At } from '../columns.ts'

// Tables that reading mailboxes fills.

/** Message-IDs of ours that were seen in a Sent folder. */
export interface SentEvidence {
  workspace: string
  messageId: string
  at: At
}

/** Ids beside its Message-ID by which mail may name a letter of ours: those that its provider gave it. */
export interface LetterIds {
  workspace: string
  /** The account that the letter went from. */
  connection: string
  /** In small letters and without brackets: a whole id, or what stands before its @. */
  id: string
  /** The Message-ID that we gave it. */
  messageId: string
  at: At
}
