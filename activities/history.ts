import { countHistory, listHistory } from '../db/archive-history.ts'
import type { HistoryPage } from '../db/archive-pages.ts'
import type { RunningArchive } from '../db/archives.ts'
import type { Db } from '../db/database.ts'

// Where the history of a channel comes from. Today what is in Postgres; a mailbox that is read over IMAP is another source
// behind the same port: its page fetches, its `keep` files what is new.

export type HistorySource = {
  /** How many messages there are, or null where that cannot be said beforehand. */
  count(): Promise<number | null>
  /** The next page behind a place (empty: the first), read outside of any transaction. */
  page(after: string, limit: number): Promise<HistoryPage>
}

/** The source of a channel's history for an archive. */
export const historyOf = (db: Db, archive: RunningArchive, channel: string): HistorySource => ({
  count: () => countHistory(db, archive, channel),
  async page(after, limit) {
    const { messages, next } = await listHistory(db, archive, channel, after, limit)
    return { size: messages.length, next, keep: async () => messages }
  },
})
