import { applyRoutingActivities } from './apply-routing.ts'
import { checkSendersActivities } from './check-senders.ts'
import { deliverEventsActivities } from './deliver-events.ts'
import { deliverInvitationActivities } from './deliver-invitation.ts'
import { deliverTouchActivities } from './deliver-touch.ts'
import type { Deps } from './deps.ts'
import { findPeopleActivities } from './find-people.ts'
import { importPeopleActivities } from './import-people.ts'
import { syncMailboxActivities } from './inbox/sync-mailbox.ts'
import { meetingActivities } from './meetings.ts'
import { operationActivities } from './operation.ts'
import { outcomes } from './outcomes.ts'
import { parseArchiveActivities } from './parse-archive.ts'
import { runCampaignActivities } from './run-campaign.ts'
import { runTaskActivities } from './run-task.ts'
import { segmentActivities } from './segments.ts'
import { sendMessageActivities } from './send-message.ts'
import { snoozeConversationActivities } from './snooze-conversation.ts'
import { syncCalendarsActivities } from './sync-calendars.ts'
import { upkeepActivities } from './upkeep.ts'
import { writeLettersActivities } from './write-letters.ts'

const effects = (deps: Deps) => ({
  ...deliverInvitationActivities(deps),
  ...meetingActivities(deps),
  ...syncCalendarsActivities(deps),
  ...applyRoutingActivities(deps),
  ...findPeopleActivities(deps),
  ...parseArchiveActivities(deps),
  ...syncMailboxActivities(deps),
  ...importPeopleActivities(deps),
  ...operationActivities(deps),
  ...upkeepActivities(deps),
  ...checkSendersActivities(deps),
  ...writeLettersActivities(deps),
  ...deliverTouchActivities(deps),
  ...deliverEventsActivities(deps),
  ...runCampaignActivities(deps),
  ...runTaskActivities(deps),
  ...segmentActivities(deps),
  ...sendMessageActivities(deps),
  ...snoozeConversationActivities(deps),
})

/** Every effect that workflows can have; those that end something say how it ended. */
export const createActivities = (deps: Deps) => {
  const all = effects(deps)
  const { ending, stepping, looking, goingOn } = outcomes
  return {
    ...all,
    messageStep: stepping(deps, all.messageStep),
    taskStep: stepping(deps, all.taskStep),
    snoozeStep: stepping(deps, all.snoozeStep),
    invitationStep: looking(deps, all.invitationStep),
    campaignStep: looking(deps, all.campaignStep),
    importRows: goingOn(deps, all.importRows),
    parseHistory: goingOn(deps, all.parseHistory),
    cancelTask: ending(deps, all.cancelTask),
    endSnooze: ending(deps, all.endSnooze),
    answerJudged: ending(deps, all.answerJudged),
    answerRouted: ending(deps, all.answerRouted),
    answerFound: ending(deps, all.answerFound),
    searchPeople: ending(deps, all.searchPeople),
    writeLetters: ending(deps, all.writeLetters),
    checkSenders: ending(deps, all.checkSenders),
    checkMeeting: ending(deps, all.checkMeeting),
    finishBooking: ending(deps, all.finishBooking),
    refuseBooking: ending(deps, all.refuseBooking),
    finishCancel: ending(deps, all.finishCancel),
    endRunner: ending(deps, all.endRunner),
    pauseByOperator: ending(deps, all.pauseByOperator),
  }
}

export type Activities = ReturnType<typeof createActivities>
