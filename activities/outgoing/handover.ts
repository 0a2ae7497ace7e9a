import { randomUUID } from 'node:crypto'
import { ApplicationFailure } from '@temporalio/common'
import type { ConnectionRow } from '../../db/accounts/connections.ts'
import { giveProbeBack, restOf, takeProbe } from '../../db/accounts/rests.ts'
import { noteAnswered, noteUnanswered } from '../../db/campaigns/account-rests.ts'
import { isConflict, isUnavailable, retrying } from '../../db/database.ts'
import type { LetterRow } from '../../db/outgoing/letters.ts'
import type { Kind } from '../../db/outgoing/life.ts'
import { counted } from '../../process/telemetry/metrics.ts'
import { bounded } from '../common/bounded.ts'
import { trouble } from '../common/failures.ts'
import { beating } from '../common/heartbeat.ts'
import type { Deps } from '../deps.ts'
import { type BridgeMessage, lineOf, postMessage } from '../ports/bridge/bridge.ts'
import { composeLetter, type Letter } from '../ports/mail/compose.ts'
import { loggedIn } from '../ports/mail/logged-in.ts'
import { openSandbox } from '../ports/mail/sandbox-smtp.ts'
import { type Handover, type MailSession, MailTrouble, openSmtp } from '../ports/mail/smtp.ts'
import { isTroubled, openOnce, untilDue } from './breaker.ts'
import { inPlace } from './counted-sessions.ts'
import { type Lease, leasing } from './lease.ts'
import { logRest, noteNotLetIn, noteWorks } from './rest.ts'
import { resting } from './resting.ts'
import { closeSessions, takeSession } from './sessions.ts'
import { type Settled, settleOwn } from './settle.ts'

// Hands one letter over, at most once, and every kind of letter in the same way: open its account, claim it, compose it, send it,
// settle it. A letter that another attempt has claimed never gets here. One file, because these five are one thing, and what may not
// happen between them stands beside them.

export type Parcel<Row extends LetterRow, Claimed extends Row = Row, Sent = unknown> = {
  kind: Kind<Row, Sent>
  id: string
  /** The account that it goes through, as it was read a moment ago. */
  account: ConnectionRow | undefined
  /** A person has asked to try at once, also if the account could not be opened a moment ago. */
  asked?: boolean | undefined
  /**
   * Checks everything that may forbid the letter, takes one unit and writes the marker, in one transaction. Answers the letter as
   * it is now; undefined if it must not be sent, and the row says why.
   */
  claim(by: Claimant): Promise<Claimed | undefined>
  /** The letter that was claimed, without its sender, whom the account gives. */
  letter(claimed: Claimed, by: Claimant): Promise<Unsigned> | Unsigned
  /** For an account that is reached through a bridge, as only messages are: what is posted once the letter is claimed. */
  toBridge?(account: ConnectionRow): Promise<Bridged<Row>>
  /** Called before a failure to open the account is thrown, so that readers see what the letter waits for. */
  held?(): Promise<void>
  /** Called once the letter is claimed and is being handed over. */
  claimed?(): void
  /** Called once the server has taken the letter and before that is written down. */
  taken?(): void
}

/**
 * What a claim is made with. `takesWide`: the server takes addresses beyond ASCII. `isProbe`: the account has rested, and this
 * letter alone tries whether it works again.
 */
export type Claimant = {
  attempt: string
  account: ConnectionRow
  takesWide: boolean
  isProbe: boolean
}

export type Unsigned = Omit<Letter, 'from'>

/** Its files are in memory until `release` is called. */
export type Bridged<Row extends LetterRow> = { message(row: Row): BridgeMessage; release(): void }

/**
 * Answers what the attempt has come to; undefined if the letter was not claimed, and its row says why.
 * @throws trouble with a safe code while the account cannot be opened. Nothing is claimed then, and the activity is retried.
 */
export function handOver<Row extends LetterRow, Claimed extends Row, Sent>(
  given: Deps,
  parcel: Parcel<Row, Claimed, Sent>,
): Promise<Settled<Sent> | undefined> {
  const deps = { ...given, db: given.letters ?? given.db }
  const { account, asked } = parcel
  return beating(async () => {
    refuseWhileStopping(deps)
    if (!account) throw trouble('connection_missing', 'The sending account no longer exists.')
    if (account.paused) await waitsFor(parcel, Promise.reject(isPaused(account.id)))
    const due = await waitsFor(parcel, untilDue(deps, account, asked === true))
    return ofAccount(account.id, () => ofHost(due, () => attempt(deps, due, parcel)))
  })
}

// Whoever takes the pause back tells those who wait.
const pausedPollMs = 60_000

const isPaused = (connection: string) => {
  const text = `The account ${connection} is paused by the application that administers it.`
  return trouble('connection_paused', text, { connection, text, nextRetryDelay: pausedPollMs })
}

async function attempt<Row extends LetterRow, Claimed extends Row, Sent>(
  deps: Deps,
  account: ConnectionRow,
  parcel: Parcel<Row, Claimed, Sent>,
): Promise<Settled<Sent> | undefined> {
  const { kind, id } = parcel
  const marker = randomUUID()
  const courier = await (account.kind === 'email'
    ? waitsFor(parcel, byMail(deps, account, parcel))
    : byBridge(deps, account, parcel))
  let isProbe = false
  let isTried = false
  try {
    deps.crash('before-claim')
    isProbe = await mayProbe(deps, account)
    return await leasing(deps.db, { table: kind.table, id }, marker, async (lease) => {
      refuseWhileStopping(deps)
      const by = { attempt: marker, account, takesWide: courier.takesWide, isProbe }
      const claimed = await parcel.claim(by)
      if (!claimed) return undefined
      isTried = true
      deps.crash('after-claim')
      const handing = courier.hand(claimed, by, lease)
      parcel.claimed?.()
      const handover = await handing
      deps.crash('after-handover')
      if (account.kind === 'email') await patiently(() => noteAnswer(deps, account, handover))
      if (handover.kind === 'accepted') parcel.taken?.()
      const own = { read: claimed, attempt: marker, now: deps.clock.now() }
      const settled = await patiently(() => settleOwn(deps.db, kind, own, handover))
      logRest(deps, settled?.rest)
      deps.crash('after-settle')
      return settled
    })
  } finally {
    courier.close()
    // Another letter tries instead.
    if (isProbe && !isTried)
      await giveProbeBack(deps.db, { account: account.id, server: 'smtp' }, deps.clock.now())
  }
}

/**
 * Whether the letter tries alone if an account that has rested works again; false if the account does not rest.
 * @throws trouble while it rests, or another letter tries.
 */
async function mayProbe({ db, clock }: Deps, { id, probeAt }: ConnectionRow): Promise<boolean> {
  if (probeAt === null) return false
  const now = clock.now()
  const probe = await takeProbe(db, { account: id, server: 'smtp' }, now)
  if (probe === 'busy') throw resting(id, await restOf(db, id, 'smtp'))
  return probe === 'mine'
}

/** If the account cannot be opened, says so before the failure is thrown. The next step after the hand-over states it again. */
async function waitsFor<T>({ held }: { held?(): Promise<void> }, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ApplicationFailure) await held?.()
    throw error
  }
}

/**
 * Work that begins now might be cut short when the process ends. Another worker, or this one after its restart, does it
 * instead.
 */
function refuseWhileStopping({ stopping }: Deps) {
  if (stopping?.aborted)
    throw trouble('worker_stopping', 'The worker is stopping; another worker sends the letter.')
}

/**
 * Notes that an account works again, and counts the letters that a mail server took without an answer. This happens before the
 * outcome is written, because the next letter depends on the count.
 */
async function noteAnswer(
  { db, clock, log }: Deps,
  { id, workspace, unconfirmedInRow, probeAt, refusedInRow }: ConnectionRow,
  handover: Handover,
) {
  if (handover.kind === 'accepted' && (probeAt !== null || refusedInRow > 0))
    await db.transaction().execute((trx) => noteWorks(trx, { id, workspace }, clock.now()))
  const isUnanswered = handover.kind === 'unknown'
  if (!isUnanswered && unconfirmedInRow === 0) return
  if (handover.kind === 'deferred' && handover.code === null) return
  const restsUntil = await db
    .transaction()
    .execute((trx) => (isUnanswered ? noteUnanswered(trx, id, clock.now()) : noteAnswered(trx, id)))
  if (restsUntil)
    log.warn(
      { connection: id, until: restsUntil },
      'the account rests, because its mail server takes letters without answering',
    )
}

// Mail servers allow few sessions of one account at once. Some more letters wait briefly; the others come back later, without
// holding a slot.
const ofAccount = bounded({ name: 'account_letters', ofKey: 4, waiting: 16, waitingBriefly: 64 })

// A mail server that takes its time has many accounts, of many workspaces: half of the letters that a process hands over go to
// others.
const ofServer = bounded({ name: 'host_letters', ofKey: 100, waiting: 0, waitingBriefly: 100 })

const ofHost = <T>({ smtp }: ConnectionRow, work: () => Promise<T>): Promise<T> =>
  smtp ? ofServer(smtp.host.toLowerCase(), work) : work()

/** A connection that is ready to hand one letter over. */
type Courier<Row extends LetterRow> = {
  takesWide: boolean
  hand(claimed: Row, by: Claimant, lease: Lease): Promise<Handover>
  close(): void
}

async function byMail<Row extends LetterRow>(
  deps: Deps,
  account: ConnectionRow,
  { letter }: Pick<Parcel<Row>, 'letter'>,
): Promise<Courier<Row>> {
  // Whether an account in trouble works again is shown by a login, not by a session from before.
  if (isTroubled(account)) closeSessions(account.id)
  const open = () => openForLetters(deps, account)
  const session = await takeSession(account, {
    open: () => openOnce(deps, account, open),
    openAhead: open,
  })
  const from = { name: account.memberName, address: account.account }
  /** The letter is claimed, so that a failure has to be settled: nothing of it was sent. */
  async function compose(claimed: Row, by: Claimant) {
    try {
      return await composeLetter({ ...(await letter(claimed, by)), from })
    } catch (err) {
      deps.log.error({ connection: account.id, err }, 'a letter could not be composed')
      return undefined
    }
  }
  return {
    takesWide: session.takesWide,
    async hand(claimed, by, lease) {
      const mail = await compose(claimed, by)
      if (!mail || !(await stillHolds(deps, lease, account)))
        return { kind: 'deferred', code: null }
      const handover = await session.send(mail)
      // The next letter need not wait until this one is settled.
      session.release()
      return handover
    },
    close: () => session.release(),
  }
}

/** Asked right before the letter goes. Without an answer it does not go: whose it is can no longer be known. */
async function stillHolds({ log }: Deps, lease: Lease, { id: connection }: ConnectionRow) {
  try {
    if (await lease.holds()) return true
  } catch (err) {
    log.warn({ connection, err }, 'it is not known whether a claimed letter may still go')
  }
  return false
}

// A bridge has no session to open. That it is down shows when the message is posted, before it has taken anything.
async function byBridge<Row extends LetterRow>(
  deps: Deps,
  account: ConnectionRow,
  { toBridge }: Pick<Parcel<Row>, 'toBridge'>,
): Promise<Courier<Row>> {
  const line = lineOf(deps, account)
  if (!line || !toBridge) throw trouble('no_bridge', `The account ${account.id} has no bridge.`)
  const { message, release } = await toBridge(account)
  return {
    takesWide: true,
    hand: async (claimed, _, lease) =>
      (await stillHolds(deps, lease, account))
        ? postMessage(line, message(claimed))
        : { kind: 'deferred', code: null },
    close: release,
  }
}

/** Opens a connection's account over SMTP, or that of a sandbox at the server that is played for it. @throws MailTrouble. */
export async function openAccount(deps: Deps, connection: ConnectionRow): Promise<MailSession> {
  const { smtp } = connection
  if (connection.mode === 'sandbox') return openSandbox(deps, connection)
  if (!smtp) throw new MailTrouble('no_smtp')
  const opening = loggedIn(deps, connection, { server: 'smtp', user: smtp.user }, (login) =>
    openSmtp(smtp, login),
  )
  opening.then(
    () => counted('smtpLogins', { outcome: 'opened' }),
    () => counted('smtpLogins', { outcome: 'failed' }),
  )
  return opening
}

/**
 * The same for letters: an account that its server does not let in for a reason of the account rests.
 * @throws MailTrouble, and trouble where the account rests or all its sessions are in use.
 */
async function openForLetters(deps: Deps, connection: ConnectionRow) {
  try {
    return await inPlace(deps, connection, () => openAccount(deps, connection))
  } catch (error) {
    if (error instanceof MailTrouble) await noteNotLetIn(deps, connection, error)
    throw error
  }
}

const mostTries = 3

/**
 * Retries a settlement while the database is away, and a few times if another transaction was faster, such as one that deletes a
 * webhook: the server's answer is known here and nowhere else.
 */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await retrying(mostTries, work)
    } catch (error) {
      if (!isUnavailable(error) && !isConflict(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
}
