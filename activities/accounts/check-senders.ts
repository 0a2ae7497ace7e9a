import { heartbeat } from '@temporalio/activity'
import type { ConnectionRow } from '../../db/accounts/connections.ts'
import { loggedIn, mayLogIn } from '../../db/accounts/login-breaker.ts'
import { noteProblem } from '../../db/accounts/problems.ts'
import { hastenRest } from '../../db/accounts/rests.ts'
import { hastenTry } from '../../db/accounts/retries.ts'
import {
  type Checked,
  countConnections,
  listDead,
  listMailAccounts,
  listSenderHealth,
  listToCheck,
  noteUnchecked,
  presentHealth,
  updateChecked,
} from '../../db/accounts/senders.ts'
import { findSendingRecord } from '../../db/accounts/sending-record.ts'
import type { Signal } from '../../db/accounts/tables.ts'
import { wakeRunners } from '../../db/campaigns/campaigns.ts'
import { isUnavailable } from '../../db/database.ts'
import { endOperation } from '../../db/operations/operations.ts'
import { SealError } from '../../db/secrets.ts'
import { findZone } from '../../db/workspace/workspaces.ts'
import { domainOf } from '../../rules/addresses.ts'
import { dayIn } from '../../rules/hours.ts'
import type { CheckInput } from '../../workflows/inputs.ts'
import { bounded } from '../common/bounded.ts'
import { beating } from '../common/heartbeat.ts'
import { inLanes } from '../common/lanes.ts'
import { reconcileBridged } from '../conversations/reconcile-message.ts'
import type { Deps } from '../deps.ts'
import { openAccount } from '../outgoing/handover.ts'
import { wakeAccount } from '../outgoing/rest.ts'
import { settingsOf } from '../outgoing/sessions.ts'
import { checkBridge, lineOf } from '../ports/bridge/bridge.ts'
import { findRecords, systemTxt } from '../ports/dns.ts'
import { noteFailedLogin } from '../ports/mail/failed-login.ts'
import { MailTrouble } from '../ports/mail/smtp.ts'
import { accessSignal, domainSignals, levelOf, mailboxSignal, recordSignals } from './signals.ts'

// How far back the record of an account counts.
const recordMs = 7 * 24 * 60 * 60 * 1000

// How many calls of one workspace are worked on at once in a process.
const checking = bounded({ name: 'account_checks', ofKey: 8 })

// How many accounts are checked at once, and for how long; one that hangs holds its place for a minute. Those that are left are the
// first of the next run.
const lanes = { atOnce: 20, forMs: 60_000 }
const mostRevived = 2_000

// The schedule (activities/worker/schedules.ts) begins so many runs an hour. The last one of the hour need not take all that is left.
const portionsAnHour = 10
const leastPortion = 20
// Somewhat less than an hour, so that nobody's turn is later each time.
const freshMs = 50 * 60_000

// Calls may come one after the other.
const askedApartMs = 5_000

export const checkSendersActivities = (deps: Deps) => {
  const { db, clock } = deps
  return {
    /**
     * Logs in to the accounts of a workspace, notes the results, and answers the call; without a workspace, to the next portion of
     * all accounts. Safe to retry: it checks again.
     */
    async checkSenders(input: CheckInput): Promise<void> {
      const { operation, workspace, connection } = input
      if (workspace === null) return beating(checkNext)
      const look = async () => {
        const accounts = await listMailAccounts(db, workspace, connection)
        await Promise.all(accounts.map((account) => check(account, operation !== null)))
        if (operation !== null) await answer(operation, workspace)
      }
      await beating(() => checking(workspace, look))
    },

    /**
     * Logs in again to accounts that were found dead, so that one that has recovered is used again: for a minute, those that
     * were checked longest ago first. Safe to retry: it checks again.
     */
    async reviveSenders(): Promise<void> {
      await beating(async () => inLanes(await listDead(db, mostRevived), lanes, checkAlone))
    },
  }

  /**
   * Checks each account about once an hour: those that were checked longest ago first, as many as are due in the time until the next
   * run. So the logins of many accounts are spread over the hour, also where all of them were last checked at one moment.
   */
  async function checkNext() {
    const before = new Date(clock.now().getTime() - freshMs)
    const portion = Math.ceil((await countConnections(db)) / portionsAnHour)
    const due = await listToCheck(db, before, Math.max(portion, leastPortion))
    await inLanes(due, lanes, checkAlone)
  }

  /** A problem with one account does not keep the others from being checked. */
  async function checkAlone(account: ConnectionRow) {
    try {
      await check(account)
    } catch (error) {
      if (isUnavailable(error)) throw error
      deps.log.error({ connection: account.id, err: error }, 'the account cannot be checked')
      await noteUnchecked(db, account.id, clock.now())
    }
  }

  /** `isAsked`: a person has asked, so that an account that waits or rests is tried at once. */
  async function check(account: ConnectionRow, isAsked = false) {
    const problem =
      account.kind === 'email' ? await login(account, isAsked) : await bridged(account)
    const now = clock.now()
    const signals = [
      accessSignal(account.kind === 'email' ? 'login' : 'bridge', problem),
      ...(account.kind === 'email' ? await mailSignals(account, now) : []),
    ]
    const health = levelOf(signals)
    // Until its owner consents, an account in use is in trouble and not switched off: its letters wait for it.
    const alive = problem === null || problem === 'consent_needed'
    const checked: Checked = { alive, problem, health, signals, checkedAt: now }
    if (account.kind !== 'email') await noteProblem(db, 'sending', account.id, problem, now)
    await db.transaction().execute(async (trx) => {
      const rests = { account: account.id, server: 'smtp' } as const
      if (isAsked && problem === null && (await hastenRest(trx, rests, now)))
        await wakeAccount(trx, account)
      if (!(await updateChecked(trx, account.id, checked))) return
      await wakeRunners(trx, { workspace: account.workspace }, 'accounts')
    })
    if (account.kind !== 'email' && problem === null)
      await reconcileBridged(deps, account.id, heartbeat)
  }

  async function mailSignals(account: ConnectionRow, now: Date): Promise<Signal[]> {
    const timezone = await findZone(db, account.workspace)
    const since = new Date(now.getTime() - recordMs)
    const record = await findSendingRecord(db, account.id, since, dayIn(timezone, now))
    const selector = account.smtp?.['dkimSelector']
    // Nobody receives what a sandbox sends, so its domain is not asked about.
    const records =
      account.mode === 'sandbox'
        ? undefined
        : await findRecords(
            deps.lookUpTxt ?? systemTxt,
            domainOf(account.account),
            typeof selector === 'string' ? selector : undefined,
          )
    return [
      ...(records ? domainSignals(records) : []),
      ...recordSignals(record, now),
      ...(account.imap ? [mailboxSignal(record.mailboxProblem)] : []),
    ]
  }

  async function bridged(account: ConnectionRow): Promise<string | null> {
    try {
      const line = lineOf(deps, account)
      return line ? await checkBridge(line) : 'no_bridge'
    } catch (error) {
      if (error instanceof SealError) return 'password_unreadable'
      throw error
    }
  }

  /** One that waits for its next try is not logged in to: what the last one came to still holds. */
  async function login(account: ConnectionRow, isAsked: boolean): Promise<string | null> {
    const settings = settingsOf(account)
    const of = { id: account.id, server: 'smtp', settings } as const
    if (isAsked) await hastenTry(db, account.id, clock.now(), askedApartMs)
    const permit = await mayLogIn(db, of, clock.now())
    if (!permit.may) return permit.trouble.problem ?? permit.trouble.retry?.code ?? null
    try {
      const session = await openAccount(deps, account)
      session.close()
      await loggedIn(db, permit, clock.now())
      return null
    } catch (error) {
      if (!(error instanceof MailTrouble)) throw error
      await noteFailedLogin(deps, permit, { server: account.smtp, settings }, error)
      return error.code
    }
  }

  async function answer(operation: string, workspace: string) {
    const now = clock.now()
    const timezone = await findZone(db, workspace)
    const rows = await listSenderHealth(db, workspace, timezone, now)
    await endOperation(
      db,
      operation,
      { state: 'done', result: presentHealth(rows), status: 200 },
      now,
    )
  }
}
