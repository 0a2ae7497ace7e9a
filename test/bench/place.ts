import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Scope } from '../../api/route.ts'
import { createToken } from '../../db/workspace/tokens.ts'
import { serviceRole, withClient } from '../../dev/stack/postgres.ts'
import { end, reap } from '../../dev/stack/processes.ts'
import { root } from '../../dev/stack/services.ts'
import { type Stack, startStack } from '../faults/stack.ts'
import { type Given, givenClient, givenWorkspace, secretKey } from '../support/given.ts'
import { allScopes, caller } from '../support/service.ts'

// Where everything is measured: the service in processes of its own, as `npm start` runs it, and beside it the floors, each in
// a process of its own on the same Postgres, Temporal and mail server.

export type Place = Awaited<ReturnType<typeof openPlace>>
export type Room = Awaited<ReturnType<Place['workspace']>>
/** `quick`: few and short rounds, which show that everything runs. */
export type Size = {
  quick: boolean
  rows?: number | undefined
  mailboxes?: number | undefined
  /** A share of the rows of a large deployment (size-rows.ts). */
  scale?: number | undefined
}

// The floors have the columns and the indexes of our tables, and no other work.
const tables = ['operations', 'messages', 'outbox', 'people', 'addresses']

export async function openPlace() {
  const stack: Stack = await startStack('bench', { env: { SECRET_KEY: secretKey.current } })
  const { db, clock, mail, url } = stack
  await withClient(stack.ownerUrl, async (client) => {
    await client.query('create schema floor')
    for (const table of tables)
      await client.query(`create table floor.${table} (like public.${table} including all)`)
    await client.query(`grant usage on schema floor to ${serviceRole}`)
    await client.query(`grant all on all tables in schema floor to ${serviceRole}`)
  })
  const floors: ChildProcess[] = []

  /** A workspace whose accounts send through the stack's mail server and are bound by nothing. */
  async function workspace(given: Partial<Given> = {}) {
    const made = await givenWorkspace(db, clock.now(), {
      smtpPort: mail.smtpPort,
      limits: { day: 1_000_000, week: 5_000_000, gapSeconds: 0 },
      ...given,
    })
    const tokenWith = async (scopes: Scope[]) => {
      const of = { workspace: made.id, member: made.member, client: 'bench', scopes }
      return (await createToken(db, of)).token
    }
    const token = await tokenWith(allScopes)
    return { ...made, token, tokenWith, call: caller(url, token) }
  }

  return {
    stack,
    db,
    clock,
    mail,
    url,
    workspace,
    /** So many conversations with different people, through both accounts of a workspace. */
    async conversations(room: Awaited<ReturnType<typeof workspace>>, size: number) {
      const ids: string[] = []
      const [one, other] = room.connections
      for (let i = 0; i < size; i++) {
        const connections: [string, string] = i % 2 === 0 ? [one, other] : [other, one]
        ids.push((await givenClient(db, { ...room, connections }, clock.now())).conversation)
      }
      return ids
    },
    /** Starts a floor, which is given what it needs, and returns its address. */
    async floor(file: string, more: Record<string, unknown> = {}): Promise<string> {
      const input = { databaseUrl: stack.databaseUrl, ...more }
      const child = spawn(process.execPath, [join('test/bench/floors', file)], {
        cwd: root,
        env: { ...process.env, FLOOR: JSON.stringify(input) },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      floors.push(child)
      reap(child)
      const [port] = await Promise.race([
        once(createInterface({ input: child.stdout }), 'line'),
        once(child, 'exit').then(() => Promise.reject(new Error(`the floor ${file} ended`))),
      ])
      return `http://127.0.0.1:${port}`
    },
    /** Waits until this many messages have arrived in all. */
    arrived: (count: number, ms = 120_000) =>
      new Promise<void>((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`${mail.messages().length} of ${count} messages arrived`)),
          ms,
        )
        const look = () => {
          if (mail.messages().length < count) return
          clearTimeout(timer)
          resolve()
        }
        mail.store.onAdded(look)
        look()
      }),
    async close() {
      for (const { pid } of floors) if (pid) await end(pid, 'SIGTERM', 2_000)
      await stack.stop()
    },
  }
}
