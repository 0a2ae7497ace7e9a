import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mochaGlobalTeardown } from '../hooks.ts'
import { stable } from './stable.ts'
import { play } from './story.ts'

// Records the examples of the reference: `npm run examples`. It takes a minute, and what has not changed comes out as it was.

const file = join(import.meta.dirname, '../../../api/reference/recorded.json')
const recorded = stable(await play())
await writeFile(file, `${JSON.stringify(recorded, null, 2)}\n`)
await mochaGlobalTeardown()
process.exit(0)
