import { sql } from 'kysely'
import { type Own, ownOf } from '../../rules/own-addresses.ts'
import type { Db } from '../database.ts'

/** The addresses of a workspace's accounts and members, and the users under which accounts log in. */
export async function findOwnAddresses(db: Db, workspace: string): Promise<Own> {
  const { rows } = await sql<{ address: string }>`
    select address from connections, lateral (values (account), (smtp ->> 'user'), (imap ->> 'user')) own (address)
    where workspace = ${workspace} and kind = 'email' and address is not null
    union select email from members where workspace = ${workspace}`.execute(db)
  return ownOf(rows.map(({ address }) => address))
}
