import { sql } from 'kysely'
import type { Db, Trx } from '../database.ts'

const card = ['id', 'name', 'email', 'jobTitle', 'zone', 'signature'] as const
const defaultConnection = sql<string | null>`(select ours.id from connections ours
  where ours.workspace = members.workspace and ours.member = members.id and ours.id = members.default_connection
    and ours.removed_at is null)`.as('defaultConnection')

export const listMembers = (db: Db, workspace: string) =>
  db
    .selectFrom('members')
    .select(card)
    .select(defaultConnection)
    .where('workspace', '=', workspace)
    .where('leftAt', 'is', null)
    .orderBy((eb) => eb.fn<string>('lower', ['name']))
    .orderBy('id')
    .execute()

export const findMember = (db: Db, workspace: string, id: string) =>
  db
    .selectFrom('members')
    .select(card)
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .where('leftAt', 'is', null)
    .executeTakeFirst()

export const lockMember = (trx: Trx, workspace: string, id: string) =>
  trx
    .selectFrom('members')
    .select(card)
    .select(defaultConnection)
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .where('leftAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Those of two members that work here, in the order of their ids. Nobody gives them anything more until the transaction has ended. */
export const lockLeaving = (trx: Trx, workspace: string, ids: string[]) =>
  trx
    .selectFrom('members')
    .select(card)
    .where('workspace', '=', workspace)
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .where('leftAt', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()

export type NewMember = {
  id: string
  name: string
  email: string
  jobTitle?: string | undefined
  zone?: string | undefined
  signature?: string | undefined
}

/** Undefined if there is one with that id, in whatever workspace. */
export const insertMember = (trx: Trx, workspace: string, member: NewMember) =>
  trx
    .insertInto('members')
    .values({
      ...{ workspace, id: member.id, name: member.name, email: member.email },
      ...{ jobTitle: member.jobTitle ?? '', zone: member.zone ?? '' },
      signature: member.signature ?? '',
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(card)
    .executeTakeFirst()

/** Whether a member of the workspace has this id, or had it. */
export async function wasMember(db: Db, workspace: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('members')
    .select('id')
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

export const updateMember = (
  trx: Trx,
  id: string,
  edit: {
    name?: string
    email?: string
    jobTitle?: string
    zone?: string
    signature?: string
    defaultConnection?: string | null
  },
) => trx.updateTable('members').set(edit).where('id', '=', id).execute()

/** Whether an account is that of a member. */
export async function isAccountOf(db: Db, workspace: string, member: string, connection: string) {
  const row = await db
    .selectFrom('connections')
    .select('id')
    .where('workspace', '=', workspace)
    .where('member', '=', member)
    .where('id', '=', connection)
    .where('removedAt', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** The member with an address, however it is written. */
export const findMemberByEmail = (db: Db, workspace: string, email: string) =>
  db
    .selectFrom('members')
    .select(card)
    .where('workspace', '=', workspace)
    .where('leftAt', 'is', null)
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.trim().toLowerCase()))
    .limit(1)
    .executeTakeFirst()

/** Whether the id is that of a member of the workspace, who does not leave until the transaction has ended. */
export async function isMember(trx: Trx, workspace: string, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('members')
    .select('id')
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .where('leftAt', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

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
    .where('connections.removedAt', 'is', null)
    .orderBy((eb) => eb.fn<string>('lower', ['members.name']))
    .orderBy('connections.id')
    .execute()
