import type pg from 'pg'
import { messageLexemes } from '../../db/conversations/search-words.ts'
import { newId } from '../../db/ids.ts'
import { procFile } from '../../dev/stack/processes.ts'

// What the index of words adds to the storing of a message: the same inserts with it, as the service makes them, and without it. Its words come
// with the insert of the message, so it adds no statement.

const messages = 500

type Cost = { ms: number; cpuMs: number; wal: number }

export async function compareStoring(client: pg.Client, workspace: string, texts: string[]) {
  const { rows } = await client.query<{ id: string }>(
    'select id from conversations where workspace = $1 limit 1',
    [workspace],
  )
  const conversation = rows[0]?.id ?? ''
  const store = async (isSearched: boolean): Promise<Cost> => {
    await client.query(`alter table messages ${isSearched ? 'enable' : 'disable'} trigger user`)
    const begun = await now(client)
    for (let i = 0; i < messages; i++) {
      const id = newId('msg')
      const text = texts[i % texts.length] ?? ''
      const insert = `insert into messages (id, workspace, conversation, direction, at, state, subject, text)
        values ($1, $2, $3, 'inbound', now(), 'received', 'Subject', $4)`
      const words = `with words as (insert into search_words (kind, ref, workspace, conversation, at, words)
        values ('message', $1, $2, $3, now(), $5::tsvector)) `
      const values = [id, workspace, conversation, text]
      if (isSearched)
        await client.query(words + insert, [
          ...values,
          messageLexemes({ workspace, text, subject: 'Subject' }),
        ])
      else await client.query(insert, values)
    }
    const ended = await now(client)
    return {
      ms: (ended.ms - begun.ms) / messages,
      cpuMs: (ended.cpuMs - begun.cpuMs) / messages,
      wal: (ended.wal - begun.wal) / messages,
    }
  }
  // The first of a process are slower.
  await store(true)
  const [without, searched] = [await store(false), await store(true)]
  await client.query('alter table messages enable trigger user')
  const shown = ({ ms, cpuMs, wal }: Cost) =>
    `${ms.toFixed(2)} ms, of processors ${cpuMs.toFixed(2)} ms, ${(wal / 1024).toFixed(1)} KB of write-ahead log`
  console.log(`a message is stored in one statement without the index: ${shown(without)}`)
  console.log(`a message is stored in one statement with the index:    ${shown(searched)}`)
}

async function now(client: pg.Client) {
  const { rows } = await client.query<{ pid: number; wal: string }>(
    `select pg_backend_pid() as pid, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as wal`,
  )
  const { pid = 0, wal = '0' } = rows[0] ?? {}
  const ran = [pid, process.pid].map(
    (one) => Number(procFile(one, 'schedstat').split(' ')[0]) / 1e6,
  )
  return { ms: performance.now(), cpuMs: ran.reduce((a, b) => a + b), wal: Number(wal) }
}
