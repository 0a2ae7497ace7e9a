import { type Link, linkMade, spendLink } from '../accounts/connect-links.ts'
import type { FirstTokens } from '../accounts/logins.ts'
import type { VerificationRequest } from '../accounts/tables.ts'
import type { VerificationSecrets } from '../accounts/verifications.ts'
import type { Db } from '../database.ts'
import { recordAudits } from '../events/audit.ts'
import type { SecretKey } from '../secrets.ts'
import { findFull } from '../workspace/quotas.ts'
import { keepTokensOf } from './connected.ts'
import { addConnection, findSameAccount } from './new-connection.ts'

// The owner of a mailbox has proved that it is theirs, by its password or by a consent: it becomes a connection.

export type Linked =
  | { outcome: 'connected'; connection: string; lasts: boolean }
  /** known: the workspace has it already. full: it may have no more. ended: the link has, meanwhile. */
  | { outcome: 'known' | 'full' | 'ended' }

/**
 * Adds the mailbox, as POST …/connections does, and uses up the link, in one transaction. `tokens` seals those of a consent for the
 * connection. `browser` is the cookie of its owner, whose second click shall lead where the first one does. `now` is of the business
 * clock.
 */
export const connectMailbox = (
  db: Db,
  secretKey: SecretKey,
  link: Link,
  given: {
    request: VerificationRequest
    secrets: VerificationSecrets
    tokens?: (connection: string) => FirstTokens
    browser: string
    now: Date
  },
): Promise<Linked> =>
  db.transaction().execute(async (trx): Promise<Linked> => {
    const { workspace, clientId, clientName } = link
    const { request, secrets, now } = given
    if (await findSameAccount(trx, workspace, request.account)) return { outcome: 'known' }
    if (await findFull(trx, workspace, 'connections')) return { outcome: 'full' }
    if (!(await spendLink(trx, link))) return { outcome: 'ended' }
    const id = await addConnection(trx, secretKey, { workspace, request, secrets })
    await linkMade(trx, link, { connection: id, browser: given.browser })
    const tokens = given.tokens?.(id)
    const kept = tokens && (await keepTokensOf(trx, { connection: id, workspace }, tokens, now))
    const { account, member, name } = request
    const line = {
      workspace,
      at: now,
      member: link.member,
      client: clientId === null ? null : { id: clientId, name: clientName ?? '' },
      resource: id,
      key: null,
    }
    await recordAudits(trx, workspace, [
      { ...line, action: 'channel.created', after: { account, member, name } },
      { ...line, action: 'channel.connected', after: { connection: id } },
    ])
    return { outcome: 'connected', connection: id, lasts: kept === undefined || kept === true }
  })
