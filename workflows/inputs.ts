// The input of each workflow: ids, and what no row holds. Operators can read it in the Web UI, and activities get the
// same input.

export type RoutingInput = { operation: string }

export type CheckInput = {
  operation: string | null
  workspace: string | null
  connection: string | null
}

export type WebhookInput = { workspace: string; webhook: string; epoch: number }

/** `operation` is null where nobody waits for an answer of a call: the page of a mailbox's owner reads the row. */
export type VerificationInput = {
  operation: string | null
  workspace: string
  verification: string
}

/** A person has asked to try at once, with the update or the signal `retryNow`. */
export type Asked = { asked?: true }

export type InvitationInput = { invitation: string }

export type TouchInput = { campaign: string; touch: string }

export type DrainInput = { operation: string; campaign: string }

export type FindInput = { operation: string; segment: string }

export type ErasureInput = { operation: string }

/** `revoke`: the consent of its owner is taken back at the provider too. */
export type RemovalInput = { operation: string; connection: string; revoke: boolean }

export type ImportInput = { operation: string; import: string }

export type JudgeInput = { operation: string; segment: string }

export type CheckMeetingInput = { operation: string }

export type MeetingInput = { operation: string; meeting: string }

export type ProposalInput = MeetingInput & { proposal: string }

/** The message that brought an invitation. */
export type FilingInput = { message: string }

export type ArchiveInput = { operation: string; archive: string }

/** `joined`: whether people may have joined for whom nothing is planned yet; a run that goes on for another one is told. */
export type RunnerInput = { operation: string; campaign: string; epoch: number; joined?: boolean }

export type TaskInput = { operation: string; task: string }

export type MessageInput = {
  operation: string
  message: string
  /**
   * It may be sent within a task of its workflow: within the first one, by the worker that has started it, or (`due`) within the
   * one that follows its `sendAt`.
   */
  atOnce?: true | 'due'
}

export type SnoozeInput = { operation: string; conversation: string; version: number }

export type MailboxInput = { connection: string }

export type MailboxSetInput = { set: string }

export type LettersInput = {
  operation: string
  campaign: string
  write: number[]
  agree: number[]
  /** The version of the brief when the call was made. */
  brief: number
}
