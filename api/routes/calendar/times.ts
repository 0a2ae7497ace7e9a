import { z } from 'zod'
import { instantOf } from '../../../rules/local-time.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import type { ReadContext, Scope } from '../../route.ts'
import { Day, withValues } from '../../shapes/shapes.ts'

// When a meeting is to be, as calls give it; a check says what would happen then.

export const time = {
  day: Day.describe('The day in the time zone of the workspace, as YYYY-MM-DD.'),
  start: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { message: 'must be a time of day as HH:MM' })
    .describe('The time of day at which it starts, in the time zone of the workspace, as HH:MM.'),
}

export const Minutes = z.literal([15, 30, 45, 60, 90, 120])

export const describeMinutes = (sentence: string) =>
  withValues(sentence, {
    15: 'a quarter of an hour',
    30: 'half an hour',
    45: 'three quarters of an hour',
    60: 'an hour',
    90: 'an hour and a half',
    120: 'two hours',
  })

const isCheck = (rawBody: unknown) => (rawBody as { check?: unknown } | undefined)?.check === true

/** The parts of a route whose call with `check: true` changes nothing. */
export const checkable = {
  scopes: ['send'] as Scope[],
  scopesFor: (body: unknown): Scope[] => (isCheck(body) ? ['inbox:read'] : ['send']),
  scopesAtLeast: [['inbox:read'], ['send']] as Scope[][],
  keyOptional: isCheck,
}

// As with sendAt: clocks differ, and calls take a while.
const graceMs = 60_000
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')

/** The start and end of a meeting, given in the workspace's zone. @throws ApiError local_time_missing, time_in_past. */
export function timesOf(
  { day, start, minutes }: { day: string; start: string; minutes: number },
  { workspace, clock }: Pick<ReadContext, 'workspace' | 'clock'>,
) {
  const startsAt = instantOf(workspace.timezone, day, start)
  if (!startsAt)
    throw refusal(
      'local_time_missing',
      '/start',
      `does not exist on that day in ${workspace.timezone}: the clocks skip it`,
    )
  const endsAt = new Date(startsAt.getTime() + minutes * 60_000)
  if (endsAt.getTime() > lastInstant)
    throw invalid('/day', 'too_far', 'must be before the year 10000')
  refusePast(startsAt, clock.now(), '/start')
  return { startsAt, endsAt }
}

/**
 * The interface leaves meetings in the past open: nobody can be invited to one. A meeting that was arranged elsewhere is recorded
 * on its conversation (met). @throws ApiError time_in_past.
 */
export function refusePast(startsAt: Date, now: Date, pointer: string) {
  if (startsAt.getTime() < now.getTime() - graceMs)
    throw refusal('time_in_past', pointer, 'must not be in the past')
}

const refusal = (code: 'local_time_missing' | 'time_in_past', pointer: string, message: string) =>
  new ApiError(code, `${pointer}: ${message}`, { errors: [{ pointer, code, message }] })
