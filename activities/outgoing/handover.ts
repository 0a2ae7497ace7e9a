import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { ApplicationFailure } from '@temporalio/common'
import { type ConnectionRow, findConnection } from '../../db/accounts/connections.ts'
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
import { composeLetter, type Letter, type Mail } from '../ports/mail/compose.ts'
import { loggedIn } from '../ports/mail/logged-in.ts'
import { type Handover, MailTrouble, openSmtp } from '../ports/mail/smtp.ts'
import { isTroubled, openOnce, untilDue } from './breaker.ts'
import { inPlace } from './counted-sessions.ts'
import { leasing } from './lease.ts'
import { logRest, noteNotLetIn, noteWorks } from './rest.ts'
import { resting } from './resting.ts'
import { closeSessions, takeSession } from './sessions.ts'
import { type Settled, settleOwn } from './settle.ts'

// Hands one letter over, at most once: open the account, claim, hand over, settle. The parcel decides what is sent and what may
// forbid it. A letter that another attempt has claimed never gets here.

export type Parcel<Row extends LetterRow> = {
  kind: Kind<Row>
  /** The row whose marker the claim writes, as it was read. */
  row: Row
  connection: string | null
  /** The account, if it was read a moment ago. */
  account?: ConnectionRow | undefined
  to: string
  /** The whole letter except for its sender, which the connection gives. */
  letter(connection: ConnectionRow): Omit<Letter, 'from' | 'to'>
  /** What the claim has left of the letter. */
  left?(letter: Letter): Letter
  /**
   * The same for an account that is reached through a bridge, as only messages are. Its files are in memory until `release` is
   * called.
   */
  bridged?(connection: ConnectionRow): Promise<{ message: BridgeMessage; release(): void }>
  /**
   * Checks again everything that may forbid the letter, takes one unit and writes the marker, in one transaction. False: it must
   * not be sent, and the row says why.
   */
  claim(attempt: string, account: string, server: Server): Promise<boolean>
  /** The mail of the letter for `account`, if it was prepared ahead: it goes only through that account, as it was read. */
  mail?: Mail | undefined
  /** Called once the letter is claimed and is being handed over. */
  claimed?(): void
  /** Called once the server has taken the letter and before that is written down. */
  taken?(): void
  /** A person has asked to try at once, also if the account could not be opened a moment ago. */
  asked?: boolean | undefined
  /** Called before a failure to open the account is thrown, so that readers see what the letter waits for. */
  held?(): Promise<void>
}

/**
 * `takesWide`: the server takes addresses beyond ASCII. `isProbe`: the account has rested, and this letter alone tries whether it
 * works again.
 */
type Server = { takesWide: boolean; isProbe: boolean }

// What is handed over, whatever its kind.
type Contents = Omit<Parcel<LetterRow>, 'kind' | 'row' | 'claim'>

/**
 * Answers what the attempt has come to; undefined if the letter was not claimed, and its row says why.
 * @throws trouble with a safe code while the account cannot be opened. Nothing is claimed then, and the activity is retried.
 */
export function handOver<Row extends LetterRow>(
  deps: Deps,
  parcel: Parcel<Row>,
): Promise<Settled | undefined> {
  const attempt = randomUUID()
  return beating(async () => {
    refuseWhileStopping(deps)
    const id = parcel.connection
    const known = parcel.account?.id === id ? parcel.account : undefined
    const found = known ?? (id === null ? undefined : await findConnection(deps.db, id))
    if (!found) throw trouble('connection_missing', 'The sending account no longer exists.')
    const connection = await waitsFor(parcel, untilDue(deps, found, parcel.asked === true))
    return ofAccount(connection.id, () => hand(deps, connection, parcel, attempt))
  })
}

async function hand<Row extends LetterRow>(
  deps: Deps,
  connection: ConnectionRow,
  parcel: Parcel<Row>,
  attempt: string,
) {
  const { kind, row: read } = parcel
  const courier =
    connection.kind === 'email'
      ? await waitsFor(parcel, byMail(deps, connection, parcel))
      : await byBridge(deps, connection, parcel)
  let isProbe = false
  let isTried = false
  try {
    deps.crash('before-claim')
    isProbe = await mayProbe(deps, connection)
    return await leasing(deps.db, { table: kind.table, id: read.id }, attempt, async () => {
      refuseWhileStopping(deps)
      const server = { takesWide: courier.takesWide, isProbe }
      if (!(await parcel.claim(attempt, connection.id, server))) return undefined
      isTried = true
      deps.crash('after-claim')
      const handing = courier.hand()
      parcel.claimed?.()
      const handover = await handing
      deps.crash('after-handover')
      if (connection.kind === 'email') await patiently(() => noteAnswer(deps, connection, handover))
      if (handover.kind === 'accepted') parcel.taken?.()
      const settled = await patiently(() =>
        settleOwn(deps.db, kind, { read, attempt, now: deps.clock.now() }, handover),
      )
      logRest(deps, settled?.rest)
      deps.crash('after-settle')
      return settled
    })
  } finally {
    courier.close()
    // Another letter tries instead.
    if (isProbe && !isTried)
      await giveProbeBack(deps.db, { account: connection.id, server: 'smtp' }, deps.clock.now())
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
async function waitsFor<T>({ held }: Pick<Contents, 'held'>, work: Promise<T>): Promise<T> {
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

/** A connection that is ready to hand one letter over. */
type Courier = { takesWide: boolean; hand(): Promise<Handover>; close(): void }

/** The mail of a letter that goes through this account. */
export const mailOf = (
  connection: ConnectionRow,
  parcel: Pick<Contents, 'letter' | 'to'>,
): Promise<Mail> => composeLetter(letterOf(connection, parcel))

const letterOf = (
  connection: ConnectionRow,
  { letter, to }: Pick<Contents, 'letter' | 'to'>,
): Letter => ({
  ...letter(connection),
  from: { name: connection.memberName, address: connection.account },
  to,
})

async function byMail(deps: Deps, connection: ConnectionRow, parcel: Contents): Promise<Courier> {
  const letter = parcel.mail === undefined ? letterOf(connection, parcel) : undefined
  // Whether an account in trouble works again is shown by a login, not by a session from before.
  if (isTroubled(connection)) closeSessions(connection.id)
  const open = () => openForLetters(deps, connection)
  const session = await takeSession(connection, {
    open: () => openOnce(deps, connection, open),
    openAhead: open,
  })
  /** The letter is claimed: a failure to compose it must be settled, and nothing of it was sent. */
  const compose = async (claimed: Letter) => {
    try {
      return await composeLetter(parcel.left?.(claimed) ?? claimed)
    } catch (err) {
      deps.log.error({ connection: connection.id, err }, 'a letter could not be composed')
      return undefined
    }
  }
  // A letter that the claim cannot change is composed while Postgres carries the claim out, unless it may be large.
  const isSmall = letter && !parcel.left && !letter.files?.length
  const early = isSmall ? setImmediate().then(() => compose(letter)) : undefined
  return {
    takesWide: session.takesWide,
    async hand() {
      const mail = parcel.mail ?? (await (early ?? (letter && compose(letter))))
      if (!mail) return { kind: 'deferred', code: null }
      const handover = await session.send(mail)
      // The next letter need not wait until this one is settled.
      session.release()
      return handover
    },
    close: () => session.release(),
  }
}

// A bridge has no session to open. That it is down shows when the message is posted, before it has taken anything.
async function byBridge(deps: Deps, connection: ConnectionRow, parcel: Contents): Promise<Courier> {
  const line = lineOf(deps, connection)
  if (!line || !parcel.bridged)
    throw trouble('no_bridge', `The account ${connection.id} has no bridge.`)
  const { message, release } = await parcel.bridged(connection)
  return { takesWide: true, hand: () => postMessage(line, message), close: release }
}

/** Opens a connection's account over SMTP. @throws MailTrouble. */
export async function openAccount(deps: Deps, connection: ConnectionRow) {
  const { smtp } = connection
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
