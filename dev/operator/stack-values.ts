import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Stack } from '../../config.ts'

export function writeStack(dataDir: string, stack: Stack) {
  writePrivate(join(dataDir, 'stack.json'), `${JSON.stringify(stack, null, 2)}\n`)
}

/** A secret made once and kept in a file only its owner reads. */
export function keptSecret(dataDir: string, name: string): string {
  const path = join(dataDir, name)
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const secret = randomBytes(32).toString('base64url')
    writePrivate(path, `${secret}\n`)
    return secret
  }
}

export function writePrivate(path: string, text: string) {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, text, { mode: 0o600 })
  renameSync(draft, path)
}

/**
 * Makes the folder, or mends what an earlier start left open: letters, workflows and secrets lie in it, and are nobody's but its
 * owner's. What children write from now on is so too, and Postgres sees to its own.
 */
export function makeDataDir(dataDir: string) {
  process.umask(0o077)
  mkdirSync(dataDir, { recursive: true })
  chmodSync(dataDir, 0o700)
  for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
    if (entry.isSymbolicLink() || entry.name === 'postgres') continue
    chmodSync(join(dataDir, entry.name), entry.isDirectory() ? 0o700 : 0o600)
  }
}
