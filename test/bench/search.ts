import { sql } from 'kysely'
import { search, textsOf } from '../../db/conversations/search.ts'
import { type Db, openDatabase } from '../../db/database.ts'
import { withClient } from '../../dev/stack/postgres.ts'
import { procFile } from '../../dev/stack/processes.ts'
import { readQuery } from '../../rules/search/query.ts'
import { snippetOf } from '../../rules/search/snippet.ts'
import { givenWorkspace } from '../support/given.ts'
import { createTestDatabase } from '../support/postgres.ts'
import type { Size } from './place.ts'
import { quantile } from './rounds.ts'
import { compareStoring } from './search-costs.ts'
import {
  insertMessages,
  isUnspaced,
  languages,
  someTexts,
  withIndexesLater,
  wordOf,
} from './search-rows.ts'

// How long searches take in a workspace with many messages in six languages and scripts, beside another one with the same words.

const usual = 1_000_000
const quickly = 20_000
/** The other workspace has as many messages as one in this many. */
const shareOfOther = 10
const pageRows = 50
const mostMs = 200

export async function searches({ quick, rows = quick ? quickly : usual }: Size) {
  const database = await createTestDatabase()
  // One connection, whose time on a processor is counted.
  const db = openDatabase(database.url, 1)
  try {
    const [one, other] = [
      await givenWorkspace(db, new Date()),
      await givenWorkspace(db, new Date()),
    ]
    const from = performance.now()
    await withClient(database.ownerUrl, async (client) => {
      await withIndexesLater(client, async () => {
        await insertMessages(client, one.id, rows)
        await insertMessages(client, other.id, Math.ceil(rows / shareOfOther))
      })
      const seconds = Math.round((performance.now() - from) / 1000)
      console.log(`  ${rows} messages, and a tenth of it in another workspace: ${seconds} s`)
      const { rows: sizes } = await client.query(
        `select pg_size_pretty(pg_table_size('search_words')) as rows, pg_size_pretty(pg_relation_size('search_words_found')) as words,
           pg_size_pretty(pg_total_relation_size('search_words')) as all, pg_size_pretty(pg_total_relation_size('messages')) as messages`,
      )
      console.log(sizes[0])
    })
    await compareSearches(db, one.id, other.id, quick ? 2 : 10)
    await withClient(database.ownerUrl, (client) => compareStoring(client, one.id, someTexts()))
  } finally {
    await db.destroy()
    await database.drop()
  }
}

const asked: [what: string, q: string][] = [
  ...languages.flatMap((language): [string, string][] => {
    const word = (n: number) => wordOf(language, n)
    const beside = isUnspaced(language) ? '' : ' '
    return [
      [`${language} common`, word(1)],
      [`${language} two common`, `${word(2)} ${word(3)}`],
      [`${language} middling`, word(400)],
      [`${language} rare`, `"${word(20_000)}"`],
      [`${language} absent`, word(7_777_777)],
      [`${language} phrase`, `"${word(1)}${beside}${word(2)}"`],
      [`${language} middling phrase`, `"${word(30)}${beside}${word(70)}"`],
      [`${language} rare phrase`, `"${word(900)}${beside}${word(1000)}"`],
      [`${language} beginning`, word(9_000).slice(0, 2)],
    ]
  }),
  ['rare', 'needle'],
  ['absent beside common', `${wordOf('English', 1)} giraffe`],
  ['a letter behind an absent word', 'giraffe e'],
  ['without', `${wordOf('English', 1)} -${wordOf('English', 2)}`],
  ['common words that no text has together', `${wordOf('English', 1)} ${wordOf('Russian', 1)}`],
  [
    'a phrase of common words that no text has',
    `"${wordOf('English', 1)} ${wordOf('Russian', 1)}"`,
  ],
  ['part of a number', '930123'],
  ['a number', '4930000777'],
]

/** Asks every search so many times in both orders; each time in the other workspace too, where it finds its own. */
export async function compareSearches(db: Db, one: string, other: string, times: number) {
  const { rows: backends } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  const pids = [process.pid, backends[0]?.pid ?? 0]
  const before = await readWhole(db)
  for (const order of ['newest', 'relevance'] as const) {
    const all = { ms: [] as number[], cpu: [] as number[], refused: 0 }
    for (const [what, q] of asked) {
      const query = readQuery(q)
      if (!query) throw new Error(`${q} has no word`)
      const ask = async (workspace: string) => {
        const filter = { hasFiles: false }
        const { hits, next } = await search(
          db,
          workspace,
          query,
          filter,
          order,
          undefined,
          pageRows,
        )
        const texts = await textsOf(db, workspace, hits)
        if (texts.size < hits.length) throw new Error(`${what}: a text of another workspace`)
        for (const { ref } of hits) snippetOf(texts.get(ref)?.text ?? '', query)
        return { refs: hits.map(({ ref }) => ref), next }
      }
      const took: number[] = []
      const cpu: number[] = []
      let [hits, refused, goesOn] = [0, 0, false]
      for (let i = 0; i < times; i++) {
        const theirs = new Set((await ask(other).catch(() => undefined))?.refs)
        const ran = cpuMs(pids)
        const begun = performance.now()
        try {
          const { refs, next } = await ask(one)
          if (refs.some((ref) => theirs.has(ref))) throw new Error(`${what}: found by both`)
          hits = refs.length
          goesOn = next !== null && hits < pageRows
        } catch (error) {
          if (!String(error).includes('timeout')) throw error
          refused++
        }
        took.push(performance.now() - begun)
        cpu.push(cpuMs(pids) - ran)
      }
      all.ms.push(...took)
      all.cpu.push(...cpu)
      all.refused += refused
      console.log(
        `${order.padEnd(10)} ${what.padEnd(42)} ${String(hits).padStart(3)} results ${shown(took, cpu)}${goesOn ? ', and goes on' : ''}${refused ? `, ${refused} of ${times} refused` : ''}`,
      )
    }
    const met = quantile(all.ms, 0.95) <= mostMs ? '' : `, more than ${mostMs} ms`
    console.log(`${order}, all: ${shown(all.ms, all.cpu)}, ${all.refused} refused${met}`)
  }
  console.log(`rows that were read of whole tables: ${(await readWhole(db)) - before}`)
}

/** How many rows were read because a table was read as a whole. */
async function readWhole(db: Db): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ rows: number }>`
    select sum(seq_tup_read)::float8 as rows from pg_stat_user_tables
    where relname in ('search_words', 'messages', 'conversations', 'people', 'notes', 'files')`.execute(
    db,
  )
  return rows[0]?.rows ?? 0
}

/** How long these processes have run on a processor, waiting for one not included, as Linux counts it. */
function cpuMs(pids: number[]) {
  const ofTask = (pid: number) => Number(procFile(pid, 'schedstat').split(' ')[0]) / 1e6
  return pids.reduce((sum, pid) => sum + ofTask(pid), 0)
}

const shown = (took: number[], cpu: number[]) => {
  const ms = (share: number) => `p${share * 100} ${quantile(took, share).toFixed(0)} ms`
  return `${ms(0.5)}, ${ms(0.95)}, of processors ${quantile(cpu, 0.95).toFixed(0)} ms`
}
