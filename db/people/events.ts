import type { Db } from '../database.ts'
import { type AuditEntry, callOf } from '../events/audit.ts'
import { recordEvents } from '../events/events.ts'

/**
 * Records events about people whose cards were made or completed without a call of their own: by an import, a find, or with others by
 * one call. `members` are the names of what was given or changed; the values have to be read from the person.
 */
export const peopleHappened = (
  trx: Db,
  what: {
    workspace: string
    kind: 'person.created' | 'person.edited'
    at: Date
    operation: string
    /** The call, as far as it is known. */
    by: Pick<AuditEntry, 'client' | 'key'>
  },
  people: { id: string; members: string[] }[],
) => {
  const { operation, by, ...event } = what
  const call = callOf(by)
  return recordEvents(
    trx,
    event,
    people.map(({ id, members }) => ({ resource: id, data: { operation, members, ...call } })),
  )
}
