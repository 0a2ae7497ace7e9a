import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from 'mocha'
import { notice, step } from '../../dev/operator/progress.ts'
import { cached, cacheFolder, output, succeed } from '../../dev/stack/tools.ts'

/**
 * The path of a command from PyPI, e.g. `pythonTool('schemathesis', 'schemathesis==4.32.5')`, in an environment of its own
 * that is made once for this user; further packages follow behind a space. Its `python` stands beside it. Allow the hook some
 * minutes: the first time it is fetched.
 * Makes the test or suite of the context pending where there is no python3 that can make environments.
 */
export async function pythonTool(name: string, requirement: string, context: Context) {
  if ((await output('python3', ['-c', 'import venv, ensurepip'])) === undefined) context.skip()
  const folder = `python-${requirement.replace(/[^\w.-]+/g, '-')}`
  const place = await cached(folder, (draft) =>
    step(
      `${requirement} from PyPI, once for this user`,
      () => install(join(draft, folder), requirement),
      notice,
    ),
  )
  return join(place, 'bin', name)
}

async function install(draft: string, requirement: string): Promise<string> {
  await run('python3', ['-m', 'venv', draft])
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-input']
  await run(join(draft, 'bin', 'python'), [
    '-m',
    'pip',
    'install',
    ...quiet,
    ...requirement.split(' '),
  ])
  // Commands name their interpreter by its full path, and the folder is renamed when it is complete.
  const bin = join(draft, 'bin')
  for (const entry of readdirSync(bin, { withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(bin, entry.name)
    const text = readFileSync(path, 'utf8')
    const place = join(cacheFolder, draft.split('/').at(-1) as string)
    if (text.startsWith('#!')) writeFileSync(path, text.replaceAll(draft, place))
  }
  return draft
}

const run = (command: string, args: string[]) =>
  succeed(spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] }))
