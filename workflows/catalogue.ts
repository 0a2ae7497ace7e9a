import type * as workflows from './index.ts'

type WorkflowName = keyof typeof workflows

/** What each workflow does, in the sentence that an operator reads beside its id in the Web UI. */
export const summaries = {
  sendMessage: 'Sends one message at its time and in its turn within the conversation',
  snoozeConversation: 'Keeps a conversation snoozed until its time, a new message or a wake-up',
  importPeople: 'Imports a file of people in batches',
  erasePerson: 'Erases everything about a person, page by page',
  eraseWorkspace: 'Erases a workspace with everything in it, page by page',
  judgeSegment: 'Judges one batch of people for a segment',
  refillSegments: 'Judges new and changed people for segments with refill',
  runTask: 'Has an agent carry out a task at its time',
  applyRouting: 'Assigns one batch of the conversations without an owner, by the routing rules',
  parseArchive: 'Parses past correspondence, page by page',
  searchPeople: 'Counts the people whom the finder knows for a segment',
  findPeople: 'Adds one batch of found people to the contacts and to a segment',
  writeLetters: 'Writes and agrees the example letters of a campaign',
  runCampaign: 'Runs a campaign: one letter at a time, within hours and limits',
  pauseCampaign: 'Pauses a campaign and waits until no letter is being sent',
  finishCampaign: 'Ends a campaign and waits until no letter is being sent',
  deliverTouch: 'Waits until it is known whether a letter of a campaign has arrived',
  deliverEvents:
    'Sends the queued events to one webhook, in order, until each is accepted or given up',
  bookMeeting: 'Books a meeting: its event in the calendar, the invitations, the answer',
  cancelMeeting: 'Cancels a meeting: removes its event from the calendar',
  moveMeeting: 'Moves a meeting: its event in the calendar, the news to its guests, the answer',
  declineProposal: 'Tells a guest that a meeting does not move to the time they proposed',
  fileInvitation:
    "Puts a meeting that a client invited to into the member's calendar, or takes it out",
  checkMeeting: 'Reports what a meeting would conflict with',
  deliverInvitation: 'Delivers a mail about a meeting to one guest',
  syncCalendars: 'Reads the changes in the calendars on other servers',
  sweep: 'Finds operations that lost their workflow, and accounts that work again',
  readMailboxes: 'Reads the mailboxes of up to a hundred accounts as mail arrives',
  syncMailbox: 'Shows how the mailbox of an account is read, and tries it again when asked to',
  cleanUp: 'Deletes what is past its retention period',
  removeConnection:
    'Ends what is queued through a connection that was removed, and takes back its consent',
  verifyConnection: 'Tries to log in to the servers of a mailbox, and keeps it as a connection',
  checkSenders: 'Checks whether the sending accounts accept a login',
} satisfies Record<WorkflowName, string>

const known: Partial<Record<string, string>> = summaries

/** The summary of a workflow; its name if another release put it into the outbox. */
export const summaryOf = (type: string): string => known[type] ?? type
