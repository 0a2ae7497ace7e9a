import { z } from 'zod'
import { optional, withValues, Zone } from './shapes.ts'

const Time = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { message: 'must be a time of day as HH:MM' })
// The end of a day is 24:00, as in ISO 8601 before 2019.
const EndTime = z
  .string()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, { message: 'must be a time of day as HH:MM' })
const DayOff = z.union([z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']), z.iso.date()], {
  error: 'must be one of mon, tue, wed, thu, fri, sat, sun or a date as YYYY-MM-DD',
})

/**
 * Hours as a client writes them. Members that are left out keep their values; additional members are kept. The
 * interface leaves the names open: zone, from, to, daysOff, and timezone or timeZone for zone.
 */
export const HoursEdit = z
  .looseObject({
    zone: optional(Zone).describe('The IANA name of the time zone of the hours.'),
    timezone: optional(Zone).meta({ aliasOf: 'zone' }),
    timeZone: optional(Zone).meta({ aliasOf: 'zone' }),
    from: optional(Time).describe('The time of day at which work begins, as HH:MM.'),
    to: optional(EndTime).describe(
      'The time of day at which work ends, as HH:MM up to 24:00; must be later than `from`.',
    ),
    daysOff: optional(z.array(DayOff).max(400)).describe(
      withValues('Days without work: weekdays, or dates as YYYY-MM-DD.', {
        mon: 'every Monday',
        tue: 'every Tuesday',
        wed: 'every Wednesday',
        thu: 'every Thursday',
        fri: 'every Friday',
        sat: 'every Saturday',
        sun: 'every Sunday',
      }),
    ),
  })
  .meta({ id: 'HoursUpdate' })
  .transform(({ zone, timezone, timeZone, from, to, daysOff, ...further }) => ({
    ...further,
    ...given({ zone: zone ?? timezone ?? timeZone, from, to, daysOff }),
  }))

export type HoursEdit = { zone?: string; from?: string; to?: string; daysOff?: string[] }

/** Hours as they are read. */
export const Hours = z
  .looseObject({
    zone: z.string().describe('The IANA name of the time zone of the hours.'),
    from: z.string().describe('The time of day at which work begins, as HH:MM.'),
    to: z.string().describe('The time of day at which work ends, as HH:MM.'),
    daysOff: z
      .array(z.string())
      .describe('Days without work: `mon` to `sun`, or dates as YYYY-MM-DD.'),
  })
  .meta({ id: 'Hours' })

const given = (members: HoursEdit | Record<keyof HoursEdit, unknown>): HoursEdit =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
