import { openReader } from '../../db/accounts/reader.ts'
import type { RunningArchive } from '../../db/archive/archives.ts'
import { countHistory, countUnmailed, listHistory } from '../../db/archive/history.ts'
import type { HistoryPage } from '../../db/archive/pages.ts'
import type { Deps } from '../deps.ts'
import { isInMailbox, openPastMail, type PastMailbox } from './past-mail.ts'

// The history of a channel comes from the mailbox of its e-mail account, if that has an IMAP server, and then from the messages
// in Postgres that were found in no mailbox.

export type HistorySource = {
  isMailbox: boolean
  /** About how many messages there are. */
  count(): Promise<number>
  /** The next page after a place (empty: the first), read outside of any transaction. */
  page(after: string): Promise<HistoryPage>
  close(): Promise<void>
}

// A few hundred letters of usual length take a fraction of a second to store. A decline waits for as long.
const pageSize = 200

/**
 * Opens the history of a channel for an archive. This function and the calls of its result throw MailTrouble if the mailbox
 * cannot be read.
 */
export async function openHistory(
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
        ? (await mailbox.count()) + (await countUnmailed(db, archive, channel))
        : countHistory(db, archive, channel),
    page: async (after) =>
      (await pageOf(mailbox, after)) ?? stored(isInMailbox(after) ? '' : after),
    close: async () => mailbox?.close(),
  }

  async function stored(after: string): Promise<HistoryPage> {
    const { messages, next } = await listHistory(db, archive, channel, after, pageSize)
    return { next, keep: async () => ({ messages, stored: 0 }) }
  }
}

const pageOf = async (mailbox: PastMailbox | undefined, after: string) =>
  mailbox && (after === '' || isInMailbox(after)) ? mailbox.page(after) : undefined
