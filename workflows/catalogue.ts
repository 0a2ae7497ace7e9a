import type * as workflows from './index.ts'

type WorkflowName = keyof typeof workflows

// What each workflow is, in the sentence an operator reads beside its id in the Web UI.

export const summaries = {
  sendMessage: 'Sends one message when its time and its turn in the conversation have come',
  snoozeConversation: 'Keeps a conversation snoozed until its moment, a message or a wake',
  importPeople: 'Imports a file of people, batch by batch',
  judgeSegment: 'Judges one batch of people for a segment',
  refillSegments: 'Judges new and changed people for the segments that are refilled',
  runTask: 'Has an agent carry out a task at its time',
  applyRouting: 'Hands out one batch of the conversations nobody owns, by the rules',
  parseArchive: 'Parses what was written before, page by page',
  searchPeople: 'Counts the people a finder knows for a segment',
  findPeople: 'Adds one batch of found people to contacts and a segment',
  writeLetters: 'Writes and agrees the example letters of a campaign',
  runCampaign: 'Runs a campaign: one letter at a time, within hours and limits',
  pauseCampaign: 'Pauses a campaign and waits until nothing is in flight',
  finishCampaign: 'Ends a campaign and waits until nothing is in flight',
  deliverTouch: 'Delivers one letter of a campaign to one person',
  deliverEvents: 'Sends what is queued to one webhook, in order, until all is taken or given up',
  deliverWebhook: 'Hands one event to the workflow of its webhook',
  bookMeeting: 'Books a meeting: its event in the calendar, the invitations, the answer',
  cancelMeeting: 'Cancels a meeting: takes its event out of the calendar',
  checkMeeting: 'Says what a meeting would be in the way of',
  deliverInvitation: 'Delivers the invitation to a meeting, or its cancellation, to one guest',
  syncCalendars: 'Looks what was done in the calendars of other servers',
  sweep: 'Looks for operations that lost their workflow, and for accounts that came back',
  syncMailbox: 'Reads the mailbox of an account as mail arrives',
  cleanUp: 'Forgets what is past its time',
  checkSenders: 'Checks whether the sending accounts can be logged in to',
} satisfies Record<WorkflowName, string>

const known: Partial<Record<string, string>> = summaries

/** Of a type that another release has put into the outbox, its name. */
export const summaryOf = (type: string): string => known[type] ?? type

/** Those that tell what their activities cannot get past (waiting.ts). */
export const listensForTrouble: ReadonlySet<string> = new Set<WorkflowName>([
  'sendMessage',
  'deliverTouch',
  'deliverInvitation',
  'runTask',
  'bookMeeting',
  'cancelMeeting',
  'syncMailbox',
])
