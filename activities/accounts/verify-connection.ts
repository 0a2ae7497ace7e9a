import { setTimeout as sleep } from 'node:timers/promises'
import { findAdministered } from '../../db/accounts/administered.ts'
import type {
  MailServer,
  VerificationOutcome,
  VerificationRequest,
} from '../../db/accounts/tables.ts'
import {
  beginTry,
  endVerification,
  findVerification,
  lockVerification,
  noteOutcome,
  triesAtOnce,
  type VerificationRow,
  type VerificationSecrets,
  verificationSecrets,
} from '../../db/accounts/verifications.ts'
import type { Trx } from '../../db/database.ts'
import { recordAudit } from '../../db/events/audit.ts'
import { addConnection, findSameAccount } from '../../db/inbox/new-connection.ts'
import { endOperation } from '../../db/operations/operations.ts'
import { SealError } from '../../db/secrets.ts'
import { findFull } from '../../db/workspace/quotas.ts'
import { findMode } from '../../db/workspace/workspaces.ts'
import { type QuotaUse, quotaSentence } from '../../rules/quotas.ts'
import { playedServers } from '../../rules/sandbox/mode.ts'
import type { Found, FoundLogin } from '../../rules/servers/found.ts'
import { shownFound, toldOutcome } from '../../rules/servers/told.ts'
import type { VerificationInput } from '../../workflows/inputs.ts'
import { bounded } from '../common/bounded.ts'
import { trouble } from '../common/failures.ts'
import { beating } from '../common/heartbeat.ts'
import { refused } from '../common/refusals.ts'
import type { Deps } from '../deps.ts'
import { discover } from '../ports/mail/discover.ts'
import { tryLogins } from '../ports/mail/try-logins.ts'

// A mailbox that somebody adds: where its servers are, whether they let us in, and the connection that it becomes.

// Those of a process wait for each other in a row, and with other processes they share the places in the database.
const trying = bounded({ name: 'verifications', ofKey: triesAtOnce })
const placeWithinMs = 5_000
const lookMs = 250
// For those who find no place, not all at once.
const shortestMs = 500
const longestMs = 3_000

export const verifyConnectionActivities = (deps: Deps) => ({
  /**
   * Finds the servers and logs in to each once, and notes what has come of it. Safe to retry: what is noted is not tried again. Only
   * a worker that dies between a login and its note has the login repeated.
   */
  async tryConnection({ workspace, verification }: VerificationInput): Promise<void> {
    const look = async () => {
      const row = await findVerification(deps.db, workspace, verification)
      if (!row || row.endedAt || row.outcome) return
      await untilPlace(deps, row)
      await noteOutcome(deps.db, row, await outcomeOf(deps, row))
      deps.crash('after-verification')
    }
    await beating(() => trying(workspace, look))
  },

  /**
   * Keeps the mailbox as a connection, if it was asked to and the servers let us in, forgets the passwords, and answers the call.
   * Safe to retry: one that has ended stays as it is, and ending an operation twice changes nothing.
   */
  async keepConnection({ operation, workspace, verification }: VerificationInput): Promise<void> {
    await deps.db.transaction().execute(async (trx) => {
      const row = await lockVerification(trx, workspace, verification)
      if (!row || row.endedAt) return
      const kept = await keep(deps, trx, row)
      await endVerification(trx, row, kept.connection ?? null)
      if (operation !== null)
        await endOperation(
          trx,
          operation,
          await answerOf(deps, trx, operation, row, kept),
          deps.clock.now(),
        )
    })
  },
})

/** Returns once fewer than three others of its workspace are tried. @throws trouble if that takes too long. */
async function untilPlace({ db }: Deps, row: VerificationRow): Promise<void> {
  for (const until = performance.now() + placeWithinMs; !(await beginTry(db, row)); ) {
    if (performance.now() > until)
      throw trouble('busy', 'Other mailboxes of the workspace are tried; this one comes back.', {
        nextRetryDelay: Math.round(shortestMs + Math.random() * (longestMs - shortestMs)),
      })
    await sleep(lookMs)
  }
}

async function outcomeOf(deps: Deps, row: VerificationRow): Promise<VerificationOutcome> {
  const { account, smtp, imap, discover: isToFind, hostsSeen, publicOnly } = row.request
  // Nothing of a sandbox leads elsewhere: its domain is not asked about, and its servers, whatever they are, are not reached.
  if ((await findMode(deps.db, row.workspace)) === 'sandbox') {
    const user = { user: account }
    const played: Found = {
      source: 'provider',
      smtp: { ...playedServers.smtp, ...user },
      imap: { ...playedServers.imap, ...user },
      unexpected: [],
    }
    return {
      ...(isToFind && { found: played }),
      smtp: { outcome: 'ok' },
      imap: { outcome: 'ok' },
    }
  }
  const secrets = opened(deps, row)
  let found: Found | undefined
  let servers = { smtp, imap }
  if (isToFind && !(smtp && imap)) {
    found = await discover(account, deps.askServers)
    if (!found?.smtp && !found?.imap)
      return { ...(found && { found }), problem: 'no_servers', smtp: null, imap: null }
    if (found.unexpected.length > 0 && !hostsSeen)
      return { found, problem: 'hosts_to_confirm', smtp: null, imap: null }
    servers = withFound({ smtp, imap }, found, publicOnly)
  }
  const one = (server: MailServer | null, password: string | undefined) =>
    server && password !== undefined ? { server, password } : null
  const tried = await tryLogins({
    smtp: one(servers.smtp, secrets.smtp),
    imap: one(servers.imap, secrets.imap),
  })
  return { ...(found && { found }), ...tried }
}

/** What was given comes before what was found. */
function withFound(
  given: Pick<VerificationRequest, 'smtp' | 'imap'>,
  found: Found | undefined,
  publicOnly: boolean,
) {
  const server = (one: FoundLogin | null | undefined): MailServer | null =>
    one ? { ...one, ...(publicOnly && { public: true }) } : null
  return { smtp: given.smtp ?? server(found?.smtp), imap: given.imap ?? server(found?.imap) }
}

function opened({ secretKey }: Deps, row: VerificationRow): VerificationSecrets {
  try {
    return verificationSecrets(secretKey, row)
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    throw trouble('password_unreadable', 'The password is sealed under another SECRET_KEY.')
  }
}

type Kept = { connection?: string; conflict?: string; full?: QuotaUse }

async function keep(deps: Deps, trx: Trx, row: VerificationRow): Promise<Kept> {
  const { request, outcome, workspace } = row
  if (!outcome || outcome.problem || request.save === 'never') return {}
  const tried = [outcome.smtp, outcome.imap].filter((one) => one !== null)
  const isIn = tried.length > 0 && tried.every((one) => one.outcome === 'ok')
  if (!isIn && request.save === 'verified') return {}
  const same = await findSameAccount(trx, workspace, row.account)
  if (same) return { conflict: same }
  const full = await findFull(trx, workspace, 'connections')
  if (full) return { full }
  const servers = withFound(request, outcome.found, request.publicOnly)
  const secrets = opened(deps, row)
  const connection = await addConnection(trx, deps.secretKey, {
    workspace,
    request: { ...request, ...servers },
    secrets,
  })
  await recordAudit(trx, {
    workspace,
    at: deps.clock.now(),
    member: null,
    client: request.client,
    action: 'channel.created',
    resource: connection,
    after: { account: request.account, member: request.member },
    key: request.key,
  })
  return { connection }
}

async function answerOf(
  deps: Deps,
  trx: Trx,
  operation: string,
  { request, outcome, workspace, account }: VerificationRow,
  { connection, conflict, full }: Kept,
) {
  const { instance } = request
  if (conflict !== undefined)
    return refused(operation, {
      code: 'conflict',
      detail: `${account} is a connection of this workspace already.`,
      instance,
      members: { connection: conflict },
    })
  if (full)
    return refused(operation, {
      code: 'quota_exceeded',
      detail: quotaSentence(full),
      instance,
      members: full,
    })
  const found = outcome?.found && shownFound(outcome.found)
  if (connection === undefined) {
    const { code, errors } = toldOutcome(request.account, outcome)
    const [first] = errors
    return refused(operation, {
      code,
      detail: first ? `${first.pointer}: ${first.message}` : 'It could not be tried.',
      instance,
      errors,
      ...(found && { members: { found } }),
    })
  }
  const shown = await findAdministered(trx, workspace, connection, deps.clock)
  const verified = {
    smtp: outcome?.smtp?.outcome ?? null,
    imap: outcome?.imap?.outcome ?? null,
  }
  return {
    state: 'done' as const,
    status: 200,
    result: { connection: shown, verified, ...(found && { found }) },
  }
}
