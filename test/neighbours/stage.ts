import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { prefixOf } from '../../rules/search/searched.ts'
import { startImapProcess } from '../support/imap-server/start-process.ts'
import { eventually } from '../support/service.ts'
import { scriptedSmtp } from '../support/smtp-server/server.ts'
import type { Stage } from './target.ts'

// What stands on the stage before an attack begins, and what is taken away after it.

const nothing = { after: async () => {} }
const refusedAccounts = 500

/** By the role that owns the schema, without the triggers that count row by row. */
async function asOwner(
  { stack }: Stage,
  tables: string[],
  work: (client: pg.Client) => Promise<unknown>,
) {
  const client = new pg.Client({ connectionString: stack.ownerUrl })
  await client.connect()
  try {
    for (const table of tables) await client.query(`alter table ${table} disable trigger user`)
    await work(client)
    for (const table of tables) await client.query(`alter table ${table} enable trigger user`)
    await client.query(`analyze ${tables.join(', ')}`)
  } finally {
    await client.end()
  }
}

/** Conversations that may sleep. */
export async function insertConversations(stage: Stage) {
  const text = `insert into conversations (id, workspace, person, kind, subject, last_message_at, waiting_since, connection)
    select 'cnv_sleeper' || i, 'wsp_noisy', 'per_noisy' || i % 50, 'email', 'Hello', now(), now(), 'con_noisy'
    from generate_series(0, $1::int - 1) i on conflict do nothing`
  const all = Math.max(1, Math.round(10_000 * stage.size))
  await asOwner(stage, ['conversations'], (client) => client.query(text, [all]))
  return nothing
}

/** People of the noisy tenant, with their words in the index. */
export async function insertPeople(stage: Stage) {
  const all = Math.max(1, Math.round(1_000_000 * stage.size))
  await asOwner(stage, ['people', 'search_words'], async (client) => {
    await client.query(
      `insert into people (id, workspace, name, created_at, updated_at)
       select 'per_many' || i, 'wsp_noisy', 'Person ' || md5(i::text), now(), now() from generate_series(1, $1::int) i`,
      [all],
    )
    await client.query(
      `insert into search_words (kind, ref, workspace, at, words)
       select 'person', 'per_many' || i, 'wsp_noisy', now(), search_lexemes($2, 'Person ' || md5(i::text), true)
       from generate_series(1, $1::int) i`,
      [all, prefixOf('wsp_noisy', 'person')],
    )
  })
  return nothing
}

/** Accounts whose servers, of mail and of mailboxes, take no password. */
export async function refusingAccounts({ stack, workspace, size }: Stage) {
  const smtp = await scriptedSmtp([
    { stage: 'login', answer: '535 5.7.8 Username and password not accepted.' },
  ])
  const imap = await startImapProcess({
    rows: [
      { verb: 'LOGIN', answer: { no: '[AUTHENTICATIONFAILED] Invalid credentials (Failure)' } },
    ],
  })
  const server = (port: number, user: string) => ({
    ...{ host: '127.0.0.1', port, secure: false },
    ...{ user, password: 'wrong' },
  })
  const wrong = Array.from({ length: Math.max(1, Math.round(refusedAccounts * size)) }, (_, i) => ({
    ...{ id: `con_wrong${i}`, kind: 'email', name: `wrong${i}`, account: `wrong${i}@us.example` },
    member: 'mem_noisy',
    limits: { day: 1_000, week: 5_000, gapSeconds: 0 },
    smtp: server(smtp.port, `wrong${i}@us.example`),
    imap: server(imap.port, `wrong${i}@us.example`),
  }))
  await stack.workspace({
    ...workspace,
    connections: [...workspace.connections, ...wrong],
  } as never)
  return { after: imap.stop }
}

/** A model that takes every question and never answers, of the whole deployment. */
export async function hangModel({ stack, env }: Stage) {
  const server = createServer((request) => void request.resume())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const again = async () => {
    for (const part of ['api', 'worker'] as const) {
      await stack.down(part)
      await stack.up(part)
    }
    const isReady = async () => (await fetch(`${stack.url}/readyz`).catch(() => undefined))?.ok
    await eventually(isReady, (ready) => ready === true, 60_000)
  }
  Object.assign(env, {
    MODEL_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    MODEL_NAME: 'hangs',
  })
  await again()
  return {
    isRestarted: true,
    async after() {
      delete env['MODEL_URL']
      delete env['MODEL_NAME']
      await again()
      server.closeAllConnections()
      server.close()
    },
  }
}
