import { parseArgs } from 'node:util'
import { accept } from './accept.ts'
import { campaign } from './campaign.ts'
import { dispatch } from './dispatch.ts'
import { importPeople } from './import.ts'
import { mailboxes } from './mailboxes.ts'
import { moment } from './moment.ts'
import { openPlace, type Place, type Size } from './place.ts'
import { planning } from './planning.ts'
import { read } from './read.ts'
import { rest } from './rest.ts'
import { printHead } from './rounds.ts'
import { scale } from './scale.ts'
import { searches } from './search.ts'
import { size } from './size.ts'
import { sleepers } from './sleepers.ts'
import { streams } from './streams.ts'

// npm run bench -- [SUBJECT…] [--quick] [--rows N] [--mailboxes N] [--scale N]: what the service costs, in processes of its own, beside floors that do the least that
// the same work needs. No figure here is a promise; the ratios are what is worth comparing between versions.
// What things cost in numbers that no machine changes is tested: costs.test.ts.

const subjects: Record<string, (place: Place, size: Size) => Promise<void>> = {
  accept,
  read,
  dispatch,
  campaign,
  import: importPeople,
  scale,
  streams,
  moment,
}

// Named alone: each starts what it needs, and is disturbed by whatever runs beside it.
const alone: Record<string, (size: Size) => Promise<void>> = {
  rest,
  sleepers,
  mailboxes,
  search: searches,
  planning,
  size,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    rows: { type: 'string' },
    mailboxes: { type: 'string' },
    scale: { type: 'string' },
  },
})
const wanted = positionals.length > 0 ? positionals : Object.keys(subjects)
const known = { ...subjects, ...alone }
for (const name of wanted)
  if (!(name in known)) throw new Error(`There is no subject ${name}: ${Object.keys(known)}`)

const numberIn = (text: string | undefined) => (text ? Number(text) : undefined)
const asked = {
  quick: values.quick,
  rows: numberIn(values.rows),
  mailboxes: numberIn(values.mailboxes),
  scale: numberIn(values.scale),
}
for (const name of wanted) await alone[name]?.(asked)
const measured = wanted.filter((name) => name in subjects)
if (measured.length > 0) {
  const place = await openPlace()
  try {
    printHead()
    for (const name of measured) await subjects[name]?.(place, asked)
  } finally {
    await place.close()
  }
}
process.exit(0)
