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

// Postgres refuses to run as root. Root starts it as a user without rights, who may be unable to
// reach a project below a closed home folder: then data and binaries are put where he can.

export type User = { uid: number; gid: number }

const openPlace = '/var/lib/postroom'
const names = ['postgres', 'postroom', 'nobody']

/** Whom Postgres runs as, or nothing when this process is not root and may run it itself. */
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

/** Makes the folder that Postgres keeps its data in, reachable for that user, and names its real place. */
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
  // One that an earlier start put into a folder which is closed by now.
  if (!reaches(user, place)) letThrough(user, dirname(folder))
  return place
}

/** That user may pass through the folder, and neither list nor read it; nobody else may do anything. */
function letThrough(user: User, folder: string) {
  chownSync(folder, statSync(folder).uid, user.gid)
  chmodSync(folder, 0o710)
}

// What lies there belonged to a folder that has been removed since: its link is gone.
function emptyPlaceFor(folder: string): string {
  const place = join(openPlace, `data-${shortHash(folder)}`)
  rmSync(place, { recursive: true, force: true })
  makeOpenPlace()
  mkdirSync(place, { mode: 0o700 })
  return place
}

/** The folder with bin/ and lib/ of the server, copied once to where the user can read it if need be. */
export function reachableBinaries(native: string, user: User | undefined): string {
  if (!user || reaches(user, join(native, 'bin', 'postgres'))) return native
  // The time tells one installed version from the next.
  const { mtimeMs } = statSync(join(native, 'bin', 'postgres'))
  const place = join(openPlace, `binaries-${shortHash(`${native} ${mtimeMs}`)}`)
  if (existsSync(place)) return place
  makeOpenPlace()
  const draft = `${place}.${process.pid}`
  // Its folders are for another user, whatever this process keeps to itself.
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
