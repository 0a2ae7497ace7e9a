import type { Occurrence, Window } from '../../../rules/calendar/events.ts'

/** Given null where there is no event. */
export type MakeEvent = (current: string | null) => string | null | Promise<string | null>

/**
 * A calendar on another server, as far as we need one. Every call has a time limit.
 * @throws CalendarTrouble if the server cannot be reached or does not let us in.
 */
export type RemoteCalendar = {
  /**
   * Stores an event under its UID: what `make` makes of the one that is there. Null removes it, and the same text leaves it as it is.
   * Where somebody else changes it meanwhile, `make` is called again. refused: the server will never accept it.
   */
  put(uid: string, make: MakeEvent): Promise<'done' | 'refused'>
  /** Removes the event of this UID; an event that is not there counts as done. */
  remove(uid: string): Promise<void>
  /** All events that overlap a window, in the order of their beginning; recurring events as single occurrences. */
  list(window: Window): Promise<Occurrence[]>
  /** The event that we stored under this UID; undefined if it is gone. */
  find(uid: string, window: Window): Promise<Occurrence[] | undefined>
}

/** The calendar could not be used; `code` is safe to show (no answer of the server, no address). */
export class CalendarTrouble extends Error {
  readonly code: string
  /** How long its server is not asked, because it has failed again and again. */
  readonly delayMs: number | undefined
  constructor(code: string, delayMs?: number) {
    super(code)
    this.code = code
    this.delayMs = delayMs
  }
}
