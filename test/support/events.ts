import { type Caller, eventually, type SharedService } from './service.ts'

export type Told = {
  kind: string
  resource: string
  data: {
    operation?: string
    reason?: string
    members?: string[]
    client?: { id: string; name: string }
    key?: string
  }
}

/** Every event that the workspace has so far, once the feed shows them all. */
export async function shownEvents(
  { db }: Pick<SharedService, 'db'>,
  { id, call }: { id: string; call: Caller },
): Promise<Told[]> {
  const written = await db.selectFrom('events').select('id').where('workspace', '=', id).execute()
  const shown = async () => (await call('GET', '/events?limit=200')).body.events as Told[]
  return eventually(shown, (events) => events.length >= written.length)
}

/** The data of an event without the call that caused it. */
export const withoutCall = <Data extends object>(data: Data) => {
  const { client: _, key: __, ...rest } = data as Data & { client?: unknown; key?: unknown }
  return rest
}

/**
 * The events of the feed that `isWanted` picks, as soon as there are `count`. The feed holds an event back while a transaction
 * that began before it is open, whoever's that is, so a call's event may be shown some moments after its answer.
 */
export async function eventsOf(
  call: Caller,
  isWanted: (event: Told) => boolean,
  count: number,
): Promise<Told[]> {
  const wanted = async () =>
    ((await call('GET', '/events?limit=200')).body.events as Told[]).filter(isWanted)
  return eventually(wanted, (found) => found.length >= count)
}
