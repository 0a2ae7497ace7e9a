import { type Caller, eventually } from './service.ts'

export type Told = {
  kind: string
  resource: string
  data: { operation?: string; reason?: string; members?: string[] }
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
