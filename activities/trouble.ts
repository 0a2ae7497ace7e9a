import type { Info } from '@temporalio/activity'
import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker'
import { isConflict, isUnavailable } from '../db/database.ts'
import { SealError } from '../db/secrets.ts'
import type { Log } from '../log.ts'

// Failures are kept in histories that operators read. Whatever an activity throws leaves it as a code and a safe sentence;
// what it really was goes to our own log, as far as a log may hold it (scrubbed.ts).

/**
 * A failure that says its cause in a safe code and is retried, after `nextRetryDelay` ms where given. `text` must hold nothing
 * private.
 */
export const trouble = (code: string, text: string, nextRetryDelay?: number) =>
  ApplicationFailure.create({
    ...{ type: code, message: text },
    ...(nextRetryDelay !== undefined && { nextRetryDelay }),
  })

/** A failure no retry can mend. */
export const hopeless = (code: string, text: string) =>
  ApplicationFailure.create({ type: code, message: text, nonRetryable: true })

/** Makes every failure of an activity safe to show, and logs the real one. */
export const safeFailures = (log: Log, info: Info): ActivityInboundCallsInterceptor => ({
  async execute(input, next) {
    try {
      return await next(input)
    } catch (error) {
      if (error instanceof CancelledFailure) throw error
      const failure = safe(error)
      const { activityType: activity, attempt, workflowExecution } = info
      const workflow = workflowExecution?.workflowId
      // That many are at it is no failure to look into.
      const level = failure.type === 'busy' ? 'debug' : 'warn'
      log[level]({ activity, workflow, attempt, code: failure.type, err: error }, 'activity failed')
      throw failure
    }
  },
})

function safe(error: unknown): ApplicationFailure {
  const { type, message, nonRetryable, nextRetryDelay } = known(error)
  // Made anew: no stack, no cause, no details of the first one come along.
  const failure = ApplicationFailure.create({
    type: type ?? 'internal',
    message,
    nonRetryable: nonRetryable ?? false,
    ...(nextRetryDelay && { nextRetryDelay }),
  })
  failure.stack = ''
  return failure
}

function known(error: unknown): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error
  if (isUnavailable(error))
    return trouble('database_unavailable', 'The database is not available; it is tried again.')
  if (isConflict(error))
    return trouble('database_conflict', 'Two changes crossed; it is tried again.')
  if (error instanceof SealError) return trouble('secret_unreadable', error.message)
  return trouble('internal', 'Something unexpected happened; the worker has logged it.')
}
