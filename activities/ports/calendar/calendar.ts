import type { ExternalCalendar } from '../../../db/calendar/calendars.ts'
import type { Occurrence } from '../../../db/calendar/meeting-mirror.ts'
import { SealError, type SecretKey, unseal } from '../../../db/secrets.ts'
import { isInClear } from '../../../network/loopback.ts'
import { openCalDav } from './caldav.ts'
import { CalendarTrouble } from './trouble.ts'

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

export type Window = { from: Date; to: Date }

/** Opens a calendar of another server; nothing is sent yet. `timeoutMs` is for each request. */
export function openCalendar(
  secretKey: SecretKey,
  calendar: ExternalCalendar,
  timeoutMs = 10_000,
): RemoteCalendar {
  const { workspace, caldav, timezone } = calendar
  const password = passwordOf(secretKey, calendar)
  // Rows of earlier versions may say otherwise than the operator's file now may.
  if (password && caldav.tls !== 'none' && isInClear(caldav.url))
    throw new CalendarTrouble('caldav_tls')
  return openCalDav({ ...caldav, workspace, password, zone: timezone, timeoutMs })
}

function passwordOf(secretKey: SecretKey, { id, secrets }: ExternalCalendar): string | undefined {
  if (!secrets) return undefined
  try {
    return unseal<{ caldav?: string }>(secretKey, secrets, { in: 'calendars.secrets', id }).caldav
  } catch (error) {
    // Kept under another SECRET_KEY.
    throw error instanceof SealError ? new CalendarTrouble('password_unreadable') : error
  }
}
