import type { Db } from '../database.ts'

/** The senders of letters: the e-mail connections with the members they belong to, by the members' names. */
export const listVoices = (db: Db, workspace: string) =>
  db
    .selectFrom('connections')
    .innerJoin('members', 'members.id', 'connections.member')
    .select([
      'connections.id as connection',
      'members.id as member',
      'members.name',
      'members.signature',
    ])
    .where('connections.workspace', '=', workspace)
    .where('connections.kind', '=', 'email')
    .orderBy((eb) => eb.fn<string>('lower', ['members.name']))
    .orderBy('connections.id')
    .execute()
