import { join } from 'node:path'
import { pythonBin, pythonEnv } from '../../support/python.ts'
import { killedTwentyTimes } from '../november.ts'

killedTwentyTimes('postroom of Python', async (context) => {
  const bin = await pythonBin(context)
  return {
    command: [join(bin, 'python'), join(import.meta.dirname, 'november.py')],
    env: pythonEnv(),
  }
})
