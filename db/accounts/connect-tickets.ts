import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { type SecretKey, seal, unseal } from '../secrets.ts'

// Links with which the owner of an account consents that Postroom logs in to it. A ticket is 256 random bits, known here by its
// SHA-256 alone; so are the state with which the provider sends the owner back, and the cookie of their browser. A link ends with
// the token, the member, the account or the workspace that it was made with. Times are real.

const dayMs = 24 * 60 * 60 * 1000
// An owner may turn back at the provider and try again; nobody has to do so more often.
const mostAttempts = 20

/** The columns of a ticket or link that was used up: it leads nowhere any more. */
export const usedUp = {
  usedAt: sql<Date>`clock_timestamp()`,
  state: null,
  secrets: null,
  browser: null,
}

export const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')

/** Who asks for a link; an operator has no token. */
export type Asker = {
  member: string | null
  client: { id: string; name: string } | null
  token: string | null
}

/** Makes a link for an account; the ticket is shown only this once. */
export async function createTicket(
  db: Db,
  { workspace, connection, by }: { workspace: string; connection: string; by: Asker },
) {
  const ticket = randomBytes(32).toString('base64url')
  const expiresAt = new Date(Date.now() + dayMs)
  await db
    .insertInto('connectTickets')
    .values({
      id: hashOf(ticket),
      workspace,
      connection,
      member: by.member,
      clientId: by.client?.id ?? null,
      clientName: by.client?.name ?? null,
      token: by.token,
      expiresAt,
    })
    .execute()
  return { ticket, expiresAt }
}

const ticketRows = (db: Db) =>
  db
    .selectFrom('connectTickets')
    .innerJoin('connections', 'connections.id', 'connectTickets.connection')
    .innerJoin('workspaces', 'workspaces.id', 'connectTickets.workspace')
    .leftJoin('members', 'members.id', 'connectTickets.member')
    .selectAll('connectTickets')
    .select([
      'connections.id as connection',
      'connections.account',
      'connections.oauth',
      'connections.smtp',
      'connections.imap',
      'connections.secrets as accountSecrets',
      'workspaces.name as workspaceName',
      'members.name as memberName',
    ])

/** How many logins of a link may be refused: then it has ended. */
export const refusedMost = 5

/** Whether a link still leads anywhere: it was not used, has not expired, and neither has the token that made it. */
export const isOpen = () =>
  sql<boolean>`(connect_tickets.used_at is null and connect_tickets.expires_at > clock_timestamp()
    and connect_tickets.refused < ${refusedMost} and ${hasToken})`

/** One of a member, or of the administration. */
const hasToken = sql<boolean>`(connect_tickets.token is null
  or exists (select from tokens where tokens.id = connect_tickets.token
    and tokens.workspace = connect_tickets.workspace
    and tokens.revoked_at is null and tokens.expires_at > clock_timestamp())
  or exists (select from admin_tokens where admin_tokens.id = connect_tickets.token
    and coalesce(admin_tokens.workspace, connect_tickets.workspace) = connect_tickets.workspace
    and admin_tokens.revoked_at is null and admin_tokens.expires_at > clock_timestamp()))`

/** The ticket with its account; undefined if it was used, has ended, or never existed. */
export const findTicket = (db: Db, ticket: string) =>
  ticketRows(db).where('connectTickets.id', '=', hashOf(ticket)).where(isOpen()).executeTakeFirst()

export type Ticket = NonNullable<Awaited<ReturnType<typeof findTicket>>>

/** What has to fit when the provider sends the owner back (RFC 7636, OpenID Connect). */
export type Secrets = { verifier: string; nonce: string }

/**
 * Notes that the owner goes on to the provider, in the browser with this cookie. Only the latest way there leads back. False
 * after too many.
 */
export async function beginConsent<S extends Secrets>(
  db: Db,
  secretKey: SecretKey,
  { id }: { id: string },
  { state, browser, ...secrets }: S & { state: string; browser: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('connectTickets')
    .set((eb) => ({
      state: hashOf(state),
      browser: hashOf(browser),
      secrets: seal(secretKey, secrets, { in: 'connectTickets.secrets', id }),
      attempts: eb('attempts', '+', 1),
    }))
    .where('id', '=', id)
    .where('attempts', '<', mostAttempts)
    .where(isOpen())
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Who comes back: the state that the provider was given, and the cookie of the browser. */
export type ComingBack = { state: string; browser: string | undefined }

/** The ticket whose owner comes back, with what has to fit; as `usedOnce`. */
export async function takeState(db: Db, secretKey: SecretKey, back: ComingBack) {
  const found = await ticketRows(db)
    .where('connectTickets.state', '=', hashOf(back.state))
    .where(isOpen())
    .executeTakeFirst()
  const secrets = found && (await usedOnce<Secrets>(db, secretKey, found, back))
  return typeof secrets === 'object' ? { ticket: found as Ticket, ...secrets } : secrets
}

/**
 * What has to fit. A state leads back once, and only the browser that set out: for another one, which may be that of somebody who
 * was sent the provider's address, it stays as it is.
 */
export async function usedOnce<S extends Secrets>(
  db: Db,
  secretKey: SecretKey,
  { id, secrets, browser: setOut }: { id: string; secrets: string | null; browser: string | null },
  { state, browser }: ComingBack,
): Promise<S | 'another browser' | undefined> {
  if (!secrets) return undefined
  if (browser === undefined || setOut !== hashOf(browser)) return 'another browser'
  const { numUpdatedRows } = await db
    .updateTable('connectTickets')
    .set({ state: null, secrets: null, browser: null })
    .where('id', '=', id)
    .where('state', '=', hashOf(state))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return undefined
  return unseal<S>(secretKey, secrets, { in: 'connectTickets.secrets', id })
}

/** How long a link of which nobody has any use still says so, in days. */
const saysSoDays = 30

/** Deletes links that expired a day ago; those of mailboxes later, so that they say that they have ended. */
export const forgetTickets = (db: Db, limit: number) =>
  db
    .deleteFrom('connectTickets')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('connectTickets')
        .select('id')
        .where('expiresAt', '<', new Date(Date.now() - dayMs))
        .where((is) =>
          is.or([
            is('connection', 'is not', null),
            is('expiresAt', '<', new Date(Date.now() - saysSoDays * dayMs)),
          ]),
        )
        .limit(limit),
    )
    .returning('id')
    .execute()
