/// <reference types="node" />
import { createHash, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { KeptKey, KeyStore } from './keys.ts'

// The store of keys in a folder, for programs that outlive a crash: Node, Deno and Bun.

type Record = { step: string } & KeptKey

/**
 * Keeps the keys of one job in a folder, a file for each step, readable by its owner alone. A key is on the disk before the call goes
 * out, so that it is found whatever ends the program, a power cut too. Several programs may share the folder: whoever comes first
 * makes the key of a step, and the others take it.
 */
export function fileKeys(folder: string): KeyStore {
  const placeOf = (step: string) =>
    join(folder, `${createHash('sha256').update(step).digest('hex').slice(0, 40)}.json`)
  // Steps whose file and name are known to be on the disk.
  const safe = new Set<string>()

  /** A file under a temporary name, whole and on the disk. */
  async function write(record: Record): Promise<string> {
    const draft = join(folder, `.${randomUUID()}.new`)
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(record)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    return draft
  }

  async function read(step: string): Promise<KeptKey | undefined> {
    const text = await readFile(placeOf(step), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (text === undefined) return undefined
    const { key, usedAt } = JSON.parse(text) as Record
    return { key, usedAt }
  }

  /** The names in a folder are on the disk only once the folder itself is. */
  async function sync(of: string) {
    // Windows opens no folders, and keeps their names by itself.
    if (process.platform === 'win32') return
    const handle = await open(of, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }

  /** Makes the file of a step, unless there is one: of two programs at once, the first makes the key. */
  async function make(record: Record) {
    const made = await mkdir(folder, { recursive: true, mode: 0o700 })
    if (made) await sync(dirname(made))
    const draft = await write(record)
    try {
      await link(draft, placeOf(record.step)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
    } finally {
      await rm(draft, { force: true })
    }
  }

  return {
    async keep(step, made) {
      for (;;) {
        const known = await read(step)
        if (known && safe.has(step)) return known
        if (!known) {
          await make({ step, ...made })
          continue
        }
        // Also a name that another program has just made: nobody may call before it is on the disk.
        await sync(folder)
        safe.add(step)
        return known
      }
    },
    async renew(step, kept) {
      const draft = await write({ step, ...kept })
      await rename(draft, placeOf(step))
    },
    async forget(step) {
      safe.delete(step)
      await rm(placeOf(step), { force: true })
      await sync(folder)
    },
  }
}
