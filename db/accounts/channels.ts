import { type SqlBool, sql } from 'kysely'
import type { Db } from '../database.ts'
import { foldersRead, readAt } from './mailboxes.ts'

/**
 * The connections of a workspace as clients see them: no servers, no secrets. `restsUntil` is null where the account does not rest,
 * or rests until somebody acts: `problem` says which.
 */
export const listChannels = (db: Db, workspace: string, now: Date) =>
  channelRows(db, workspace, now)
    .select(
      sql<number | null>`case when imap is not null then nullif(${foldersRead()}, 0) end`.as(
        'folders',
      ),
    )
    .orderBy((eb) => eb.fn<string>('lower', ['name']))
    .orderBy('connections.id')
    .execute()

/** The same with what the administration shows of them; passwords and other secrets are left out. In the order of their ids. */
export const listAdministered = (
  db: Db,
  workspace: string,
  now: Date,
  { id, after, limit }: { id?: string; after?: string | undefined; limit: number },
) =>
  channelRows(db, workspace, now)
    .select(['smtp', 'imap', 'oauth', 'bridge', 'limitDay', 'limitWeek', 'gapSeconds', 'paused'])
    .$if(id !== undefined, (query) => query.where('connections.id', '=', id as string))
    .$if(after !== undefined, (query) => query.where('connections.id', '>', after as string))
    .orderBy('connections.id')
    .limit(limit)
    .execute()

export type AdministeredRow = Awaited<ReturnType<typeof listAdministered>>[number]

const channelRows = (db: Db, workspace: string, now: Date) =>
  db
    .selectFrom('connections')
    .leftJoin('mailboxReaders', 'mailboxReaders.connection', 'connections.id')
    .leftJoin('rests as sending', (join) =>
      join
        .onRef('sending.account', '=', 'connections.id')
        .on('sending.server', '=', 'smtp')
        .on(restsAt('sending', now)),
    )
    .select(['connections.id', 'kind', 'name', 'connections.account', 'member', 'checkedAt'])
    .select(sql<boolean>`alive and not paused and not ${needsConsent}`.as('alive'))
    // That nobody can consent or has consented yet, the reason why it cannot send or, if it can, why it cannot be read.
    .select(
      sql<string | null>`case
        when paused then 'paused'
        when 'oauth_unconfigured' in (connections.problem, mailbox_readers.problem) then 'oauth_unconfigured'
        when ${needsConsent} then 'consent_needed'
        else coalesce(connections.problem, sending.cause, mailbox_readers.problem) end`.as(
        'problem',
      ),
    )
    .select(
      sql<Date | null>`case when sending.cause is not null then sending.until
        when connections.problem is null and mailbox_readers.retry_at > ${now} then mailbox_readers.retry_at end`.as(
        'restsUntil',
      ),
    )
    .select(readAt().as('readAt'))
    .where('connections.workspace', '=', workspace)
    .where('connections.removedAt', 'is', null)

/** Whether a rest holds, or one letter tries whether it is over. */
const restsAt = (alias: string, now: Date) => sql<SqlBool>`${sql.ref(`${alias}.ended_at`)} is null
  and (${sql.ref(`${alias}.until`)} is null or ${sql.ref(`${alias}.until`)} > ${now} or ${sql.ref(`${alias}.is_tried`)})`

/** For a query of connections: whether the account can be logged in to only once its owner has consented (again). */
const needsConsent = sql<boolean>`(oauth is not null and oauth <> '"none"' and not oauth ? 'tokenServer'
  and oauth ->> 'grant' is distinct from 'client_credentials'
  and not exists (select from logins where logins.id = connections.id and logins.state = 'connected'))`

/** An e-mail account of the workspace and how it logs in; undefined if there is none. */
export const findChannel = (db: Db, workspace: string, id: string) =>
  db
    .selectFrom('connections')
    .select(['id', 'workspace', 'account', 'oauth'])
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .where('removedAt', 'is', null)
    .executeTakeFirst()

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
    .where('removedAt', 'is', null)
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
    .where('removedAt', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** The messenger folders of a workspace, by name, with how many conversations lie in each. */
export const listFolders = (db: Db, workspace: string) =>
  db
    .selectFrom('folders')
    .select(['id', 'name', 'connection as channel'])
    .select(
      sql<number>`(select count(*)::int from conversations c
        where c.workspace = folders.workspace and c.folder = folders.id)`.as('conversations'),
    )
    .where('workspace', '=', workspace)
    .orderBy((eb) => eb.fn<string>('lower', ['name']))
    .orderBy('id')
    .execute()
