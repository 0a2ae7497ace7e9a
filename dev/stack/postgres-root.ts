import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

// Postgres refuses to run as root. Root starts it as a user without rights, who may not be able to reach a project
// below a closed home folder: then the data and the binaries are put where that user can.

export type User = { uid: number; gid: number }

const openPlace = '/var/lib/postroom'
const names = ['postgres', 'postroom', 'nobody']

/** The user that Postgres runs as; nothing when this process is not root and may run it itself. */
export function postgresUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const [existing, ...others] = names
  const found = idsOf(existing as string) ?? idsOf('postroom')
  if (found) return found
  spawnSync('useradd', ['--system', '--user-group', '--no-create-home', 'postroom'])
  for (const name of others) {
    const ids = idsOf(name)
    if (ids) return ids
  }
  throw new Error('Postgres cannot run as root: add a user named postgres, or set DATABASE_URL.')
}

function idsOf(name: string): User | undefined {
  try {
    const id = (flag: string) =>
      Number(
        execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
      )
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    return undefined
  }
}

/** Creates the folder of Postgres's data, within reach of that user, and answers its real path. */
export function dataFolder(folder: string, user: User | undefined): string {
  if (!user) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return realpathSync(folder)
  }
  mkdirSync(dirname(folder), { recursive: true })
  if (!existsSync(folder)) {
    rmSync(folder, { force: true })
    if (reaches(user, dirname(folder))) mkdirSync(folder, { mode: 0o700 })
    else symlinkSync(emptyPlaceFor(folder), folder)
  }
  const place = realpathSync(folder)
  if (!lstatSync(place).isDirectory()) throw new Error(`${place} is not a folder`)
  chownSync(place, user.uid, user.gid)
  // An earlier start created it below a folder that has been closed since.
  if (!reaches(user, place)) letThrough(user, dirname(folder))
  return place
}

/** That user may pass through the folder, but neither list nor read it; nobody else may do anything. */
function letThrough(user: User, folder: string) {
  chownSync(folder, statSync(folder).uid, user.gid)
  chmodSync(folder, 0o710)
}

// The folder that this data belonged to has since been removed: its link is gone.
function emptyPlaceFor(folder: string): string {
  const place = join(openPlace, `data-${shortHash(folder)}`)
  rmSync(place, { recursive: true, force: true })
  makeOpenPlace()
  mkdirSync(place, { mode: 0o700 })
  return place
}

/** The folder with bin/ and lib/ of the server, copied once to a place the user can read where necessary. */
export function reachableBinaries(native: string, user: User | undefined): string {
  if (!user || reaches(user, join(native, 'bin', 'postgres'))) return native
  // The time distinguishes one installed version from the next.
  const { mtimeMs } = statSync(join(native, 'bin', 'postgres'))
  const place = join(openPlace, `binaries-${shortHash(`${native} ${mtimeMs}`)}`)
  if (existsSync(place)) return place
  makeOpenPlace()
  const draft = `${place}.${process.pid}`
  // Its folders are for another user, even where this process keeps its own files private.
  const usual = process.umask(0o022)
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true })
  process.umask(usual)
  renameSync(draft, place)
  return place
}

function makeOpenPlace() {
  mkdirSync(openPlace, { recursive: true })
  chmodSync(openPlace, 0o755)
}

function reaches(user: User, path: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { ...user }).status === 0
}

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12)
