import type { Occurrence } from '../../../db/calendar/meeting-mirror.ts'
import type { Window } from './events.ts'

/**
 * A calendar of another server, as far as we need one. Every call is bounded in time.
 * @throws CalendarTrouble when the server cannot be reached or does not let us in.
 */
export type RemoteCalendar = {
  /** Puts an event there under its UID, once: one that is there already counts as done. refused: it never will be taken. */
  create(uid: string, content: string): Promise<'created' | 'refused'>
  /** Removes the event of this UID; one that is not there counts as done. */
  remove(uid: string): Promise<void>
  /** Everything that overlaps a window, in the order of its beginning; what recurs, occurrence by occurrence. */
  list(window: Window): Promise<Occurrence[]>
  /** The event we put there under this UID; undefined when it is gone. */
  find(uid: string, window: Window): Promise<Occurrence[] | undefined>
}
