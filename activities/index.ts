import type { Deps } from './deps.ts'
import { operationActivities } from './operation.ts'
import { sendMessageActivities } from './send-message.ts'

/** Every effect that workflows can have. */
export const createActivities = (deps: Deps) => ({
  ...operationActivities(deps),
  ...sendMessageActivities(deps),
})

export type Activities = ReturnType<typeof createActivities>
