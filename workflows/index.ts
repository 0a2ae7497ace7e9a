export { applyRouting } from './apply-routing.ts'
export { checkSenders } from './check-senders.ts'
export { deliverEvents } from './deliver-events.ts'
export { deliverInvitation } from './deliver-invitation.ts'
export { deliverTouch } from './deliver-touch.ts'
export { finishCampaign, pauseCampaign } from './drain-campaign.ts'
export { erasePerson } from './erase-person.ts'
export { eraseWorkspace } from './erase-workspace.ts'
export { findPeople, searchPeople } from './find-people.ts'
export { importPeople } from './import-people.ts'
export { judgeSegment } from './judge-segment.ts'
export {
  bookMeeting,
  cancelMeeting,
  checkMeeting,
  declineProposal,
  fileInvitation,
  moveMeeting,
} from './meetings.ts'
export { parseArchive } from './parse-archive.ts'
export { readMailboxes } from './read-mailboxes.ts'
export { refillSegments } from './refill-segments.ts'
export { removeConnection } from './remove-connection.ts'
export { runCampaign } from './run-campaign.ts'
export { runTask } from './run-task.ts'
export { sendMessage } from './send-message.ts'
export { snoozeConversation } from './snooze-conversation.ts'
export { syncCalendars } from './sync-calendars.ts'
export { syncMailbox } from './sync-mailbox.ts'
export { cleanUp, sweep } from './upkeep.ts'
export { verifyConnection } from './verify-connection.ts'
export { writeLetters } from './write-letters.ts'
