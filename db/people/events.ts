import type { Db } from '../database.ts'
import { recordEvents } from '../events/events.ts'

/**
 * Records events about people whose cards were made or completed without a call of their own: by an import or a find. `members`
 * are the names of what was given or changed; the values have to be read from the person.
 */
export const peopleHappened = (
  trx: Db,
  what: {
    workspace: string
    kind: 'person.created' | 'person.edited'
    at: Date
    operation: string
  },
  people: { id: string; members: string[] }[],
) => {
  const { operation, ...event } = what
  return recordEvents(
    trx,
    event,
    people.map(({ id, members }) => ({ resource: id, data: { operation, members } })),
  )
}
