import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Correction } from './columns.ts'
import { readImport } from './read.ts'

// The process a file is read in. In: a line of JSON, then the file. Out: a line for each batch, then one for the summary.

export type Request = { corrections: Correction[]; columnsOnly: boolean }

const input = readFileSync(0)
const end = input.indexOf(10)
const request = JSON.parse(input.toString('utf8', 0, end)) as Request
const lines: string[] = []
const summary = await readImport(
  input.subarray(end + 1),
  request.corrections,
  (batch) => void lines.push(JSON.stringify(batch)),
  request.columnsOnly,
)
for (const line of [...lines, JSON.stringify(summary)])
  if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain')
