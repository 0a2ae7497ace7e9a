import { setTimeout as sleep } from 'node:timers/promises'
import { CancelledFailure, cancellationSignal } from '@temporalio/activity'
import { openReader } from '../../db/accounts/reader.ts'
import { endArchive, findArchive, type RunningArchive } from '../../db/archive/archives.ts'
import {
  channelCounted,
  listOpenChannels,
  noteChannelProblem,
  type OpenChannel,
} from '../../db/archive/channels.ts'
import { countHistory, countUnmailed, listHistory } from '../../db/archive/history.ts'
import { type HistoryPage, parsePage } from '../../db/archive/pages.ts'
import { retrying } from '../../db/database.ts'
import { operationRuns, operationWaits } from '../../db/operations/operations.ts'
import type { ArchiveInput } from '../../workflows/inputs.ts'
import { trouble } from '../common/failures.ts'
import { beating } from '../common/heartbeat.ts'
import type { Deps } from '../deps.ts'
import { MailTrouble } from '../ports/mail/smtp.ts'
import {
  closePastMail,
  countPastMail,
  isInMailbox,
  openPastMail,
  type PastMailbox,
  readPastPage,
} from './past-mail.ts'

/** How many messages are parsed, how many there are (null while unknown), and whether the parse has ended. */
export type ArchiveStep = { ended: boolean; done: number; total: number | null }

// How long one activity runs: the details that an operator reads are at most this old. Longer for mailboxes, because each such
// activity logs in.
const sliceMs = { stored: 4_000, mailbox: 15_000 }
// A page may conflict with incoming mail; one of the two transactions then starts again.
const tries = 6
// Between two pages it pauses for as long as the last page took, but at most this long: work that people wait for comes first.
const longestRestMs = 200

export const parseArchiveActivities = (deps: Deps) => {
  const { db, clock, crash } = deps

  return {
    /**
     * Parses the history after the cursors for some seconds, page by page, and ends the archive after the last page. A channel
     * that cannot be read waits until the others have ended, and is then retried with its cause shown in the pending activity.
     * Safe to retry: a page and the cursor after it are one transaction.
     */
    async parseHistory(input: Pick<ArchiveInput, 'archive'>): Promise<ArchiveStep> {
      const open = new Map<string, HistorySource>()
      try {
        return await beating(() => parse(input.archive, open))
      } finally {
        for (const source of open.values()) await source.close()
      }
    },

    /** Stops a parse at the row it has reached. Safe to retry: only a running parse is stopped. */
    async stopArchive(input: Pick<ArchiveInput, 'archive'>): Promise<void> {
      await endArchive(db, input.archive, clock.now(), true)
    },
  }

  async function parse(id: string, open: Map<string, HistorySource>): Promise<ArchiveStep> {
    const began = performance.now()
    const signal = cancellationSignal()
    // Channels that failed in this attempt; the next attempt tries them again.
    const failed = new Map<string, string>()
    for (;;) {
      const archive = await findArchive(db, id)
      const [done, total] = [archive?.done ?? 0, archive?.total ?? null]
      const channels = archive?.state === 'running' ? await listOpenChannels(db, id) : []
      if (!archive || channels.length === 0) {
        await endArchive(db, id, clock.now())
        return { ended: true, done, total: Math.max(done, total ?? 0) }
      }
      if (signal.aborted) throw new CancelledFailure('The parse was stopped.')
      const lastsMs = [...open.values()].some((source) => source.isMailbox)
        ? sliceMs.mailbox
        : sliceMs.stored
      if (performance.now() - began > lastsMs || deps.stopping?.aborted)
        return { ended: false, done, total }
      const channel = nextOf(channels.filter((one) => !failed.has(one.channel)))
      if (!channel) return hold(archive, failed)
      const before = performance.now()
      try {
        await parseNext(archive, channel, open)
        await sleep(Math.min(performance.now() - before, longestRestMs))
      } catch (error) {
        if (!(error instanceof MailTrouble)) throw error
        failed.set(channel.channel, error.code)
        await noteChannelProblem(db, id, channel.channel, error.code)
      }
    }
  }

  /** Parses one page of a channel, or counts its messages if that has not been done. */
  async function parseNext(
    archive: RunningArchive,
    { channel, cursor, total, problem }: OpenChannel,
    open: Map<string, HistorySource>,
  ) {
    const history = open.get(channel) ?? (await openHistory(deps, archive, channel))
    open.set(channel, history)
    if (total === null) await channelCounted(db, archive, channel, await history.count())
    else {
      const page = await history.page(cursor)
      crash('before-page')
      await retrying(tries, () => parsePage(db, archive, { channel, cursor }, page, clock.now()))
      crash('after-page')
    }
    if (problem === null) return
    await noteChannelProblem(db, archive.id, channel, null)
    if (archive.operation) await operationRuns(db, archive.operation)
  }

  async function hold({ operation }: RunningArchive, failed: Map<string, string>): Promise<never> {
    if (operation) await operationWaits(db, operation, 'connection')
    const [[channel, code] = ['', '']] = failed
    throw trouble(
      code,
      `The mailbox of ${channel} cannot be read (${code}); the parse resumes where it stopped.`,
    )
  }
}

// All channels are counted first, and those that cannot be read come last.
const nextOf = (channels: OpenChannel[]) =>
  channels.find(({ total, problem }) => total === null && problem === null) ??
  channels.find(({ problem }) => problem === null) ??
  channels[0]

// The history of a channel comes from the mailbox of its e-mail account, if that has an IMAP server, and then from the messages
// in Postgres that were found in no mailbox.

type HistorySource = {
  isMailbox: boolean
  /** About how many messages there are. */
  count(): Promise<number>
  /** The next page after a cursor (empty: the first), read outside of any transaction. */
  page(after: string): Promise<HistoryPage>
  close(): Promise<void>
}

// A few hundred letters of usual length take a fraction of a second to store. A decline waits for as long.
const pageSize = 200

/**
 * Opens the history of a channel for an archive. This function and the calls of its result throw MailTrouble if the mailbox
 * cannot be read.
 */
async function openHistory(
  deps: Deps,
  archive: RunningArchive,
  channel: string,
): Promise<HistorySource> {
  const { db } = deps
  const reader = await openReader(db, channel)
  const mailbox = reader && (await openPastMail(deps, archive, reader))
  return {
    isMailbox: mailbox !== undefined,
    count: async () =>
      mailbox
        ? (await countPastMail(mailbox)) + (await countUnmailed(db, archive, channel))
        : countHistory(db, archive, channel),
    page: async (after) =>
      (await pageOf(mailbox, after)) ?? stored(isInMailbox(after) ? '' : after),
    close: async () => mailbox && closePastMail(mailbox),
  }

  async function stored(after: string): Promise<HistoryPage> {
    const { messages, next } = await listHistory(db, archive, channel, after, pageSize)
    return { next, keep: async () => ({ messages, stored: 0 }) }
  }
}

const pageOf = async (mailbox: PastMailbox | undefined, after: string) =>
  mailbox && (after === '' || isInMailbox(after)) ? readPastPage(mailbox, after) : undefined
