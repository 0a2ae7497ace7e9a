import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { cancellationSignal } from '@temporalio/activity'
import {
  findShare,
  leaveSet,
  listSet,
  listUnheld,
  renewEveryMs,
  renewSet,
  takeSet,
  tellSetOf,
} from '../../../db/accounts/mailbox-sets.ts'
import {
  askAnew,
  describeReader,
  listUnread,
  nextHandles,
  readerWorkflowId,
  startReaders,
  startSets,
} from '../../../db/accounts/mailboxes.ts'
import { hastenTry } from '../../../db/accounts/retries.ts'
import { listUnfiled } from '../../../db/accounts/to-file.ts'
import { isUnavailable } from '../../../db/database.ts'
import type { MailboxInput, MailboxSetInput } from '../../../workflows/inputs.ts'
import { trouble } from '../../common/failures.ts'
import { beating, tellWith } from '../../common/heartbeat.ts'
import type { Deps } from '../../deps.ts'
import { listPutOff } from '../file-sent.ts'
import { whenSetChanges } from './changes.ts'
import { type MailboxReader, startMailbox } from './read-mailbox.ts'

// Reads the mailboxes of a set, each in a session of its own.

const minute = 60_000
// After this time the activity ends and starts again, so that the workflow's history shows that the set is read.
const sittingMs = 24 * 60 * minute
const shareEveryMs = minute
// Whoever changes an account says so; what is changed in another way is seen after this time.
const listEveryMs = minute / 2
const handlesAtOnce = 25
const askedApartMs = 5_000
const revivedAtOnce = 200

/** `isRead`: the mailbox has been read to its end. */
export type Described = { text: string; isRead: boolean }

export const readMailboxesActivities = (deps: Deps) => {
  /** The sets that this worker reads. */
  const held = new Set<string>()
  const { db } = deps
  return {
    /** Starts who reads sets that nobody reads, and handles of mailboxes that are gone, a batch a run. Safe to retry. */
    async reviveReaders(): Promise<void> {
      const unheld = await listUnheld(db)
      if (unheld.length > 0) await db.transaction().execute((trx) => startSets(trx, unheld))
      const lost = await listUnread(db)
      for (const account of await nextHandles(db, handlesAtOnce))
        if (
          (await deps.workflowState(readerWorkflowId(account.workspace, account.id))) === 'closed'
        )
          lost.push(account)
      for (let i = 0; i < lost.length; i += revivedAtOnce) {
        const some = lost.slice(i, i + revivedAtOnce)
        await db.transaction().execute((trx) => startReaders(trx, some, { tell: false }))
      }
    },

    /**
     * Reads the mailboxes of a set for a day, or until this worker stops or has more sets than its share. `gone`: there is no such
     * set. Safe to retry: the place of a folder advances in the transaction that stores a mail, and a mail is stored once.
     */
    async readMailboxes({ set }: MailboxSetInput): Promise<'again' | 'gone'> {
      if (!held.has(set) && held.size >= (await findShare(db)))
        throw trouble('busy', 'This worker reads its share of the mailboxes.', {
          nextRetryDelay: 2_000,
        })
      const holder = randomUUID()
      const taken = await takeSet(db, set, holder)
      if (taken === undefined) return 'gone'
      if (!taken)
        throw trouble('busy', 'Another worker reads these mailboxes.', { nextRetryDelay: 5_000 })
      held.add(set)
      // Of several that ask at the same time, no more are given than there are too many.
      const isToGive = (share: number) => held.size > share && held.delete(set)
      try {
        await beating(() => hold(deps, set, holder, isToGive))
      } finally {
        held.delete(set)
        await leaveSet(db, set, holder)
      }
      if (deps.stopping?.aborted && !cancellationSignal().aborted)
        throw trouble('worker_stopping', 'The worker is stopping; another worker resumes.')
      return 'again'
    },

    /** What the handle of a mailbox shows; null if the account has none any more. */
    async describeMailbox({ connection }: MailboxInput): Promise<Described | null> {
      const row = await describeReader(db, connection)
      if (!row) return null
      const { isBehind, readAt, folders, set } = row
      const many = folders === 1 ? 'its folder' : `${folders} folders`
      const how = isBehind
        ? `Not read to its end at the moment${readAt ? `, since ${readAt.toISOString()}` : ''}.`
        : `Read to its end in ${many} at ${readAt?.toISOString()}, and read on as mail arrives.`
      return { text: `${how} The workflow \`mailboxes-${set}\` reads it.`, isRead: !isBehind }
    },

    /** Ends the pause before the next try of a mailbox, and its session if it has one. */
    async retryMailbox({ connection }: MailboxInput): Promise<void> {
      await db.transaction().execute(async (trx) => {
        await askAnew(trx, connection)
        await hastenTry(trx, connection, deps.clock.now(), askedApartMs, 'imap')
        await tellSetOf(trx, connection)
      })
    },
  }
}

async function hold(deps: Deps, set: string, holder: string, isToGive: (share: number) => boolean) {
  const { db } = deps
  const stop = AbortSignal.any([cancellationSignal(), ...(deps.stopping ? [deps.stopping] : [])])
  /** By the account and what it had when its mailbox was opened. */
  const mailboxes = new Map<string, { of: string; reader: MailboxReader }>()
  tellWith(() => countsOf([...mailboxes.values()].map(({ reader }) => reader)))
  const until = performance.now() + sittingMs
  let version: string | undefined = ''
  let listedAt = Number.NEGATIVE_INFINITY
  let sharedAt = performance.now()
  const changes = whenSetChanges(set)
  const endings = new Set<Promise<void>>()
  const ended = (reader: MailboxReader) => {
    const ending = reader.stop().finally(() => endings.delete(ending))
    endings.add(ending)
    return ending
  }
  try {
    while (!stop.aborted && performance.now() < until) {
      try {
        if (!(await renew())) return
      } catch (error) {
        // The sessions stay: a database that is back in a moment must not make all of them log in again.
        if (!isUnavailable(error)) throw error
      }
      const every = Math.min(renewEveryMs, deps.mailWaitMs ?? renewEveryMs)
      await sleep(every, undefined, { signal: AbortSignal.any([stop, changes.next()]) }).catch(
        () => {},
      )
    }
  } finally {
    changes.close()
    for (const { reader } of mailboxes.values()) void ended(reader)
    await Promise.all(endings)
  }

  /** False if the set is another one's now. */
  async function renew(): Promise<boolean> {
    const renewed = await renewSet(db, set, holder)
    // Another one reads it: this process has hung for too long.
    if (renewed === undefined) return false
    if (renewed !== version || performance.now() - listedAt > listEveryMs) {
      await follow()
      version = renewed
      listedAt = performance.now()
    }
    const putOff = listPutOff(deps.clock.now())
    for (const id of await listUnfiled(db, set, putOff)) mailboxes.get(id)?.reader.file()
    if (performance.now() - sharedAt < shareEveryMs) return true
    sharedAt = performance.now()
    return !isToGive(await findShare(db))
  }

  /** Starts, ends and replaces sessions so that they are those of the accounts as they are now. */
  async function follow() {
    const readers = await listSet(db, set)
    const wanted = new Map(readers.map((reader) => [reader.id, reader]))
    for (const [id, { reader }] of mailboxes) {
      if (wanted.has(id)) continue
      mailboxes.delete(id)
      void ended(reader)
    }
    for (const [id, account] of wanted) {
      const { learntAuthserv: _, ...settings } = account
      const of = JSON.stringify(settings)
      const before = mailboxes.get(id)
      if (before?.of === of) continue
      const ending = before && ended(before.reader)
      mailboxes.set(id, { of, reader: startMailbox(deps, account, holder, ending) })
    }
  }
}

function countsOf(readers: MailboxReader[]) {
  const count = (condition: string) => readers.filter((one) => one.condition() === condition).length
  return {
    mailboxes: readers.length,
    read: count('read'),
    behind: count('reading'),
    troubled: count('troubled'),
  }
}
