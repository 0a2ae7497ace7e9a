import type { Db } from '../database.ts'

/** The accounts of every workspace that can send, with the server or bridge they hand letters to. */
export const listSendingAccounts = (db: Db) =>
  db
    .selectFrom('connections')
    .select(['id', 'workspace', 'account', 'smtp', 'bridge'])
    .where((is) => is.or([is('smtp', 'is not', null), is('bridge', 'is not', null)]))
    .orderBy('workspace')
    .orderBy('id')
    .execute()
