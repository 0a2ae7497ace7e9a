import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Stack } from '../../process/config.ts'

export function writeStack(dataDir: string, stack: Stack) {
  writePrivate(join(dataDir, 'stack.json'), `${JSON.stringify(stack, null, 2)}\n`)
}

/** A secret that is generated once and kept in a file that only its owner can read. */
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
 * Creates the folder, or closes one that an earlier start left open: it holds letters, workflows and secrets, which
 * only its owner may read. Files that child processes create are closed too; Postgres protects its own.
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
