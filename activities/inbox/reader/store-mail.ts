import { type FolderPosition, keepPosition } from '../../../db/accounts/folder-positions.ts'
import type { Reader } from '../../../db/accounts/reader.ts'
import type { Clock } from '../../../db/clock.ts'
import { isConflict, isOvertaken, isUnavailable, retrying, type Trx } from '../../../db/database.ts'
import { isOfOurs } from '../../../db/inbox/our-letters.ts'
import { tellUnreadable } from '../../../db/inbox/unreadable.ts'
import { comparedForm } from '../../../rules/addresses.ts'
import { type ReceivedMail, unreadable } from '../../../rules/mail/received.ts'
import type { ReadFolder } from '../../../rules/mailbox-folders.ts'
import type { Deps } from '../../deps.ts'
import type { Arrived } from '../../ports/mail/imap.ts'
import { readMailAside } from '../read-mail-aside.ts'
import { receiveMail, receiveSentMail } from '../receive-mail.ts'
import type { Fetched } from './fetch-mails.ts'
import type { Reading } from './reading.ts'
import { messageOfStub } from './stub.ts'

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
    return receiveSentMail(trx, reader, mail, at, now)
  const isJunk = kind === 'junk' && !(await isAnswer())
  await receiveMail(
    trx,
    reader,
    { ...mail, suspect: mail.suspect || isJunk },
    { at, folder: path },
    now,
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
