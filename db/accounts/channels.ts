import type { Db } from '../database.ts'

/** The connections of a workspace as clients see them: no servers, no secrets. */
export const listChannels = (db: Db, workspace: string) =>
  db
    .selectFrom('connections')
    .leftJoin('mailboxReaders', 'mailboxReaders.connection', 'connections.id')
    .select(['id', 'kind', 'name', 'account', 'member', 'alive', 'checkedAt'])
    // The reason why it cannot send or, if it can, why it cannot be read.
    .select((eb) => eb.fn.coalesce('connections.problem', 'mailboxReaders.problem').as('problem'))
    .where('workspace', '=', workspace)
    .orderBy((eb) => eb.fn<string>('lower', ['name']))
    .orderBy('id')
    .execute()

/** Those of these ids that are connections of the workspace. */
export async function findChannelIds(
  db: Db,
  workspace: string,
  ids: string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('connections')
    .select('id')
    .where('workspace', '=', workspace)
    .where('id', 'in', ids)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Channels that keep a history. They are parsed if the call names none. */
export async function listHistoryChannels(db: Db, workspace: string): Promise<string[]> {
  const rows = await db
    .selectFrom('connections')
    .select('id')
    .where('workspace', '=', workspace)
    .where('kind', 'in', ['email', 'messenger'])
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
