import { DateTime } from 'luxon'

// Pure rules of time: which day, which week, when letters may go. No clock, no I/O: "now" is always given. Used by the API
// and by activities; workflow code gets instants from activities, because zone data changes with Node.

/** The day of an instant in a zone, YYYY-MM-DD. */
export const dayIn = (zone: string, at: Date): string => DateTime.fromJSDate(at, { zone }).toISODate() as string

/** The Monday of the week of an instant in a zone, YYYY-MM-DD. */
export const mondayIn = (zone: string, at: Date): string =>
  DateTime.fromJSDate(at, { zone }).startOf('week').toISODate() as string
