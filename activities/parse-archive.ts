import { CancelledFailure, cancellationSignal, heartbeat } from '@temporalio/activity'
import { parsePage } from '../db/archive-pages.ts'
import { archiveCounted, endArchive, findArchive, type RunningArchive } from '../db/archives.ts'
import type { Deps } from './deps.ts'
import { historyOf } from './history.ts'

/** Messages parsed of all, and whether the parse has ended. */
export type ArchiveStep = { ended: boolean; done: number; total: number }

// How long one activity goes on: the details an operator reads are as old as this at most.
const sliceMs = 4_000
// Some hundred letters of usual length: a transaction of a fraction of a second, which is what a decline waits for.
const pageSize = 200

export const parseArchiveActivities = ({ db, clock, crash }: Deps) => {
  return {
    /**
     * Parses the history behind the cursor for some seconds, page by page; ends the archive after the last one.
     * Safe to retry: a page and the cursor behind it are one transaction.
     */
    async parseHistory(input: { archive: string }): Promise<ArchiveStep> {
      const until = performance.now() + sliceMs
      const signal = cancellationSignal()
      for (;;) {
        const archive = await findArchive(db, input.archive)
        const [done, total] = [archive?.done ?? 0, archive?.total ?? 0]
        heartbeat({ done })
        if (archive?.state !== 'running' || archive.source >= archive.channels.length) {
          await endArchive(db, input.archive, clock.now())
          return { ended: true, done, total: Math.max(done, total) }
        }
        if (signal.aborted) throw new CancelledFailure('The parse is stopped at its row.')
        if (performance.now() > until) return { ended: false, done, total }
        if (archive.total === null) await archiveCounted(db, archive, await count(archive))
        await parseNext(archive)
      }
    },

    /** Stops a parse where it stands. Safe to retry: only a running one is stopped. */
    async stopArchive(input: { archive: string }): Promise<void> {
      await endArchive(db, input.archive, clock.now(), true)
    },
  }

  async function parseNext(archive: RunningArchive) {
    const { source, cursor, channels } = archive
    const history = historyOf(db, archive, channels[source] as string)
    const page = await history.page(cursor, pageSize)
    crash('before-page')
    await parsePage(db, archive, { source, cursor }, page, clock.now())
    crash('after-page')
  }

  async function count(archive: RunningArchive) {
    let total = 0
    for (const channel of archive.channels) {
      heartbeat()
      total += (await historyOf(db, archive, channel).count()) ?? 0
    }
    return total
  }
}
