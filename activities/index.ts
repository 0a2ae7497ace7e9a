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
import { parseArchiveActivities } from './parse-archive.ts'
import { runCampaignActivities } from './run-campaign.ts'
import { runTaskActivities } from './run-task.ts'
import { segmentActivities } from './segments.ts'
import { sendMessageActivities } from './send-message.ts'
import { snoozeConversationActivities } from './snooze-conversation.ts'
import { syncCalendarsActivities } from './sync-calendars.ts'
import { upkeepActivities } from './upkeep.ts'
import { writeLettersActivities } from './write-letters.ts'

/** Every effect that workflows can have. */
export const createActivities = (deps: Deps) => ({
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

export type Activities = ReturnType<typeof createActivities>
