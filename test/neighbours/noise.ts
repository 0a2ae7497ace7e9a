import { readFileSync } from 'node:fs'
import { attacks, type Target } from './attacks.ts'

// One attack, in a process of its own so that the measurement beside it is not disturbed: the file named first holds the
// target. Prints what the service answered, as counts, when the attack is over.

const [file = '', name = ''] = process.argv.slice(2)
const target: Target = JSON.parse(readFileSync(file, 'utf8'))
const attack = attacks.find((one) => one.name === name)
if (!attack) throw new Error(`There is no attack ${name}.`)

const answers: Record<string, number> = {}
await attack.run(target, (answer) => {
  answers[answer] = (answers[answer] ?? 0) + 1
})
process.stdout.write(JSON.stringify(answers))
process.exit(0)
