import { activityInfo, CancelledFailure, cancellationSignal, heartbeat } from '@temporalio/activity'
import { readdressAll } from '../../db/campaigns/readdress.ts'
import { stopImported } from '../../db/inbox/stop-letters.ts'
import { endImport, findImport, importBatch } from '../../db/people/imports.ts'
import { type FileRead, readAside } from '../../process/children/people-file.ts'
import { AsideTrouble } from '../../process/children/pool.ts'
import type { Correction } from '../../rules/people-file/columns.ts'
import { nobodyIn } from '../../rules/people-file/rows.ts'
import type { ImportInput } from '../../workflows/inputs.ts'
import { trouble } from '../common/failures.ts'
import type { Deps } from '../deps.ts'

/** How many rows are done, how many there are, and whether the import has ended. */
export type ImportStep = { ended: boolean; done: number; total: number }

// How long one activity writes: the details that an operator reads are at most this old, and its heartbeats are newer. Each one
// reads the whole file again, which takes a second or more for the largest: most imports end within the first.
const sliceMs = 12_000
/** How often a file is read that exceeds the limits: the machine may have been busy. */
const attemptsAtLimits = 3

export const importPeopleActivities = ({ db, clock, crash, secretKey }: Deps) => ({
  /**
   * Reads the file and writes the batches after the cursor for some seconds; ends the import after the last one.
   * Safe to retry: a batch and the cursor after it are one transaction, and rows before the cursor are skipped.
   */
  async importRows(input: Pick<ImportInput, 'import'>): Promise<ImportStep> {
    const row = await findImport(db, input.import)
    if (row?.state !== 'running' || !row.content)
      return { ended: true, done: row?.cursor ?? 0, total: row?.rows.total ?? 0 }
    const signal = cancellationSignal()
    const beats = setInterval(() => heartbeat({ done: row.cursor }), 2_000)
    const started = performance.now()
    try {
      const file = await read(row, row.content, signal)
      if ('unreadable' in file) {
        // Row 0 stands for the whole file.
        const problem = { row: 0, column: null, code: 'unreadable_file', message: file.unreadable }
        await endImport(db, row.id, 'failed', problem, clock.now())
        return { ended: true, done: 0, total: 0 }
      }
      // A large workbook takes seconds to read, so the time to write grows with it.
      const readMs = performance.now() - started
      const until = performance.now() + Math.max(sliceMs, readMs * 3)
      for (const batch of file.batches()) {
        if (batch.to <= row.cursor) continue
        if (performance.now() > until) return { ended: false, done: row.cursor, total: file.total }
        if (signal.aborted) throw new CancelledFailure('The import was stopped.')
        crash('before-batch')
        const now = clock.now()
        const result = await importBatch(
          db,
          secretKey,
          row.id,
          batch,
          file.total,
          now,
          (trx, people) => readdressAll(trx, people, now),
          (trx, workspace, stops) => stopImported(trx, workspace, stops, row.id, now),
        )
        if (result === 'stopped') return { ended: true, done: row.cursor, total: file.total }
        crash('after-batch')
        row.cursor = batch.to
        heartbeat({ done: row.cursor })
      }
      const [nobody] = nobodyIn(file)
      await endImport(db, row.id, 'done', nobody, clock.now())
      return { ended: true, done: file.total, total: file.total }
    } finally {
      clearInterval(beats)
    }
  },

  /** Ends an import at the row it has reached. Safe to retry: only a running one is ended. */
  async stopImport(input: Pick<ImportInput, 'import'>): Promise<void> {
    await endImport(db, input.import, 'cancelled', undefined, clock.now())
  },
})

type Said = {
  workspace: string
  columns: unknown
  region: string | null
  headings: number | null
  sheet: string | null
}

async function read(
  { workspace, columns, region, headings, sheet }: Said,
  content: Buffer,
  signal: AbortSignal,
): Promise<FileRead | { unreadable: string }> {
  const reading = readAside(content, columns as Correction[], {
    workspace,
    signal,
    region: region ?? undefined,
    headings: headings ?? undefined,
    sheet: sheet ?? undefined,
  })
  const file = await reading.catch((error: unknown) => {
    if (signal.aborted) throw new CancelledFailure('The import was stopped.')
    if (!(error instanceof AsideTrouble)) throw error
    throw trouble(error.code, 'Files cannot be read at the moment; the activity is retried.')
  })
  if ('limits' in file && activityInfo().attempt < attemptsAtLimits)
    throw trouble(
      'file_over_limits',
      'The file was not read within the limits of time and memory; the activity is retried.',
    )
  return file
}
