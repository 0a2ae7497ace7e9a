import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Calls } from './control.ts'
import type { ProcessOptions } from './process.ts'

export type ImapProcess = Awaited<ReturnType<typeof startImapProcess>>

/**
 * Starts a scripted IMAP server as a process of its own, for thousands of mailboxes: a mailbox is made when it is first named, and
 * any password is good.
 */
export async function startImapProcess(options: ProcessOptions = {}) {
  const file = fileURLToPath(new URL('process.ts', import.meta.url))
  const child = spawn(process.execPath, [file, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error('The IMAP server did not start.'))),
  ])
  const { port, controlPort } = JSON.parse(line) as { port: number; controlPort: number }

  return {
    port,
    pid: child.pid ?? 0,
    /** Has the server do something; `control.ts` lists what. */
    async tell<Name extends keyof Calls>(
      name: Name,
      body: Calls[Name]['takes'],
    ): Promise<Calls[Name]['gives']> {
      const response = await fetch(`http://127.0.0.1:${controlPort}/${name}`, {
        method: 'POST',
        body: JSON.stringify(body),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(text)
      return JSON.parse(text)
    },
    async stop() {
      const ended = once(child, 'exit')
      child.stdin.end()
      await ended
    },
  }
}
