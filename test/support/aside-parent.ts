import { fileURLToPath } from 'node:url'
import { openPool } from '../../process/children/pool.ts'

// A process with a child at work, to be killed by a test. It says the id of its child.

const pool = openPool({
  name: 'test',
  module: fileURLToPath(new URL('./aside-child.ts', import.meta.url)),
  size: 1,
  mostWaiting: 10,
  heapMb: 64,
  limits: { cpuMs: 600_000, rssMb: 400 },
})
const echoed = await pool.run<{ pid: number }>({ key: 'a', kind: 'echo', input: null })
if (echoed.broke === null) console.log(echoed.value.pid)
await pool.run({ key: 'a', kind: process.argv[2] ?? 'spin', input: 600_000 })
