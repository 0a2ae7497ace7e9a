import type { Occurrence } from '../../../db/calendar/meeting-mirror.ts'
import type { Window } from './events.ts'

/**
 * A calendar on another server, as far as we need one. Every call has a time limit.
 * @throws CalendarTrouble if the server cannot be reached or does not let us in.
 */
export type RemoteCalendar = {
  /**
   * Stores an event under its UID, once; an event that is there already counts as done. refused: the server will never accept
   * it.
   */
  create(uid: string, content: string): Promise<'created' | 'refused'>
  /** Stores an event under its UID in place of the one that is there. refused: as above. */
  put(uid: string, content: string): Promise<'created' | 'refused'>
  /** Removes the event of this UID; an event that is not there counts as done. */
  remove(uid: string): Promise<void>
  /** All events that overlap a window, in the order of their beginning; recurring events as single occurrences. */
  list(window: Window): Promise<Occurrence[]>
  /** The event that we stored under this UID; undefined if it is gone. */
  find(uid: string, window: Window): Promise<Occurrence[] | undefined>
}
