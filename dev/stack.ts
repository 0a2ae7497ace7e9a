import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A flat map of environment variables: how commands run beside `npm start` find its parts. */
export type Stack = Record<string, string>

export function readStack(dataDir: string): Stack {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'stack.json'), 'utf8'))
  } catch {
    return {}
  }
}

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

function writePrivate(path: string, text: string) {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, text, { mode: 0o600 })
  renameSync(draft, path)
}

export const makeDataDir = (dataDir: string) => mkdirSync(dataDir, { recursive: true })
