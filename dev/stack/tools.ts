import { execFile, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Log, step } from '../operator/progress.ts'
import { ended, reap } from './processes.ts'

const run = promisify(execFile)

/** The cache of this user, shared by every DATA_DIR: what is downloaded or built only once. */
export const cacheFolder = join(homedir(), '.cache', 'postroom')

/** The output of a tool; nothing if the tool is missing or fails. */
export async function output(command: string, args: string[]): Promise<string | undefined> {
  try {
    const { stdout, stderr } = await run(command, args, { timeout: 20_000 })
    return `${stdout}${stderr}`.trim()
  } catch {
    return undefined
  }
}

/**
 * A file or folder of the cache, made if it does not exist. It is made in a temporary place and renamed when it is
 * complete, so two runs at a time, or an interruption, leave nothing half made.
 */
export async function cached(
  name: string,
  make: (draft: string) => Promise<string>,
): Promise<string> {
  const place = join(cacheFolder, name)
  if (existsSync(place)) return place
  mkdirSync(join(place, '..'), { recursive: true })
  const draft = mkdtempSync(join(cacheFolder, 'new-'))
  try {
    const made = await make(draft)
    // Of two runs at a time, the first result stays; a folder cannot be renamed onto another.
    if (!existsSync(place)) renameSync(made, place)
    return place
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Builds a Go program from the module proxy. */
export async function goInstall(module: string, name: string, say: Log): Promise<string> {
  return cached(join('bin', name), (draft) =>
    step(
      `${module}, once for this user`,
      async () => {
        const env = { ...process.env, GOBIN: draft }
        await succeed(
          spawn('go', ['install', module], { env, stdio: ['ignore', 'ignore', 'pipe'] }),
        )
        return join(draft, onlyFile(draft))
      },
      say,
    ),
  )
}

/** @throws Error with the lines printed on stderr, when it fails. */
export async function succeed(child: ReturnType<typeof spawn>) {
  reap(child)
  let printed = ''
  child.stderr?.on('data', (chunk) => {
    printed = `${printed}${chunk}`.slice(-2_000)
  })
  const failed = new Promise<never>((_, reject) => child.once('error', reject))
  const how = await Promise.race([ended(child), failed])
  if (how !== 'exit code 0') throw new Error(`${child.spawnargs.join(' ')}: ${how}\n${printed}`)
}

/** The number of bytes below a folder: shows whether a download still advances. */
export function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(
      (entry) => statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0,
    )
    .reduce((sum, size) => sum + size, 0)
}

export function onlyFile(folder: string): string {
  const [name, ...more] = readdirSync(folder)
  if (!name || more.length)
    throw new Error(`${folder} holds ${more.length ? 'too much' : 'nothing'}`)
  return name
}
