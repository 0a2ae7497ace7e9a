import { parseArgs } from 'node:util'
import { runErasure } from './erasure.ts'
import { runSeed } from './seed.ts'

// npm run faults -- [--erasure] [--runs 20] [--seed N]: that many consecutive seeds, a line for each; of a campaign, or of an erasure.
// Exits with 1 when an invariant is violated.

const { values } = parseArgs({
  options: {
    erasure: { type: 'boolean', default: false },
    runs: { type: 'string', default: '20' },
    seed: { type: 'string' },
  },
})
const runs = Number(values.runs)
const first = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed)
if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(first)) {
  console.error('npm run faults -- [--erasure] [--runs 20] [--seed N]')
  process.exit(2)
}

let violated = 0
for (let seed = first; seed < first + runs; seed++) {
  const { seconds, summary, violations, folder } = await (values.erasure ? runErasure : runSeed)(
    seed,
  )
  const verdict = violations.length === 0 ? 'ok' : 'VIOLATED'
  console.log(`seed ${seed}  ${verdict}  ${seconds} s  ${summary}`)
  for (const { invariant, details } of violations) {
    console.log(`  ${invariant}:`)
    for (const detail of details.slice(0, 20)) console.log(`    ${detail}`)
    if (details.length > 20) console.log(`    and ${details.length - 20} more`)
  }
  if (violations.length === 0) continue
  violated++
  console.log(`  logs and data: ${folder}`)
}
console.log(`${runs} seeds from ${first}, ${violated} violated`)
process.exit(violated === 0 ? 0 : 1)
