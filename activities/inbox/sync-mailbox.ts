import { randomUUID } from 'node:crypto'
import { cancellationSignal, heartbeat } from '@temporalio/activity'
import {
  findPlace,
  keepPlace,
  listUnread,
  noteCaughtUp,
  noteLeft,
  noteReading,
  openReader,
  type Reader,
  startReaders,
  tellReader,
} from '../../db/accounts/mailboxes.ts'
import { noteProblem } from '../../db/accounts/problems.ts'
import { wakeRunners } from '../../db/campaigns/campaigns.ts'
import type { Clock } from '../../db/clock.ts'
import { isConflict, isOvertaken, isUnavailable, retrying, type Trx } from '../../db/database.ts'
import { whatToDo } from '../../rules/oauth.ts'
import type { MailboxInput } from '../../workflows/inputs.ts'
import { trouble } from '../common/failures.ts'
import { beating } from '../common/heartbeat.ts'
import type { Deps } from '../deps.ts'
import { type Arrived, type Mailbox, openImap, upTo } from '../ports/mail/imap.ts'
import { loggedIn } from '../ports/mail/logged-in.ts'
import { MailTrouble, whyOfMail } from '../ports/mail/smtp.ts'
import { fileSent } from './file-sent.ts'
import { fetchInTurn, maxBytes, newsInHand } from './in-hand.ts'
import { readMailAside } from './read-mail-aside.ts'
import { receiveMail, receiveSentMail } from './receive-mail.ts'
import { type ReceivedMail, unreadable } from './received-mail.ts'

const minute = 60_000
// After this time the activity ends and starts again: the workflow's history shows that the reader is alive, and another worker
// may take over.
const sittingMs = 30 * minute
// How often Sent is checked; the Inbox reports new mail by itself (IDLE).
const waitMs = 10_000
// How much is fetched at once and held in memory.
const most = { mails: 20, bytes: 8 * 1024 * 1024 }
// Two mails of one person may conflict; one of the two transactions then starts again.
const tries = 6

// A reader records every few seconds that it reads, and one that waits for its server tries every 20 s.
const unreadMs = 5 * minute
const revivedAtOnce = 200

export const syncMailboxActivities = (deps: Deps) => ({
  /** Starts readers of mailboxes that nobody reads. Safe to retry: a reader that runs is left as it is. */
  async reviveReaders(): Promise<void> {
    const accounts = await listUnread(deps.db, unreadMs)
    for (let i = 0; i < accounts.length; i += revivedAtOnce) {
      heartbeat()
      const some = accounts.slice(i, i + revivedAtOnce)
      await deps.db.transaction().execute((trx) => startReaders(trx, some, { tell: false }))
    }
  },

  /**
   * Reads an account's mailbox for half an hour as mail arrives, and files what was sent. `gone`: the account no longer has an
   * IMAP server. Safe to retry: the place advances in the transaction that stores a mail, and a mail is stored once.
   */
  async syncMailbox(input: MailboxInput): Promise<'again' | 'gone'> {
    // A cancelled sitting hears of that with a heartbeat, up to a minute later; the row tells it sooner.
    const holder = randomUUID()
    const reader = await openReader(deps.db, input.connection, holder)
    if (!reader) return 'gone'
    const stop = AbortSignal.any([cancellationSignal(), ...(deps.stopping ? [deps.stopping] : [])])
    try {
      await beating(async () => {
        const mailbox = await openMailbox(deps, reader)
        try {
          const since = await noteProblem(deps.db, 'reading', reader.id, null, deps.clock.now())
          if (since) {
            deps.log.info({ connection: reader.id, since }, 'the mailbox can be read again')
            await tellReader(deps.db, reader)
          }
          await sit(deps, { ...reader, holder }, mailbox, stop)
        } finally {
          await mailbox.close()
          await noteLeft(deps.db, { connection: reader.id, holder })
        }
      })
    } catch (error) {
      if (!(error instanceof MailTrouble)) throw error
      throw await cannotRead(deps, reader, error)
    }
    if (stop.aborted && !cancellationSignal().aborted)
      throw trouble('worker_stopping', 'The worker is stopping; another worker resumes.')
    return 'again'
  },
})

/**
 * The sentence is the same at each try, and says what an operator needs: what is wrong, where, since when, and what can be
 * done.
 */
async function cannotRead({ db, clock }: Deps, { id, imap, oauth }: Reader, error: MailTrouble) {
  const { code } = error
  const now = clock.now()
  const since = (await noteProblem(db, 'reading', id, code, now)) ?? now
  const todo = whatToDo(code, { id, oauth })
  const text = `The mailbox of ${id} cannot be read (${whyOfMail(error, imap)}) since ${since.toISOString()}.${todo ? ` ${todo}` : ''} It is tried at most 20 s apart; the update retryNow tries at once.`
  return trouble(code, text, { connection: id })
}

/** Opens a connection's mailbox. @throws MailTrouble. */
export function openMailbox(
  deps: Deps,
  { imap, ...connection }: Pick<Reader, 'id' | 'account' | 'imap' | 'oauth' | 'secrets'>,
): Promise<Mailbox> {
  if (!imap) throw new MailTrouble('no_imap')
  return loggedIn(deps, connection, { server: 'imap', user: imap.user }, (login) =>
    openImap(imap, login ?? ''),
  )
}

type Sitting = Reader & { holder: string }

async function sit(deps: Deps, reader: Sitting, mailbox: Mailbox, stop: AbortSignal) {
  const until = Date.now() + sittingMs
  let sent: string | null = null
  while (!stop.aborted && Date.now() < until) {
    sent ??= await mailbox.sentPath()
    sent = await fileSent(deps, reader, mailbox, sent, stop)
    if (sent) await readFolder(deps, reader, mailbox, stop, { folder: 'sent', path: sent })
    await readFolder(deps, reader, mailbox, stop, { folder: 'inbox', path: 'INBOX' })
    if (stop.aborted) return
    const read = await noteCaughtUp(deps.db, reader.id, reader.holder)
    if (read === 'replaced') return
    if (read === 'late') await wakeRunners(deps.db, { workspace: reader.workspace })
    await mailbox.waitForMail(deps.mailWaitMs ?? waitMs, stop)
  }
}

type Where = { folder: 'inbox' | 'sent'; path: string }

async function readFolder(
  deps: Deps,
  reader: Reader,
  mailbox: Mailbox,
  stop: AbortSignal,
  { folder, path }: Where,
) {
  const { db } = deps
  const { uidValidity } = await mailbox.open(path)
  let place = await findPlace(db, reader.id, folder)
  if (place?.uidValidity !== uidValidity) {
    // The folder is read for the first time, or the server has renumbered it. Mail that has arrived since reading began is read
    // again; what is already stored stays as it is. UIDNEXT is not asked: a server may count a mail there before it shows it,
    // and that mail would be passed over. What is shown only after the first search is found by the second.
    const last = (await mailbox.search(1, null)).at(-1) ?? 0
    const [first = last + 1] = await mailbox.search(1, reader.since)
    place = { uidValidity, nextUid: String(first) }
    await keepPlace(db, { connection: reader.id, folder, uidValidity, nextUid: first })
  }
  let left = await mailbox.list(Number(place.nextUid))
  while (left.length > 0) {
    const batch = upTo(most, maxBytes, left)
    left = left.slice(batch.length)
    const wanted = batch.filter(({ arrivedAt }) => arrivedAt >= reader.since)
    const fetched = await fetchInTurn(mailbox, wanted, {
      workspace: reader.workspace,
      budget: newsInHand,
      signal: stop,
      waits: () => noteReading(db, reader.id, null),
    }).catch(unlessStopped(stop))
    if (!fetched) return
    try {
      const isWhole = await store(batch, fetched.raws)
      if (!isWhole) return
    } finally {
      fetched.release()
    }
    await noteReading(db, reader.id, null)
  }

  /** Stores mails one after the other; false if told to stop before the last. */
  async function store(batch: Arrived[], raws: Map<number, Buffer>): Promise<boolean> {
    for (const arrived of batch) {
      if (stop.aborted) return false
      const place = { connection: reader.id, folder, uidValidity, nextUid: arrived.uid + 1 }
      const raw = raws.get(arrived.uid)
      if (!raw) await keepPlace(db, place)
      else {
        const at = arrivedBy(deps.clock, arrived.arrivedAt)
        const mail = await readOne(deps, reader, raw, at, arrived.uid, stop)
        if (!mail) return false
        await keep(deps, reader, raw, arrived.uid, mail, async (trx, kept) => {
          const receive = folder === 'inbox' ? receiveMail : receiveSentMail
          await receive(trx, reader, kept, at, deps.clock.now())
          await keepPlace(trx, place)
        })
      }
      deps.crash('after-mail')
    }
    return true
  }
}

/** Undefined if told to stop before the mail was read. */
async function readOne(
  deps: Deps,
  { workspace, id: connection }: Reader,
  raw: Buffer,
  at: Date,
  uid: number,
  stop: AbortSignal,
): Promise<ReceivedMail | undefined> {
  const read = await readMailAside(raw, at, workspace, stop).catch(unlessStopped(stop))
  if (read?.broke) deps.log.warn({ connection, uid, code: read.broke }, 'a mail is kept unparsed')
  return read?.mail
}

/** An error that occurs because the activity was told to stop is not a failure. */
const unlessStopped = (stop: AbortSignal) => (error: unknown) => {
  if (!stop.aborted) throw error
  return undefined
}

type Keep = (trx: Trx, mail: ReceivedMail) => Promise<void>

/** Stores one mail. A mail that cannot be stored as parsed is stored as a file, so that one mail never holds up the others. */
async function keep(
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
