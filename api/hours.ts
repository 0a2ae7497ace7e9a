import { z } from 'zod'
import { optional, Zone } from './shapes.ts'

const Time = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { message: 'must be a time of day as HH:MM' })
// The end of a day is 24:00, as ISO 8601 had it before 2019.
const EndTime = z
  .string()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, { message: 'must be a time of day as HH:MM' })
const DayOff = z.union([
  z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']),
  z.iso.date({
    message: 'must be one of mon, tue, wed, thu, fri, sat, sun or a date as YYYY-MM-DD',
  }),
])

/**
 * Hours as a client writes them. What is left out stays as it was; further members are kept. The interface leaves the
 * names open: zone, from, to, daysOff, and timezone or timeZone for zone.
 */
export const HoursEdit = z
  .looseObject({
    zone: optional(Zone),
    timezone: optional(Zone),
    timeZone: optional(Zone),
    from: optional(Time),
    to: optional(EndTime),
    daysOff: optional(z.array(DayOff).max(400)),
  })
  .transform(({ zone, timezone, timeZone, from, to, daysOff, ...further }) => ({
    ...further,
    ...given({ zone: zone ?? timezone ?? timeZone, from, to, daysOff }),
  }))

export type HoursEdit = { zone?: string; from?: string; to?: string; daysOff?: string[] }

/** Hours as they are read. */
export const Hours = z
  .looseObject({
    zone: z.string(),
    from: z.string(),
    to: z.string(),
    daysOff: z.array(z.string()),
  })
  .meta({ id: 'Hours' })

const given = (members: HoursEdit | Record<keyof HoursEdit, unknown>): HoursEdit =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
