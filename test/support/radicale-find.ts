import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Log, step } from '../../dev/operator/progress.ts'
import { cached, cacheFolder, output, succeed } from '../../dev/stack/tools.ts'

const version = '3.5.8'
const name = `radicale-${version}`

/** There is no Python to run it, or none that can make a virtual environment. */
export class RadicaleMissing extends Error {}

/** The Python that has Radicale. @throws RadicaleMissing saying what to install. */
export async function findRadicale(say: Log): Promise<string> {
  const python = join('bin', 'python')
  const place = join(cacheFolder, name)
  if (existsSync(place)) return join(place, python)
  if (!(await output('python3', ['-c', 'import ensurepip, venv; print("here")'])))
    throw new RadicaleMissing('Calendar tests need python3 with its venv module.')
  const folder = await cached(name, (draft) =>
    step(
      `${name} from PyPI, once for this user`,
      async () => {
        const made = join(draft, name)
        const run = (command: string, args: string[]) =>
          succeed(spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] }))
        await run('python3', ['-m', 'venv', made])
        const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
        await run(join(made, python), [...pip, `radicale==${version}`])
        return made
      },
      say,
    ),
  )
  return join(folder, python)
}
