import type { At } from '../columns.ts'

// What reading mailboxes leaves.

/** Message-IDs of ours that were seen in a Sent folder. */
export interface SentEvidence {
  workspace: string
  messageId: string
  at: At
}
