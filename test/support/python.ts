import { dirname, join } from 'node:path'
import type { Context } from 'mocha'
import { root } from './documents.ts'
import { pythonTool } from './venv.ts'

// The client for Python, from its source.

/** Everything that the client needs, and what it is checked with. */
export const pythonBin = async (context: Context) =>
  dirname(await pythonTool('mypy', 'mypy==2.4.1 httpx==0.28.1', context))

export const pythonEnv = (given: Record<string, string | undefined> = {}) => ({
  ...process.env,
  PYTHONPATH: join(root, 'clients/python/src'),
  PYTHONDONTWRITEBYTECODE: '1',
  ...given,
})
