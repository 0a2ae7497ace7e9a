import type { Correction } from '../../rules/people-file/columns.ts'
import { type Reading, readImport, type Summary } from '../../rules/people-file/read.ts'
import type { Batch } from '../../rules/people-file/rows.ts'
import { withoutShared } from '../../rules/people-file/shared.ts'
import type { Unreadable } from '../../rules/people-file/unreadable.ts'
import { serve } from './serve.ts'

// The process that reads files of people.

export type Request = Reading & { corrections: Correction[]; columnsOnly: boolean }
/** Each batch as JSON, so that batches can be parsed one at a time. */
export type Read = { summary: Summary | Unreadable; batches: Buffer[] }

serve({
  async peopleFile({ corrections, ...reading }: Request, bytes): Promise<Read> {
    const batches: Buffer[] = []
    const write = (batch: Batch) => Buffer.from(JSON.stringify(batch))
    const summary = await readImport(
      bytes,
      corrections,
      (batch) => void batches.push(write(batch)),
      reading,
    )
    if ('unreadable' in summary || summary.shared.length === 0) return { summary, batches }
    // Which addresses are shared is known only when all rows have been read.
    const shared = new Set(summary.shared)
    const own = batches.map((batch) =>
      write(withoutShared(JSON.parse(batch.toString('utf8')) as Batch, shared)),
    )
    return { summary, batches: own }
  },
})
