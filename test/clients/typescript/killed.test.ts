import { join } from 'node:path'
import { killedTwentyTimes } from '../november.ts'

killedTwentyTimes('@postroom/client', () => ({
  command: [process.execPath, join(import.meta.dirname, 'november.ts')],
  env: process.env,
}))
