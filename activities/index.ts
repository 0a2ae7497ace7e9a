import { checkSendersActivities } from './accounts/check-senders.ts'
import { removeConnectionActivities } from './accounts/remove-connection.ts'
import { verifyConnectionActivities } from './accounts/verify-connection.ts'
import { parseArchiveActivities } from './archive/parse-archive.ts'
import { deliverInvitationActivities } from './calendar/deliver-invitation.ts'
import { fileInvitationActivities } from './calendar/file-invitation.ts'
import { meetingActivities } from './calendar/meetings.ts'
import { syncCalendarsActivities } from './calendar/sync-calendars.ts'
import { deliverTouchActivities } from './campaigns/deliver-touch.ts'
import { runCampaignActivities } from './campaigns/run-campaign.ts'
import { sendDueActivities } from './campaigns/send-due.ts'
import { writeAheadActivities } from './campaigns/write-ahead.ts'
import { writeLettersActivities } from './campaigns/write-letters.ts'
import { outcomes } from './common/outcomes.ts'
import { applyRoutingActivities } from './conversations/apply-routing.ts'
import { runTaskActivities } from './conversations/run-task.ts'
import { sendMessageActivities } from './conversations/send-message.ts'
import { snoozeConversationActivities } from './conversations/snooze-conversation.ts'
import type { Deps } from './deps.ts'
import { deliverEventsActivities } from './events/deliver-events.ts'
import { readMailboxesActivities } from './inbox/reader/read-mailboxes.ts'
import { eraseWorkspaceActivities } from './operations/erase-workspace.ts'
import { operationActivities } from './operations/operation.ts'
import { upkeepActivities } from './operations/upkeep.ts'
import { erasePersonActivities } from './people/erase-person.ts'
import { importPeopleActivities } from './people/import-people.ts'
import { findPeopleActivities } from './segments/find-people.ts'
import { segmentActivities } from './segments/segments.ts'

const effects = (deps: Deps) => ({
  ...deliverInvitationActivities(deps),
  ...meetingActivities(deps),
  ...fileInvitationActivities(deps),
  ...syncCalendarsActivities(deps),
  ...applyRoutingActivities(deps),
  ...findPeopleActivities(deps),
  ...parseArchiveActivities(deps),
  ...readMailboxesActivities(deps),
  ...importPeopleActivities(deps),
  ...erasePersonActivities(deps),
  ...eraseWorkspaceActivities(deps),
  ...operationActivities(deps),
  ...upkeepActivities(deps),
  ...checkSendersActivities(deps),
  ...removeConnectionActivities(deps),
  ...verifyConnectionActivities(deps),
  ...writeLettersActivities(deps),
  ...deliverTouchActivities(deps),
  ...deliverEventsActivities(deps),
  ...runCampaignActivities(deps),
  ...sendDueActivities(deps),
  ...writeAheadActivities(deps),
  ...runTaskActivities(deps),
  ...segmentActivities(deps),
  ...sendMessageActivities(deps),
  ...snoozeConversationActivities(deps),
})

/** All activities. Those that end an operation also return how it ended. */
export const createActivities = (deps: Deps) => {
  const all = effects(deps)
  const { ending, stepping, steppingIfAny, looking, goingOn } = outcomes
  return {
    ...all,
    sendDueMessage: stepping(deps, all.sendDueMessage),
    sendMessageWhenDue: steppingIfAny(deps, all.sendMessageWhenDue),
    taskStep: stepping(deps, all.taskStep),
    snoozeStep: stepping(deps, all.snoozeStep),
    invitationStep: looking(deps, all.invitationStep),
    sendDue: looking(deps, all.sendDue),
    importRows: goingOn(deps, all.importRows),
    eraseWords: goingOn(deps, all.eraseWords),
    eraseWorkspace: goingOn(deps, all.eraseWorkspace),
    parseHistory: goingOn(deps, all.parseHistory),
    cancelTask: ending(deps, all.cancelTask),
    endSnooze: ending(deps, all.endSnooze),
    answerJudged: ending(deps, all.answerJudged),
    answerRouted: ending(deps, all.answerRouted),
    answerFound: ending(deps, all.answerFound),
    searchPeople: ending(deps, all.searchPeople),
    writeLetters: ending(deps, all.writeLetters),
    checkSenders: ending(deps, all.checkSenders),
    endThroughConnection: goingOn(deps, all.endThroughConnection),
    keepConnection: ending(deps, all.keepConnection),
    checkMeeting: ending(deps, all.checkMeeting),
    finishBooking: ending(deps, all.finishBooking),
    refuseBooking: ending(deps, all.refuseBooking),
    finishCancel: ending(deps, all.finishCancel),
    finishMove: ending(deps, all.finishMove),
    refuseMove: ending(deps, all.refuseMove),
    declineProposal: ending(deps, all.declineProposal),
    endRunner: ending(deps, all.endRunner),
    pauseByOperator: ending(deps, all.pauseByOperator),
  }
}

export type Activities = ReturnType<typeof createActivities>
