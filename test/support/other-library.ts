import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findRadicale } from '../runner/radicale.ts'

// Another library of calendars than the one that the service reads with: vobject, which Radicale keeps its events with.

const script = `
import json, sys, vobject
from datetime import datetime, timezone
def instant(value):
    return value.astimezone(timezone.utc).isoformat() if isinstance(value, datetime) else value.isoformat()
calendar = vobject.readOne(sys.stdin.read())
calendar.serialize()
events = []
for event in calendar.vevent_list:
    at = {name: instant(getattr(event, name).value) for name in ('dtstart', 'dtend') if hasattr(event, name)}
    events.append({
        **at,
        'uid': event.uid.value,
        'sequence': int(event.sequence.value) if hasattr(event, 'sequence') else None,
        'guests': [one.value.lower().replace('mailto:', '') for one in event.contents.get('attendee', [])],
        'alarms': len(event.contents.get('valarm', [])),
    })
method = calendar.method.value if hasattr(calendar, 'method') else None
print(json.dumps({'method': method, 'events': events}))
`

export type ReadEvent = {
  uid: string
  /** Instants in UTC, days as days. */
  dtstart: string
  dtend?: string
  sequence: number | null
  guests: string[]
  alarms: number
}

/** An iCalendar text as that library reads it. @throws RadicaleMissing where Python is missing. */
export async function readElsewhere(
  text: string,
): Promise<{ method: string | null; events: ReadEvent[] }> {
  const python = await findRadicale(() => {})
  const running = promisify(execFile)(python, ['-c', script])
  running.child.stdin?.end(text)
  return JSON.parse((await running).stdout)
}
