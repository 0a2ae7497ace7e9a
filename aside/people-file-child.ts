import type { Correction } from '../rules/people-file/columns.ts'
import { readImport, type Summary } from '../rules/people-file/read.ts'
import type { Unreadable } from '../rules/people-file/unreadable.ts'
import { serve } from './serve.ts'

// The process that reads files of people.

export type Request = {
  corrections: Correction[]
  columnsOnly: boolean
  region?: string | undefined
}
/** Each batch as JSON, so that batches can be parsed one at a time. */
export type Read = { summary: Summary | Unreadable; batches: Buffer[] }

serve({
  async peopleFile({ corrections, columnsOnly, region }: Request, bytes): Promise<Read> {
    const batches: Buffer[] = []
    const summary = await readImport(
      bytes,
      corrections,
      (batch) => void batches.push(Buffer.from(JSON.stringify(batch))),
      { columnsOnly, region },
    )
    return { summary, batches }
  },
})
