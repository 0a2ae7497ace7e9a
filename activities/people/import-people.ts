import { setTimeout as sleep } from 'node:timers/promises'
import { activityInfo, CancelledFailure, cancellationSignal, heartbeat } from '@temporalio/activity'
import { readdressAll } from '../../db/campaigns/readdress.ts'
import { stopImported } from '../../db/inbox/stop-letters.ts'
import { workspaceOf } from '../../db/operations/outbox.ts'
import { endImport, findImport, importBatch } from '../../db/people/imports.ts'
import { type FileRead, readAside } from '../../process/children/people-file.ts'
import { AsideTrouble } from '../../process/children/pool.ts'
import type { Correction } from '../../rules/people-file/columns.ts'
import { nobodyIn } from '../../rules/people-file/rows.ts'
import type { ImportInput } from '../../workflows/inputs.ts'
import { bounded } from '../common/bounded.ts'
import { trouble } from '../common/failures.ts'
import type { Deps } from '../deps.ts'

/** How many rows are done, how many there are, and whether the import has ended. */
export type ImportStep = { ended: boolean; done: number; total: number }

// How long one activity writes: the details that an operator reads are at most this old, and its heartbeats are newer. Each one
// reads the whole file again, which takes a second or more for the largest: most imports end within the first.
const sliceMs = 12_000
// Imports of one workspace write one after the other: each locks all its addresses. The others give their slots back.
const importing = bounded({ name: 'imports', ofKey: 1, waiting: 0 })
// A batch takes less than a second.
const anotherMs = 200

/** How often a file is read that exceeds the limits: the machine may have been busy. */
const attemptsAtLimits = 3

export const importPeopleActivities = (deps: Deps) => ({
  /**
   * Reads the file and writes the batches after the cursor for some seconds; ends the import after the last one.
   * Safe to retry: a batch and the cursor after it are one transaction, and rows before the cursor are skipped.
   */
  importRows(input: ImportInput): Promise<ImportStep> {
    return importing(workspaceOf(input.operation), () => importSome(deps, input))
  },

  /** Ends an import at the row it has reached. Safe to retry: only a running one is ended. */
  async stopImport(input: Pick<ImportInput, 'import'>): Promise<void> {
    await endImport(deps.db, input.import, 'cancelled', undefined, deps.clock.now())
  },
})

type Beat = { done: number; overLimits: number }

async function importSome(deps: Deps, input: Pick<ImportInput, 'import'>): Promise<ImportStep> {
  const { db, clock, crash, secretKey } = deps
  const row = await findImport(db, input.import)
  if (row?.state !== 'running' || !row.content)
    return { ended: true, done: row?.cursor ?? 0, total: row?.rows.total ?? 0 }
  const signal = cancellationSignal()
  // How often the file was over the limits is kept with the beats: attempts that found no place do not count.
  let overLimits = (activityInfo().heartbeatDetails as Beat | undefined)?.overLimits ?? 0
  const beat = () => heartbeat({ done: row.cursor, overLimits } satisfies Beat)
  const beats = setInterval(beat, 2_000)
  const started = performance.now()
  try {
    const file = await read(row, row.content, signal)
    if ('limits' in file && ++overLimits < attemptsAtLimits) {
      beat()
      throw trouble(
        'file_over_limits',
        'The file was not read within the limits of time and memory; the activity is retried.',
      )
    }
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
      const write = () =>
        importBatch(
          db,
          secretKey,
          row.id,
          batch,
          file.total,
          now,
          (trx, people) => readdressAll(trx, people, now),
          (trx, workspace, stops) => stopImported(trx, workspace, stops, row.id, now),
        )
      let result = await write()
      // Another process writes for the workspace.
      while (result === 'busy') {
        await sleep(anotherMs)
        if (signal.aborted) throw new CancelledFailure('The import was stopped.')
        result = await write()
      }
      if (result === 'stopped') return { ended: true, done: row.cursor, total: file.total }
      crash('after-batch')
      row.cursor = batch.to
      beat()
    }
    const [nobody] = nobodyIn(file)
    await endImport(db, row.id, 'done', nobody, clock.now())
    return { ended: true, done: file.total, total: file.total }
  } finally {
    clearInterval(beats)
  }
}

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
  return reading.catch((error: unknown) => {
    if (signal.aborted) throw new CancelledFailure('The import was stopped.')
    if (!(error instanceof AsideTrouble)) throw error
    throw trouble(error.code, 'Files cannot be read at the moment; the activity is retried.')
  })
}
