import { setTimeout as sleep } from 'node:timers/promises'
import type { Link } from '../../../db/accounts/connect-links.ts'
import type { VerificationOutcome, VerificationRequest } from '../../../db/accounts/tables.ts'
import {
  findVerification,
  insertVerification,
  type VerificationSecrets,
} from '../../../db/accounts/verifications.ts'
import { enqueueStart } from '../../../db/operations/outbox.ts'
import type { SecretKey } from '../../../db/secrets.ts'
import { comparedForm } from '../../../rules/addresses.ts'
import type { Service } from '../../serve.ts'

// The page has the servers found and the login tried by the workflow of POST …/connections, and waits for what has come of it. What
// is kept is kept by the page itself, which has the password in its hands: of the workflow's row it is gone with its end.

/** Longer than it takes to find the servers and to log in; then the reader is asked to try again. */
const waitMs = 60_000
const lookMs = 200

/** too_many: of this mailbox or of this link. late: nobody has tried it in time. */
export type Verified = VerificationOutcome | 'too_many' | 'late'

export async function verify(
  { db }: Pick<Service, 'db'>,
  secretKey: SecretKey,
  link: Link,
  request: VerificationRequest,
  secrets: VerificationSecrets,
): Promise<Verified> {
  const { workspace } = link
  const verification = await db.transaction().execute(async (trx) => {
    const made = await insertVerification(trx, secretKey, {
      workspace,
      account: comparedForm(request.account),
      asker: link.id,
      request,
      secrets,
    })
    if (typeof made !== 'string') return undefined
    await enqueueStart(trx, {
      type: 'verifyConnection',
      workflowId: `${workspace}:${made}`,
      args: [{ operation: null, workspace, verification: made }],
      attributes: { Workspace: workspace },
    })
    return made
  })
  if (verification === undefined) return 'too_many'
  for (const until = Date.now() + waitMs; Date.now() < until; ) {
    const row = await findVerification(db, workspace, verification)
    if (!row) return 'late'
    if (row.endedAt) return row.outcome ?? 'late'
    await sleep(lookMs)
  }
  return 'late'
}
