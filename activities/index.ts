import { checkSendersActivities } from './check-senders.ts'
import { deliverTouchActivities } from './deliver-touch.ts'
import type { Deps } from './deps.ts'
import { importPeopleActivities } from './import-people.ts'
import { operationActivities } from './operation.ts'
import { runCampaignActivities } from './run-campaign.ts'
import { segmentActivities } from './segments.ts'
import { sendMessageActivities } from './send-message.ts'
import { snoozeConversationActivities } from './snooze-conversation.ts'
import { upkeepActivities } from './upkeep.ts'
import { writeLettersActivities } from './write-letters.ts'

/** Every effect that workflows can have. */
export const createActivities = (deps: Deps) => ({
  ...importPeopleActivities(deps),
  ...operationActivities(deps),
  ...upkeepActivities(deps),
  ...checkSendersActivities(deps),
  ...writeLettersActivities(deps),
  ...deliverTouchActivities(deps),
  ...runCampaignActivities(deps),
  ...segmentActivities(deps),
  ...sendMessageActivities(deps),
  ...snoozeConversationActivities(deps),
})

export type Activities = ReturnType<typeof createActivities>
