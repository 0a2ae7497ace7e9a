import type * as workflows from './index.ts'
import { summaries } from './summaries.ts'

type WorkflowName = keyof typeof workflows

// Every workflow has a summary, and every summary belongs to a workflow.
const known: Partial<Record<string, string>> = summaries satisfies Record<WorkflowName, string>

/** The summary of a workflow; its name if another release put it into the outbox. */
export const summaryOf = (type: string): string => known[type] ?? type

/** The workflows that show what their activities cannot get past (waiting.ts). */
export const listensForTrouble: ReadonlySet<string> = new Set<WorkflowName>([
  'sendMessage',
  'runCampaign',
  'deliverTouch',
  'deliverInvitation',
  'runTask',
  'bookMeeting',
  'cancelMeeting',
  'moveMeeting',
  'syncMailbox',
])
