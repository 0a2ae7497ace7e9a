import { sql } from 'kysely'
import { eventData } from '../../api/shapes/event-data.ts'
import type { Db } from '../../db/database.ts'
import { type EventKind, eventKinds } from '../../rules/event-kinds.ts'

/**
 * What the events of a database say beyond the shape of their kind, or otherwise than it; of those with the same members, one is
 * looked at.
 */
export async function unlikeTheirShape(db: Db): Promise<string[]> {
  const { rows } = await sql<{ kind: EventKind; data: object }>`
    select distinct on (kind, names) kind, data
    from (select kind, data, array(select jsonb_object_keys(data) order by 1) as names
      from events where kind = any(${[...eventKinds]}::text[]) limit 20000) as told`.execute(db)
  const faults = rows.flatMap(({ kind, data }) => {
    const { error } = eventData(kind).safeParse(data)
    return error?.issues.map(({ path, message }) => `${kind} ${path.join('.')}: ${message}`) ?? []
  })
  return [...new Set(faults)]
}
