import { readAddress } from '../../rules/addresses.ts'
import { isOwnAddress, type Own } from '../../rules/own-addresses.ts'
import type { Db } from '../database.ts'
import { withOwnIds } from '../outgoing/letter-ids.ts'
import { findOwners } from '../people/people.ts'
import { findReferred } from './thread.ts'

// Mail of our own people, who are no clients.

type Mail = {
  workspace: string
  connection: string
  from: { address: string }
  to: string[]
  cc: string[]
  references: string[]
}

/**
 * What a mail of one of our own people is: `theirs` if they are written to as a client themselves, and answer that; `ours` if it
 * goes to a client, in a conversation or to somebody who has a card; otherwise `among us`.
 */
export async function placeOfColleague(
  db: Db,
  { workspace, connection, from, to, cc, references }: Mail,
  own: Own,
): Promise<'theirs' | 'ours' | 'among us'> {
  const read = (addresses: string[]) => addresses.flatMap((one) => readAddress('email', one) ?? [])
  const ids = await withOwnIds(db, { workspace, connection }, references)
  const referred = await findReferred(db, workspace, connection, ids)
  const [writer] = (await findOwners(db, workspace, read([from.address]))).values()
  if (referred && referred.person === writer) return 'theirs'
  const others = read([...to, ...cc].filter((one) => !isOwnAddress(own, one)))
  if (others.length === 0) return 'among us'
  if (referred) return 'ours'
  return (await findOwners(db, workspace, others)).size > 0 ? 'ours' : 'among us'
}
