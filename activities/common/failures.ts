import type { Info } from '@temporalio/activity'
import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import { msToNumber } from '@temporalio/common/lib/time.js'
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker'
import { isConflict, isLockTimeout, isUnavailable } from '../../db/database.ts'
import { SealError } from '../../db/secrets.ts'
import type { Log } from '../../process/telemetry/log.ts'
import { openThinning } from '../../process/telemetry/thinned.ts'

// Failures are kept in histories that operators read. Every error leaves an activity as a code and a safe sentence; the
// original error goes to our own log, as far as a log may hold it (scrubbed.ts).

/** What a trouble is about, by id; and its sentence without what differs from one attempt to the next. */
export type About = { connection: string; text?: string }

/** Tells the workflow about a failure of its activity that is retried (trouble-signals.ts). */
export type Teller = (
  info: Info,
  told: { failure: ApplicationFailure; about: About | undefined; nextTryAt: Date | undefined },
) => Promise<void>

/** A failure with its cause as a safe code. It is retried, after `nextRetryDelay` ms if given. `text` must hold nothing private. */
export const trouble = (
  code: string,
  text: string,
  { nextRetryDelay, ...about }: Partial<About> & { nextRetryDelay?: number } = {},
) =>
  ApplicationFailure.create({
    type: code,
    message: text,
    ...(nextRetryDelay !== undefined && { nextRetryDelay }),
    ...(about.connection && { details: [about] }),
  })

/** A failure as it is told while its server rests and is not asked: the same code, and when it is asked again. */
export const restingAs = (error: unknown, delayMs: number) =>
  ApplicationFailure.create({
    type: (error instanceof ApplicationFailure && error.type) || 'unavailable',
    message: error instanceof Error ? error.message : String(error),
    nextRetryDelay: delayMs,
  })

// That all places are taken, or that the worker stops, is not a failure worth a log line.
const quiet = new Set(['busy', 'model_busy', 'worker_stopping'])

/** Makes the failures of activities safe to show and logs the original errors. A failure that repeats is thinned out. */
export function safeFailuresOf(log: Log, tell?: Teller) {
  const often = openThinning()
  return (info: Info): ActivityInboundCallsInterceptor => ({
    async execute(input, next) {
      try {
        return await next(input)
      } catch (error) {
        if (error instanceof CancelledFailure) throw error
        const failure = safe(info, error)
        const isOurs = error instanceof ApplicationFailure
        const { activityType: activity, attempt, workflowExecution } = info
        const workflow = workflowExecution?.workflowId
        // Our own sentences name their subject, so all letters of an account share one trouble and one log line.
        const subject = aboutOf(error)
        const about = failure.type === 'internal' ? workflow : (subject?.text ?? failure.message)
        const told = quiet.has(failure.type as string) ? undefined : often(`${activity} ${about}`)
        const next = nextTryAt(info, failure)
        const line = {
          activity,
          workflow,
          attempt,
          code: failure.type,
          ...told,
          ...(!failure.nonRetryable && { nextTryAt: next }),
          ...(!isOurs && { err: error }),
        }
        const level = told || failure.nonRetryable ? 'warn' : 'debug'
        log[level](line, isOurs ? failure.message : 'activity failed')
        if (!failure.nonRetryable && !quiet.has(failure.type as string))
          await tell?.(info, { failure, about: subject, nextTryAt: next })
        throw failure
      }
    },
  })
}

const aboutOf = (error: unknown) =>
  error instanceof ApplicationFailure ? (error.details?.[0] as About | undefined) : undefined

/** After how many ms Temporal retries it; undefined if that cannot be known here. */
function retryDelayMs({ attempt, retryPolicy }: Info, { nextRetryDelay }: ApplicationFailure) {
  if (nextRetryDelay !== undefined) return msToNumber(nextRetryDelay)
  const { initialInterval, backoffCoefficient = 2, maximumInterval } = retryPolicy ?? {}
  if (initialInterval === undefined) return undefined
  const delayMs = Math.min(
    msToNumber(initialInterval) * backoffCoefficient ** Math.min(attempt - 1, 50),
    maximumInterval === undefined ? Number.POSITIVE_INFINITY : msToNumber(maximumInterval),
  )
  return Number.isFinite(delayMs) ? delayMs : undefined
}

function nextTryAt(info: Info, failure: ApplicationFailure) {
  const delayMs = retryDelayMs(info, failure)
  return delayMs === undefined ? undefined : new Date(Date.now() + delayMs)
}

// What fails at one moment everywhere.
const inStep = new Set(['database_unavailable', 'database_conflict'])

/**
 * Where the database is away, everything that runs fails within a moment. If all of it were retried after the same time, it would
 * come back in step again and again, so each has up to half of its delay on top.
 */
function apartMs(info: Info, failure: ApplicationFailure): ApplicationFailure['nextRetryDelay'] {
  const delayMs = inStep.has(failure.type as string) ? retryDelayMs(info, failure) : undefined
  return delayMs === undefined
    ? failure.nextRetryDelay
    : Math.round(delayMs * (1 + Math.random() / 2))
}

const lockedMs = 2_000

function safe(info: Info, error: unknown): ApplicationFailure {
  const original = known(error)
  const { type, message, nonRetryable } = original
  const nextRetryDelay = apartMs(info, original)
  // A new error, so that no stack, cause or details of the original come along.
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
  // Who holds the row, or stands still with it, is ended within twenty seconds: retries that are ever further apart would come long after.
  if (isLockTimeout(error))
    return trouble(
      'database_unavailable',
      'Another transaction holds what this one needs; the activity is retried.',
      { nextRetryDelay: lockedMs },
    )
  if (isUnavailable(error))
    return trouble(
      'database_unavailable',
      'The database is not available; the activity is retried.',
    )
  if (isConflict(error))
    return trouble('database_conflict', 'Two changes conflicted; the activity is retried.')
  if (error instanceof SealError) return trouble('secret_unreadable', error.message)
  return trouble('internal', 'Something unexpected happened; the worker has logged it.')
}
