import type { At } from '../columns.ts'

// Tables that reading mailboxes fills.

/** Message-IDs of ours that were seen in a Sent folder. */
export interface SentEvidence {
  workspace: string
  messageId: string
  at: At
}
