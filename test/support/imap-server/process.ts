import { randomFrom } from '../../faults/random.ts'
import { startControl } from './control.ts'
import type { ProfileName } from './profiles.ts'
import type { Row } from './rows.ts'
import { startImapServer } from './server.ts'

// The server as a process of its own: its argument says how it is, its first line where it listens. It ends with its parent.

/** What the process is given. */
export type ProcessOptions = { profile?: ProfileName; port?: number; rows?: Row[]; seed?: number }

const { seed = 1, ...options } = JSON.parse(process.argv[2] ?? '{}') as ProcessOptions
const random = randomFrom(seed)
const steps = 1_000_000
const server = await startImapServer({
  ...options,
  random: () => random.integer(0, steps - 1) / steps,
  remembers: false,
})
const controlPort = await startControl(server)
console.log(JSON.stringify({ port: server.port, controlPort }))
process.stdin.on('end', () => process.exit(0)).resume()
