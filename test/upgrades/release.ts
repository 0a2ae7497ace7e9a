import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompressSync } from 'node:zlib'
import { type Child, startChild } from '../../dev/stack/children.ts'
import { openLog } from '../../dev/stack/logs.ts'
import { root } from '../../dev/stack/services.ts'
import { eventually } from '../support/service.ts'

// A release of this service as an operator runs it: its commands, and its two kinds of processes.

const run = promisify(execFile)

/** Unpacks what pack.ts has packed. It runs with today's packages. */
export function unpackRelease(version: string, folder: string): string {
  const packed = readFileSync(join(import.meta.dirname, `${version}.json.br`))
  const files: Record<string, string> = JSON.parse(brotliDecompressSync(packed).toString())
  const place = join(folder, version)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, path)), { recursive: true })
    writeFileSync(join(place, path), text)
  }
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'))
  return place
}

export type Release = {
  /** Where its sources are. */
  place: string
  folder: string
  env: Record<string, string>
}

/** Runs a command of the release to its end. @returns what it printed. */
export async function command({ place, env }: Release, file: string, ...args: string[]) {
  const where = { cwd: place, env: { ...process.env, ...env } }
  const { stdout } = await run(process.execPath, [file, ...args], where)
  return stdout.trim()
}

/** Starts its API and a worker; `stop` ends both as an upgrade does, letters in progress first. */
export async function startRelease(release: Release, name: string) {
  const { place, folder, env } = release
  const start = (part: 'api' | 'worker', file: string, ready?: () => Promise<void>) =>
    startChild({
      name: `${part} of ${name}`,
      prepare: async () => ({
        command: process.execPath,
        args: [file],
        cwd: place,
        env: { ...process.env, ...env },
      }),
      ...(ready && { ready }),
      log: openLog(join(folder, 'logs', `${part}-${name}.log`), part, () => {}),
      say: () => {},
    })
  const url = `http://127.0.0.1:${env['PORT']}`
  const parts: Child[] = await Promise.all([
    start('worker', 'activities/worker.ts'),
    start('api', 'api/server.ts', () => untilReady(url)),
  ])
  return { stop: () => Promise.all(parts.map((part) => part.stop())) }
}

async function untilReady(url: string) {
  const ready = () =>
    fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    )
  await eventually(ready, Boolean, 60_000)
}
