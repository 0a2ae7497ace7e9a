import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import type { SecretKey } from '../secrets.ts'
import {
  type ComingBack,
  hashOf,
  isOpen,
  refusedMost,
  type Secrets,
  usedOnce,
  usedUp,
} from './connect-tickets.ts'

// Links with which the owner of a mailbox makes a connection for a member. They are tickets without a connection, and end as
// tickets do (connect-tickets.ts); and they end when a login was refused five times, so that they are of no use for guessing.

const hourMs = 60 * 60 * 1000

export type NewLink = {
  workspace: string
  /** Whose connection it makes. */
  member: string
  client: { id: string; name: string }
  /** The id of the token that asks for it. */
  token: string
  /** The one address that it is for. */
  account: string | null
  returnTo: string | null
  expiresInHours: number
}

/** Makes a link; the ticket is shown only this once. */
export async function createLink(
  db: Db,
  { client, expiresInHours, ...link }: NewLink,
): Promise<{ ticket: string; expiresAt: Date }> {
  const ticket = randomBytes(32).toString('base64url')
  const expiresAt = new Date(Date.now() + expiresInHours * hourMs)
  await db
    .insertInto('connectTickets')
    .values({
      ...link,
      id: hashOf(ticket),
      connection: null,
      clientId: client.id,
      clientName: client.name,
      expiresAt,
    })
    .execute()
  return { ticket, expiresAt }
}

const linkRows = (db: Db) =>
  db
    .selectFrom('connectTickets')
    .innerJoin('workspaces', 'workspaces.id', 'connectTickets.workspace')
    .innerJoin('members', 'members.id', 'connectTickets.member')
    .selectAll('connectTickets')
    .select([
      'members.id as member',
      'members.name as memberName',
      'workspaces.name as workspaceName',
    ])
    .select(isOpen().as('isOpen'))
    .where('connectTickets.connection', 'is', null)

/** The link, also one that has ended; undefined if it never existed. */
export const findLink = (db: Db, ticket: string) =>
  linkRows(db).where('connectTickets.id', '=', hashOf(ticket)).executeTakeFirst()

/** A link as it has become meanwhile. */
export const findLinkAgain = (db: Db, { id, workspace }: { id: string; workspace: string }) =>
  linkRows(db)
    .where('connectTickets.id', '=', id)
    .where('connectTickets.workspace', '=', workspace)
    .executeTakeFirst()

export type Link = NonNullable<Awaited<ReturnType<typeof findLink>>>

/** What is known of a way to a provider when it leads back. */
export type LinkSecrets = Secrets & {
  account: string
  provider: 'google' | 'microsoft'
  language: string
}

/** The link whose owner comes back, with what has to fit; as `usedOnce`. */
export async function takeLink(db: Db, secretKey: SecretKey, back: ComingBack) {
  const link = await linkRows(db)
    .where('connectTickets.state', '=', hashOf(back.state))
    .where(isOpen())
    .executeTakeFirst()
  const secrets = link && (await usedOnce<LinkSecrets>(db, secretKey, link, back))
  return typeof secrets === 'object' ? { link: link as Link, ...secrets } : secrets
}

/**
 * Takes one of the logins that a link has left, before it is tried, so that no two tries take the same one. Answers how many are
 * left; undefined if it has none or has ended.
 */
export async function takeTry(db: Db, { id }: Pick<Link, 'id'>): Promise<number | undefined> {
  const row = await db
    .updateTable('connectTickets')
    .set((eb) => ({ refused: eb('refused', '+', 1) }))
    .where('id', '=', id)
    .where(isOpen())
    .returning('refused')
    .executeTakeFirst()
  return row && refusedMost - row.refused
}

/** Gives it back, since the password was not what was wrong. */
export const giveTryBack = (db: Db, { id }: Pick<Link, 'id'>) =>
  db
    .updateTable('connectTickets')
    .set((eb) => ({ refused: eb('refused', '-', 1) }))
    .where('id', '=', id)
    .where('refused', '>', 0)
    .execute()

/** Uses up a link in the transaction that makes its connection. False if it has ended meanwhile. */
export async function spendLink(
  trx: Trx,
  { id, workspace }: Pick<Link, 'id' | 'workspace'>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('connectTickets')
    .set(usedUp)
    .where('id', '=', id)
    .where('workspace', '=', workspace)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Notes what a link has made, and for which browser, by its cookie. */
export const linkMade = (
  trx: Trx,
  { id, workspace }: Pick<Link, 'id' | 'workspace'>,
  { connection, browser }: { connection: string; browser: string },
) =>
  trx
    .updateTable('connectTickets')
    .set({ made: connection, browser: hashOf(browser) })
    .where('id', '=', id)
    .where('workspace', '=', workspace)
    .execute()

/** What a link has made for this browser; undefined for any other one. */
export const madeFor = ({ made, browser: setOut }: Link, browser: string): string | undefined =>
  made !== null && setOut === hashOf(browser) ? made : undefined
