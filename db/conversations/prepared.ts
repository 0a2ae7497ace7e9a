import { createHash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import type { PreparedMessages } from './tables.ts'

// What an agent has prepared to be sent. Its id is 256 random bits that only the agent knows, so at rest there is a hash, and so it
// is with the ticket of the page on which a person confirms it. It counts for the token that prepared it, in one version at a time,
// for a quarter of an hour, once, and as long as nobody has written in the conversation.

const lifeMs = 15 * 60_000

export type Named = { workspace: string; token: string; id: string; version: number }
export type Prepared = Selectable<PreparedMessages>

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const rowIdOf = ({ workspace, id }: Pick<Named, 'workspace' | 'id'>) =>
  hashOf(`${workspace}\n${id}`)

/** The secret part of the address of its page. */
export const ticketOf = ({ id, version }: Pick<Named, 'id' | 'version'>) =>
  createHash('sha256').update(`confirm\n${id}\n${version}`).digest('base64url')

/** What a person who confirms has seen: any change of it is another. */
export const seenOf = (row: Prepared) =>
  hashOf(
    JSON.stringify([
      ...[row.id, row.version, row.conversation, row.toAddress, row.connection],
      ...[row.subject, row.text, row.sendAt?.toISOString() ?? null],
    ]),
  )

/** The newest message that has come in, as a number that only grows. */
const heardIn = (workspace: string, conversation: string) => sql<string>`
  (select coalesce(max(seq), 0) from messages
    where workspace = ${workspace} and conversation = ${conversation} and direction = 'inbound')`

export type NewPrepared = Pick<
  Prepared,
  'conversation' | 'toAddress' | 'connection' | 'subject' | 'text' | 'sendAt'
>

/**
 * Keeps a version. The first makes the row, and each later one takes the place of the one before it. False if that is not there,
 * was sent, or is another's.
 */
export async function keepPrepared(
  trx: Trx,
  named: Named,
  given: NewPrepared,
  now: Date,
): Promise<boolean> {
  const { workspace, token, version } = named
  const id = rowIdOf(named)
  const values = {
    ...given,
    version,
    heard: heardIn(workspace, given.conversation),
    ticket: hashOf(ticketOf(named)),
    expiresAt: new Date(now.getTime() + lifeMs),
    confirmedBy: null,
  }
  if (version === 1) {
    const made = await trx
      .insertInto('preparedMessages')
      .values({ id, workspace, token, ...values, sentAt: null })
      .onConflict((on) => on.doNothing())
      .returning('id')
      .executeTakeFirst()
    return made !== undefined
  }
  const changed = await trx
    .updateTable('preparedMessages')
    .set(values)
    .where('workspace', '=', workspace)
    .where('token', '=', token)
    .where('id', '=', id)
    .where('version', '=', version - 1)
    .where('conversation', '=', given.conversation)
    .where('sentAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

const rowOf = (db: Db, named: Named) =>
  db
    .selectFrom('preparedMessages')
    .selectAll()
    .where('workspace', '=', named.workspace)
    .where('token', '=', named.token)
    .where('id', '=', rowIdOf(named))

/** Whatever version it has now; of another token it is not there. */
export const findPrepared = (db: Db, named: Named) => rowOf(db, named).executeTakeFirst()

export const lockPrepared = (trx: Trx, named: Named) =>
  rowOf(trx, named).forUpdate().executeTakeFirst()

/** `overtaken`: somebody has written meanwhile. */
export const standings = [
  'waiting',
  'confirmed',
  'sent',
  'replaced',
  'expired',
  'overtaken',
] as const
export type Standing = (typeof standings)[number]

/** How this version stands. */
export async function standingOf(
  db: Db,
  row: Prepared,
  version: number,
  now: Date,
): Promise<Standing> {
  if (row.sentAt !== null) return 'sent'
  if (row.version !== version) return 'replaced'
  if (row.expiresAt <= now) return 'expired'
  const { rows } = await sql<{
    heard: string
  }>`select ${heardIn(row.workspace, row.conversation)} as heard`.execute(db)
  if (rows[0]?.heard !== row.heard) return 'overtaken'
  return row.confirmedBy === null ? 'waiting' : 'confirmed'
}

/** A person agrees to this version; the caller holds the row locked. */
export const confirmPrepared = (
  trx: Trx,
  { workspace, id }: Pick<Prepared, 'workspace' | 'id'>,
  by: 'page' | 'client',
) =>
  trx
    .updateTable('preparedMessages')
    .set({ confirmedBy: by })
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .execute()

export const preparedSent = (
  trx: Trx,
  { workspace, id }: Pick<Prepared, 'workspace' | 'id'>,
  now: Date,
) =>
  trx
    .updateTable('preparedMessages')
    .set({ sentAt: now })
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .execute()

export const dropPrepared = (trx: Trx, { workspace, id }: Pick<Prepared, 'workspace' | 'id'>) =>
  trx
    .deleteFrom('preparedMessages')
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .where('sentAt', 'is', null)
    .execute()

/** What the page of a ticket shows; undefined once the token may not ask any more. */
export const findByTicket = (db: Db, ticket: string) =>
  db
    .selectFrom('preparedMessages')
    .innerJoin('workspaces', 'workspaces.id', 'preparedMessages.workspace')
    .innerJoin('tokens', 'tokens.id', 'preparedMessages.token')
    .innerJoin('members', 'members.id', 'tokens.member')
    .innerJoin('connections', 'connections.id', 'preparedMessages.connection')
    .selectAll('preparedMessages')
    .select([
      'workspaces.name as workspaceName',
      'workspaces.timezone',
      'tokens.clientName',
      'members.name as memberName',
      'connections.account',
    ])
    .where('preparedMessages.ticket', '=', hashOf(ticket))
    .where('tokens.revokedAt', 'is', null)
    .where('tokens.expiresAt', '>', new Date())
    .executeTakeFirst()
export type Shown = NonNullable<Awaited<ReturnType<typeof findByTicket>>>

/** The same row, locked. */
export const lockShown = (trx: Trx, { workspace, id }: Pick<Prepared, 'workspace' | 'id'>) =>
  trx
    .selectFrom('preparedMessages')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** Whether what this token sends needs no person. */
export const isUnattended = async (db: Db, workspace: string, token: string): Promise<boolean> =>
  (
    await db
      .selectFrom('tokens')
      .select('unattended')
      .where('workspace', '=', workspace)
      .where('id', '=', token)
      .executeTakeFirst()
  )?.unattended === true

/** Nothing of anybody who is erased stays in what is prepared: agents prepare it again. */
export const voidPrepared = (trx: Trx, workspace: string) =>
  trx.deleteFrom('preparedMessages').where('workspace', '=', workspace).execute()

/** Removes those that have expired; answers as many as it has removed. */
export const forgetPrepared = (db: Db, now: Date, limit: number) =>
  db
    .deleteFrom('preparedMessages')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('preparedMessages')
        .select('id')
        .where('expiresAt', '<', now)
        .orderBy('expiresAt')
        .limit(limit),
    )
    .returning('id')
    .execute()
