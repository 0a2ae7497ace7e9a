import { parseArgs } from 'node:util'
import { accept } from './accept.ts'
import { campaign } from './campaign.ts'
import { dispatch } from './dispatch.ts'
import { importPeople } from './import.ts'
import { openPlace, type Place, type Size } from './place.ts'
import { read } from './read.ts'
import { printHead } from './rounds.ts'

// npm run bench -- [SUBJECT…] [--quick]: what the service costs, in processes of its own, beside floors that do the least that
// the same work needs. No figure here is a promise; the ratios are what is worth comparing between versions.

const subjects: Record<string, (place: Place, size: Size) => Promise<void>> = {
  accept,
  read,
  dispatch,
  campaign,
  import: importPeople,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
})
const wanted = positionals.length > 0 ? positionals : Object.keys(subjects)
for (const name of wanted)
  if (!subjects[name]) throw new Error(`There is no subject ${name}: ${Object.keys(subjects)}`)

const place = await openPlace()
try {
  printHead()
  for (const name of wanted) await subjects[name]?.(place, values)
} finally {
  await place.close()
}
process.exit(0)
