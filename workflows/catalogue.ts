import type * as workflows from './index.ts'
import { summaries } from './summaries.ts'

type WorkflowName = keyof typeof workflows

// Each workflow has its sentence, and each sentence its workflow.
const known: Partial<Record<string, string>> = summaries satisfies Record<WorkflowName, string>

/** Of a type that another release has put into the outbox, its name. */
export const summaryOf = (type: string): string => known[type] ?? type

/** The workflows that show what their activities cannot get past (waiting.ts). */
export const listensForTrouble: ReadonlySet<string> = new Set<WorkflowName>([
  'sendMessage',
  'deliverTouch',
  'deliverInvitation',
  'runTask',
  'bookMeeting',
  'cancelMeeting',
  'syncMailbox',
])
