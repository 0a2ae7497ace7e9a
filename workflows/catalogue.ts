// What each workflow is, in the sentence an operator reads beside its id in the Web UI.

export const summaries: Record<string, string> = {
  sendMessage: 'Sends one message when its time and its turn in the conversation have come',
  snoozeConversation: 'Keeps a conversation snoozed until its moment, a message or a wake',
  importPeople: 'Imports a file of people, batch by batch',
  judgeSegment: 'Judges one batch of people for a segment',
  writeLetters: 'Writes and agrees the example letters of a campaign',
  runCampaign: 'Runs a campaign: one letter at a time, within hours and limits',
  pauseCampaign: 'Pauses a campaign and waits until nothing is in flight',
  finishCampaign: 'Ends a campaign and waits until nothing is in flight',
  deliverTouch: 'Delivers one letter of a campaign to one person',
  sweep: 'Looks for operations that lost their workflow, and for accounts that came back',
  cleanUp: 'Forgets what is past its time',
  checkSenders: 'Checks whether the sending accounts can be logged in to',
}
