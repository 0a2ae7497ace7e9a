import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Stack } from '../faults/stack.ts'

// Whom an attack is aimed at, and how it calls.

export type WorkspaceFile = Parameters<Stack['workspace']>[0] & { connections: object[] }
export type Target = {
  url: string
  /** A token of the noisy tenant with every scope, and one that may only read. */
  token: string
  reader: string
  seconds: number
  /** How much of what an attack prepares is made: 1 is all. */
  size: number
  smtpPort: number
  /** The noisy tenant's mailbox, agent, company and people. */
  account: string
  agent: string
  company: string
  campaign: string
  people: string[]
  /** Its account at a server that is quick. */
  connection: string
  /** Its accounts at a server that takes 55 seconds for a letter, and a conversation for each. */
  slow: { account: string; conversation: string }[]
}
export type Note = (answer: string | number) => void
/** What stands before the attack begins, in the process that has the stack. */
export type Stage = {
  stack: Stack
  workspace: WorkspaceFile
  size: number
  /** Of the processes that are started from now on. */
  env: Record<string, string>
}
export type Attack = {
  name: string
  /** Puts on the stage what no call can; answers how it is taken away. */
  given?: (stage: Stage) => Promise<{ after: () => Promise<void>; isRestarted?: true }>
  /** What is done by calls before the attack is measured, such as making what falls due during it. */
  prepare?: (target: Target, note: Note) => Promise<void>
  run: (target: Target, note: Note) => Promise<void>
}

export const call = async (target: Target, method: string, path: string, body?: unknown) => {
  const response = await fetch(`${target.url}/api/v1${path}`, {
    method,
    signal: AbortSignal.timeout(60_000),
    headers: {
      authorization: `Bearer ${target.token}`,
      'idempotency-key': randomUUID(),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  }).catch((error: Error) => error)
  if (response instanceof Error) return { status: `no answer (${response.name})`, text: '' }
  return { status: response.status, text: await response.text().catch(() => '') }
}

/** Repeats the work, `at` a time, until the seconds are over. */
export async function during(target: Target, at: number, work: (n: number) => Promise<unknown>) {
  const end = Date.now() + target.seconds * 1_000
  let n = 0
  await Promise.all(
    Array.from({ length: at }, async () => {
      while (Date.now() < end) {
        await work(n++)
        await sleep(10)
      }
    }),
  )
}
