import type { Correction } from '../db/import/columns.ts'
import { readImport, type Summary } from '../db/import/read.ts'
import type { Unreadable } from '../db/import/table.ts'
import { serve } from './serve.ts'

// The process in which files of people are read.

export type Request = { corrections: Correction[]; columnsOnly: boolean }
/** Each batch as JSON, so that they can be parsed one at a time. */
export type Read = { summary: Summary | Unreadable; batches: Buffer[] }

serve({
  async peopleFile({ corrections, columnsOnly }: Request, bytes): Promise<Read> {
    const batches: Buffer[] = []
    const summary = await readImport(
      bytes,
      corrections,
      (batch) => void batches.push(Buffer.from(JSON.stringify(batch))),
      columnsOnly,
    )
    return { summary, batches }
  },
})
