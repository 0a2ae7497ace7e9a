import { type SqlBool, sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { fenceOff } from '../holds.ts'
import { newId } from '../ids.ts'
import type { HoldSetter, Holds } from './tables.ts'

// Who holds what, and why. Those who may hold something have one hold of it each, and they stand beside each other.

/** What is held: everything, a workspace by its id, or the accounts of a mail host. */
export type Held =
  | { what: 'all' }
  | { what: 'workspace'; workspace: string }
  | { what: 'host'; host: string }

export type NewHold = Held & {
  setBy: HoldSetter
  client?: { id: string; name: string }
  why: string
}

/**
 * Holds something, or gives the hold of the same setter another reason. It waits for the claims that are being made, and so do claims
 * for it, until the transaction ends: make it the last thing of one.
 */
export async function hold(trx: Trx, { setBy, client, why, ...held }: NewHold, now: Date) {
  const { workspace, host } = columnsOf(held)
  await sql`
    insert into holds (id, what, workspace, host, set_by, client_id, client_name, why, created_at)
    values (${newId('hld')}, ${held.what}, ${workspace}, ${host}, ${setBy}, ${client?.id ?? null}, ${client?.name ?? null},
      ${why}, ${now})
    on conflict (what, coalesce(workspace, ''), coalesce(host, ''), set_by)
    do update set why = excluded.why, client_id = excluded.client_id, client_name = excluded.client_name`.execute(
    trx,
  )
  await fenceOff(workspace).execute(trx)
}

/** Ends the holds of something that were set by these; answers them. `which`: of everything that is held, if nothing is named. */
export function endHolds(trx: Trx, which: Held | undefined, setBy: readonly HoldSetter[]) {
  const { workspace, host } = columnsOf(which)
  return trx
    .deleteFrom('holds')
    .where('setBy', 'in', setBy)
    .$if(which !== undefined, (query) =>
      query
        .where('what', '=', which?.what as Holds['what'])
        .where(sql<SqlBool>`workspace is not distinct from ${workspace}`)
        .where(sql<SqlBool>`host is not distinct from ${host}`),
    )
    .returningAll()
    .execute()
}

const columnsOf = (held: Held | undefined) => ({
  workspace: held?.what === 'workspace' ? held.workspace : null,
  host: held?.what === 'host' ? held.host : null,
})

/** Every hold, the widest first. */
export const listHolds = (db: Db) =>
  db
    .selectFrom('holds')
    .selectAll()
    .orderBy(sql`array_position(array['all', 'host', 'workspace'], what)`)
    .orderBy('workspace')
    .orderBy('host')
    .orderBy('createdAt')
    .execute()

/** The holds that these workspaces are under as a whole, the widest first; not those of hosts of their accounts. */
export const holdsOf = (db: Db, ...workspaces: [string, ...string[]]) =>
  db
    .selectFrom('holds')
    .selectAll()
    .where((eb) => eb.or([eb('what', '=', 'all'), eb('workspace', 'in', workspaces)]))
    .orderBy('what')
    .orderBy(order)
    .execute()

export type HoldRow = Awaited<ReturnType<typeof holdsOf>>[number]

const order = sql`array_position(array['operator', 'administration', 'workspace'], set_by)`

/** The workspaces that something concerns: one, those with an account of a host, or all. In the order of their ids. */
export async function listConcerned(db: Db, held: Held): Promise<string[]> {
  if (held.what === 'workspace') return [held.workspace]
  const { rows } = await sql<{ id: string }>`
    select id from workspaces where ${
      held.what === 'all'
        ? sql`true`
        : sql`exists (select from connections where connections.workspace = workspaces.id
            and ${held.host} in (lower(smtp ->> 'host'), lower(imap ->> 'host')))`
    } order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Tells every member of a workspace that it is held, or goes on. */
export const tellMembers = (trx: Db, workspace: string, kind: string, text: string, at: Date) =>
  sql`insert into notifications (id, workspace, member, at, kind, text)
    select ${newId('ntf')}::text || row_number() over (order by id), workspace, id, ${at}, ${kind}, ${text}
    from members where workspace = ${workspace} and left_at is null`.execute(trx)
