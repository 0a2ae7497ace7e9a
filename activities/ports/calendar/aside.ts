import { fileURLToPath } from 'node:url'
import { AsideTrouble, openPool } from '../../../process/children/pool.ts'
import type { Occurrence } from '../../../rules/calendar/events.ts'
import type { EventText, ListEvents, Listed } from './answers.ts'
import { CalendarTrouble } from './calendar.ts'
import type { HeldEvent } from './held-event.ts'
import type { Merging } from './merged-event.ts'

// Events are parsed in a child process, because anybody who may invite a member can write to their calendar. It is not the pool
// that parses mail, because a call that checks a meeting waits for it.

const pool = openPool({
  name: 'calendar',
  module: fileURLToPath(new URL('../../children/child.ts', import.meta.url)),
  size: 2,
  mostWaiting: 1_000,
  heapMb: 384,
  // A thousand events take a second.
  limits: { cpuMs: 10_000, rssMb: 640 },
})

/** @throws CalendarTrouble caldav_too_much, aside_unavailable, aside_busy. */
export const listEventsAside = (workspace: string, list: ListEvents) =>
  run<Listed>(workspace, 'listEvents', list)

/** @throws CalendarTrouble as listEventsAside does. */
export const occurrencesAside = (workspace: string, event: EventText) =>
  run<Occurrence[]>(workspace, 'occurrencesOf', event)

/** @throws CalendarTrouble as listEventsAside does. */
export const heldEventAside = (workspace: string, event: HeldEvent) =>
  run<string | null>(workspace, 'heldEvent', event)

/** @throws CalendarTrouble as listEventsAside does. */
export const movedEventAside = (workspace: string, event: Merging) =>
  run<string>(workspace, 'movedEvent', event)

async function run<T>(
  key: string,
  kind: string,
  input: ListEvents | EventText | HeldEvent | Merging,
): Promise<T> {
  const outcome = await pool.run<T>({ key, kind, input }).catch((error: unknown) => {
    throw error instanceof AsideTrouble ? new CalendarTrouble(error.code) : error
  })
  if (outcome.broke !== null) throw new CalendarTrouble('caldav_too_much')
  return outcome.value
}
