import { createHash } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CommandFailure, exits } from './failure.ts'

// What outlives a command: logins, keys of letters, and where a listener stands. All of it is readable by its owner alone.

/** The folder of everything that is kept. */
export function home(env = process.env): string {
  if (env['POSTROOM_HOME']) return env['POSTROOM_HOME']
  if (process.platform === 'win32' && env['APPDATA']) return join(env['APPDATA'], 'postroom')
  return join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'postroom')
}

/** A name of a file for what has any characters. */
export const fileName = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)

/** The file, unless there is none. @throws CommandFailure where others of the machine can read it, or it cannot be read. */
export async function readKept<T>(path: string): Promise<T | undefined> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw unreadable(path, error.message)
  })
  if (!found) return undefined
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
    throw new CommandFailure({
      exit: exits.login,
      code: 'file_not_private',
      message: `${path} can be read by other users of this machine.`,
      hint: `Run \`chmod 600 ${path}\`. If somebody else may have read it, have its tokens revoked.`,
    })
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T
  } catch (error) {
    throw unreadable(path, error instanceof Error ? error.message : String(error))
  }
}

const unreadable = (path: string, why: string) =>
  new CommandFailure({
    exit: exits.usage,
    code: 'file_unreadable',
    message: `${path} cannot be read: ${why}.`,
    hint: 'Mend it, or remove it and run `postroom login` again.',
  })

/** Writes it whole and onto the disk, in place of what was there. */
export async function writeKept(path: string, value: unknown): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  const draft = `${path}.${process.pid}.new`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.chmod(0o600)
    await file.writeFile(`${JSON.stringify(value)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
}
