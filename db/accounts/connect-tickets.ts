import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { type SecretKey, seal, unseal } from '../secrets.ts'

// Links with which the owner of an account consents that Postroom logs in to it. A ticket is 256 random bits, known here by its
// SHA-256 alone; so is the state with which the provider sends the owner back. Times are real.

const dayMs = 24 * 60 * 60 * 1000
// An owner may turn back at the provider and try again; nobody has to do so more often.
const mostAttempts = 20

export const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')

export type Asker = { member: string | null; client: { id: string; name: string } | null }

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
      expiresAt,
    })
    .execute()
  return { ticket, expiresAt }
}

const ticketRows = (db: Db) =>
  db
    .selectFrom('connectTickets')
    .innerJoin('connections', 'connections.id', 'connectTickets.connection')
    .selectAll('connectTickets')
    .select([
      'connections.account',
      'connections.oauth',
      'connections.smtp',
      'connections.imap',
      'connections.secrets as accountSecrets',
    ])

const isOpen = () => sql<boolean>`used_at is null and expires_at > clock_timestamp()`

/** The ticket with its account; undefined if it was used, has expired, or never existed. */
export const findTicket = (db: Db, ticket: string) =>
  ticketRows(db).where('connectTickets.id', '=', hashOf(ticket)).where(isOpen()).executeTakeFirst()

export type Ticket = NonNullable<Awaited<ReturnType<typeof findTicket>>>

/** What has to fit when the provider sends the owner back (RFC 7636, OpenID Connect). */
export type Secrets = { verifier: string; nonce: string }

/** Notes that the owner goes on to the provider. Only the latest way there leads back. False after too many. */
export async function beginConsent(
  db: Db,
  secretKey: SecretKey,
  { id }: Pick<Ticket, 'id'>,
  { state, ...secrets }: Secrets & { state: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('connectTickets')
    .set((eb) => ({
      state: hashOf(state),
      secrets: seal(secretKey, secrets, { in: 'connectTickets.secrets', id }),
      attempts: eb('attempts', '+', 1),
    }))
    .where('id', '=', id)
    .where('attempts', '<', mostAttempts)
    .where(isOpen())
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The ticket whose owner comes back, with what has to fit. A state leads back once. */
export async function takeState(db: Db, secretKey: SecretKey, state: string) {
  const found = await ticketRows(db)
    .where('connectTickets.state', '=', hashOf(state))
    .where(isOpen())
    .executeTakeFirst()
  if (!found?.secrets) return undefined
  const { id, secrets } = found
  const { numUpdatedRows } = await db
    .updateTable('connectTickets')
    .set({ state: null, secrets: null })
    .where('id', '=', id)
    .where('state', '=', hashOf(state))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return undefined
  return {
    ticket: found as Ticket,
    ...unseal<Secrets>(secretKey, secrets, { in: 'connectTickets.secrets', id }),
  }
}

/** Deletes links that expired a day ago. */
export const forgetTickets = (db: Db, limit: number) =>
  db
    .deleteFrom('connectTickets')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('connectTickets')
        .select('id')
        .where('expiresAt', '<', new Date(Date.now() - dayMs))
        .limit(limit),
    )
    .returning('id')
    .execute()
