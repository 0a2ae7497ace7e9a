import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Log, step } from '../../dev/operator/progress.ts'
import { freePort, waitForPort } from '../../dev/stack/ports.ts'
import { end, reap } from '../../dev/stack/processes.ts'
import { cached, cacheFolder, output, succeed } from '../../dev/stack/tools.ts'

// Radicale, a CalDAV server, from PyPI.

const version = '3.5.8'
const name = `radicale-${version}`

/** Who may log in: each caller has a calendar of its own below `/ana/`. */
export const radicaleUser = { user: 'ana', password: 'secret' }

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

/** Starts a server that keeps its calendars in the folder. @throws RadicaleMissing saying what to install. */
export async function startRadicale(folder: string) {
  const python = await findRadicale(() => {})
  const { user, password } = radicaleUser
  const users = join(folder, 'radicale-users')
  const collections = join(folder, 'radicale')
  writeFileSync(users, `${user}:${password}\n`)
  mkdirSync(collections)
  const port = await freePort()
  const options = {
    'server-hosts': `127.0.0.1:${port}`,
    'auth-type': 'htpasswd',
    'auth-htpasswd-filename': users,
    'auth-htpasswd-encryption': 'plain',
    'storage-filesystem-folder': collections,
    'logging-level': 'critical',
  }
  const args = Object.entries(options).map(([option, value]) => `--${option}=${value}`)
  const child = spawn(python, ['-m', 'radicale', ...args], { stdio: 'ignore' })
  reap(child)
  await waitForPort(port)
  return { port, stop: () => end(child.pid as number, 'SIGTERM', 3000) }
}
