import type { ExternalCalendar } from '../../../db/calendar/calendars.ts'
import { SealError, type SecretKey, unseal } from '../../../db/secrets.ts'
import { isInClear } from '../../../process/network/loopback.ts'
import { openCalDav } from './caldav.ts'
import type { RemoteCalendar } from './calendar.ts'
import { CalendarTrouble } from './calendar-trouble.ts'

/** Opens a calendar on another server; nothing is sent yet. `timeoutMs` limits each request. */
export function openCalendar(
  secretKey: SecretKey,
  calendar: ExternalCalendar,
  timeoutMs = 10_000,
): RemoteCalendar {
  const { workspace, caldav, timezone } = calendar
  const password = passwordOf(secretKey, calendar)
  // Rows of earlier versions may differ from what the operator's file allows now.
  if (password && caldav.tls !== 'none' && isInClear(caldav.url))
    throw new CalendarTrouble('caldav_tls')
  return openCalDav({ ...caldav, workspace, password, zone: timezone, timeoutMs })
}

function passwordOf(secretKey: SecretKey, { id, secrets }: ExternalCalendar): string | undefined {
  if (!secrets) return undefined
  try {
    return unseal<{ caldav?: string }>(secretKey, secrets, { in: 'calendars.secrets', id }).caldav
  } catch (error) {
    // The password was sealed with another SECRET_KEY.
    throw error instanceof SealError ? new CalendarTrouble('password_unreadable') : error
  }
}
