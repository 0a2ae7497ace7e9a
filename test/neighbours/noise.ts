import { readFileSync } from 'node:fs'
import { attacks } from './attacks.ts'
import type { Target } from './target.ts'

// One attack, in a process of its own so that the measurement beside it is not disturbed: the file named first holds the
// target. Prints a line when it begins in earnest, and what the service answered, as counts, when it is over.

const [file = '', name = ''] = process.argv.slice(2)
const target: Target = JSON.parse(readFileSync(file, 'utf8'))
const attack = attacks.find((one) => one.name === name)
if (!attack) throw new Error(`There is no attack ${name}.`)

const answers: Record<string, number> = {}
const note = (answer: string | number) => {
  answers[answer] = (answers[answer] ?? 0) + 1
}
await attack.prepare?.(target, note)
process.stdout.write('begins\n')
await attack.run(target, note)
process.stdout.write(`${JSON.stringify(answers)}\n`)
process.exit(0)
