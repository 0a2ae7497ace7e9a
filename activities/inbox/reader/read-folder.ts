import { type FolderPosition, keepPosition } from '../../../db/accounts/folder-positions.ts'
import type { Reader } from '../../../db/accounts/reader.ts'
import type { Clock } from '../../../db/clock.ts'
import { isConflict, isOvertaken, isUnavailable, retrying, type Trx } from '../../../db/database.ts'
import { isOfOurs } from '../../../db/inbox/our-letters.ts'
import { tellHidden, tellUnreadable } from '../../../db/inbox/unreadable.ts'
import { comparedForm } from '../../../rules/addresses.ts'
import { type ReceivedMail, unreadable } from '../../../rules/mail/received.ts'
import type { ReadFolder } from '../../../rules/mailbox-folders.ts'
import { hiddenIn, type Movement } from '../../../rules/mailbox-reading.ts'
import type { Deps } from '../../deps.ts'
import { type Arrived, type FolderState, upTo } from '../../ports/mail/imap.ts'
import { MailTrouble } from '../../ports/mail/smtp.ts'
import { fetchInTurn, maxBytes, newsInHand } from '../in-hand.ts'
import { readMailAside } from '../read-mail-aside.ts'
import { receiveMail, receiveSentMail } from '../receive-mail.ts'
import { type Fetched, fetchMails, isSuspected, refusable } from './fetch-mails.ts'
import type { Reading } from './reading.ts'
import { messageOfStub } from './stub.ts'

// Reads a folder to its end, from its place on.

// How much is fetched at once and held in memory.
const most = { mails: 20, bytes: 8 * 1024 * 1024 }
// What a mail counts whose size its server does not tell.
const unknownBytes = 4 * 1024 * 1024
// A folder that nobody has read yet may hold years of mail that rules have put there.
const firstLookMs = 14 * 24 * 60 * 60 * 1000
/** In so many sessions in a row, the numbers of a folder do not fit before they are taken as they are. */
const mostDoubts = 3

/**
 * Reads the current folder, whose state the server has just told, to its end; false if told to stop before. `isMore`: it held
 * fewer mails before.
 * @throws MailTrouble, imap_incomplete if another session has to look again.
 */
export async function readFolder(
  reading: Reading,
  folder: ReadFolder,
  { state, movement, isMore }: { state: FolderState; movement: Movement; isMore: boolean },
): Promise<boolean> {
  const { deps, reader, mailbox, mind, stop, places } = reading
  const { path } = folder
  const listing = `the list of ${path}`
  const shown = movement === 'first' || mind.isDoubted(path) ? await count() : []
  const place = movement === 'first' ? await firstPlace(shown) : placeOf(path)
  let left = await newFrom(place.nextUid)
  if (left.length === 0 && isMore) doubt()
  const name = (uid: number) => `${path} ${place.uidValidity} ${uid}`
  while (left.length > 0) {
    // A mail that may end the session comes by itself, so that those before it are stored.
    const suspect = left.findIndex((mail) => isSuspected({ mind, name }, mail))
    const several = suspect < 0 ? left : left.slice(0, Math.max(suspect, 1))
    const counted = upTo(most, maxBytes, several.map(withSize))
    const batch = several.slice(0, counted.length)
    left = left.slice(batch.length)
    let fetched: Fetched = { raws: new Map(), stubs: new Map() }
    const fetch = async () => {
      fetched = await fetchMails(mailbox, batch, { mind, name })
      return fetched.raws
    }
    const turn = { workspace: reader.workspace, budget: newsInHand, signal: stop }
    const inHand = await fetchInTurn({ ...mailbox, fetch }, counted, turn).catch((error) => {
      // An error that occurs because the activity was told to stop is not a failure.
      if (!stop.aborted) throw error
      return undefined
    })
    if (!inHand) return false
    try {
      const keep = (nextUid: number) => ({ ...place, nextUid })
      if (!(await storeMails(reading, folder, batch, { ...fetched, name, keep }))) return false
    } finally {
      inHand.release()
    }
  }
  mind.wasRead(path)
  mind.forget(listing)
  return true

  function placeOf(path: string): FolderPosition {
    const found = places.get(path)
    if (!found) throw new Error('A folder without a place is read for the first time.')
    return found
  }

  /** Compares how many mails the server counts with those that it shows, and answers these. */
  async function count(): Promise<number[]> {
    const shown = await refusable(mailbox.search(1, null), undefined)
    if (!shown) return []
    const hidden = hiddenIn(state.exists, shown.length)
    const known = places.get(path)?.hidden ?? 0
    if (hidden <= known) return shown
    doubt()
    await tellHidden(deps.db, reader, { folder: path, hidden: hidden - known }, deps.clock.now())
    const place = places.get(path)
    if (place) await keep({ ...place, hidden })
    return shown
  }

  /** Has another session look, unless that has been tried. */
  function doubt() {
    if (mind.doubted(path) < mostDoubts) throw new MailTrouble('imap_incomplete')
  }

  /**
   * Where reading begins in a folder that is new, or that the server has renumbered: mail that has arrived since the account is
   * read is read again, and what is already stored stays as it is. UIDNEXT is not asked: a server may count a mail there before
   * it shows it, and that mail would be passed over. What is shown only after the first search is found by the second.
   */
  async function firstPlace(shown: number[]): Promise<FolderPosition> {
    const since = new Date(Math.max(reader.since.getTime(), Date.now() - firstLookMs))
    const last = shown.at(-1) ?? 0
    const [first = last + 1] = await refusable(mailbox.search(1, since), [1])
    const hidden = places.get(path)?.hidden ?? 0
    return keep({ uidValidity: state.uidValidity, nextUid: first, hidden })
  }

  async function keep(place: FolderPosition): Promise<FolderPosition> {
    await keepPosition(deps.db, reader.id, path, place)
    places.set(path, place)
    return place
  }

  /** What SEARCH finds and FETCH tells: a server may leave a mail out of either, or hang up when it cannot open one. */
  async function newFrom(nextUid: number): Promise<Arrived[]> {
    const deaths = mind.failures(listing)
    const told = deaths > 1 ? [] : await refusable(list(deaths === 0), [])
    const found = await refusable(mailbox.search(nextUid, null), [])
    const known = new Set(told.map(({ uid }) => uid))
    const untold = found.filter((uid) => !known.has(uid))
    const unsized = untold.map((uid) => ({ uid, arrivedAt: new Date(), size: 0 }))
    return [...told, ...unsized].sort((a, b) => a.uid - b.uid)

    function list(sizes: boolean) {
      return mailbox.list(nextUid, sizes).catch((error) => {
        if (isGone(error)) mind.failed(listing)
        throw error
      })
    }
  }
}

const withSize = (mail: Arrived): Arrived => ({ ...mail, size: mail.size || unknownBytes })
const isGone = (error: unknown) => error instanceof MailTrouble && error.code === 'imap_unreachable'

// Stores the mails of a folder, each in a transaction with the place behind it.

// Two mails of one person may conflict; one of the two transactions then starts again.
const tries = 6

type Batch = Fetched & { name: (uid: number) => string; keep: (nextUid: number) => FolderPosition }

/** Stores mails one after the other; false if told to stop before the last. */
export async function storeMails(
  { deps, reader, stop, places }: Reading,
  folder: ReadFolder,
  batch: Arrived[],
  { raws, stubs, name, keep }: Batch,
): Promise<boolean> {
  const { path } = folder
  for (const arrived of batch) {
    if (stop.aborted) return false
    const { uid } = arrived
    const place = keep(uid + 1)
    const at = arrivedBy(deps.clock, arrived.arrivedAt)
    const stub = stubs.get(uid)
    const raw = stub?.raw ?? raws.get(uid)
    if (raw) {
      const mail = stub
        ? messageOfStub(stub, name(uid))
        : await readOne(deps, reader, raw, at, uid, stop)
      if (!mail) return false
      await keepMail(deps, reader, raw, uid, mail, async (trx, kept) => {
        await receive(trx, { deps, reader, folder, arrived, raw }, kept, at)
        if (stub) await tellUnreadable(trx, reader, { folder: path, mail: kept }, deps.clock.now())
        await keepPosition(trx, reader.id, path, place)
      })
    } else await keepPosition(deps.db, reader.id, path, place)
    places.set(path, place)
    deps.crash('after-mail')
  }
  return true
}

type From = { deps: Deps; reader: Reader; folder: ReadFolder; arrived: Arrived; raw: Buffer }

async function receive(
  trx: Trx,
  { deps, reader, folder, arrived, raw }: From,
  mail: ReceivedMail,
  at: Date,
) {
  const now = deps.clock.now()
  const { kind, path } = folder
  const of = { workspace: reader.workspace, connection: reader.id }
  const isAnswer = () => isOfOurs(trx, of, idsIn(mail))
  if (isOld(reader, arrived, mail) && !(await isAnswer())) return
  if (kind === 'sent' || (kind === 'other' && isSentCopy(reader, arrived, mail, raw)))
    return receiveSentMail(trx, reader, mail, at, now, deps.secretKey)
  const isJunk = kind === 'junk' && !(await isAnswer())
  await receiveMail(
    trx,
    reader,
    { ...mail, suspect: mail.suspect || isJunk },
    { at, folder: path },
    now,
    deps.secretKey,
  )
}

const idsIn = ({ references, report }: ReceivedMail) => [...references, ...(report?.refersTo ?? [])]

/**
 * Whether it was in the mailbox before the account was read, and has only been moved or copied since: it is the archive's. Its
 * number says that it is new in its folder.
 */
const isOld = ({ since }: Reader, { arrivedAt }: Arrived, { date }: ReceivedMail) =>
  arrivedAt < since && (date ?? arrivedAt) < since

/** A rule or a person has put the copy of a sent mail there: no server has brought it. */
function isSentCopy(reader: Reader, { isSent }: Arrived, mail: ReceivedMail, raw: Buffer): boolean {
  if (comparedForm(mail.from.address) !== comparedForm(reader.account)) return false
  return isSent ?? !travelled.test(raw.subarray(0, 64 * 1024).toString('latin1'))
}
const travelled = /^received:/im

/** Undefined if told to stop before the mail was read. */
async function readOne(
  deps: Deps,
  { workspace, id: connection, timezone }: Reader,
  raw: Buffer,
  at: Date,
  uid: number,
  stop: AbortSignal,
): Promise<ReceivedMail | undefined> {
  const read = await readMailAside(raw, at, workspace, stop, timezone).catch((error) => {
    if (!stop.aborted) throw error
    return undefined
  })
  if (read?.broke) deps.log.warn({ connection, uid, code: read.broke }, 'a mail is kept unparsed')
  return read?.mail
}

type Keep = (trx: Trx, mail: ReceivedMail) => Promise<void>

/** Stores one mail. A mail that cannot be stored as parsed is stored as a file, so that one mail never holds up the others. */
async function keepMail(
  deps: Deps,
  reader: Reader,
  raw: Buffer,
  uid: number,
  mail: ReceivedMail,
  store: Keep,
) {
  const write = (kept: ReceivedMail) =>
    retrying(tries, () => deps.db.transaction().execute((trx) => store(trx, kept)))
  try {
    await write(mail)
  } catch (error) {
    if (isUnavailable(error) || isConflict(error) || isOvertaken(error)) throw error
    deps.log.error({ connection: reader.id, uid, err: error }, 'a mail is kept as a file')
    await write(unreadable(raw))
  }
}

// IMAP gives full seconds. The last moment of the second is never before a letter that was sent in that second, so the order is
// kept.
const lastOfSecondMs = 999

/**
 * When a mail arrived, by the business clock. The sender's clock does not count: it may say a time before the letter that the
 * mail answers.
 */
function arrivedBy(clock: Clock, arrivedAt: Date): Date {
  const lastMoment = arrivedAt.getTime() + lastOfSecondMs
  return clock.at(new Date(Math.min(lastMoment, Date.now())))
}
