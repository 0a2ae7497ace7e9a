import { sql } from 'kysely'
import type pg from 'pg'
import { cursorOf } from '../../api/shapes/shapes.ts'
import { withClient } from '../../dev/stack/postgres.ts'
import { openClient } from './load.ts'
import type { Place, Room, Size } from './place.ts'
import { quantile } from './rounds.ts'

// Lists of a workspace with many rows beside the same lists of one with few: the first page, and one from the middle. Calls of
// both alternate, so that whatever the machine does meanwhile slows down both.

const small = 10_000
const parallel = 4

export async function scale(place: Place, { quick, rows = quick ? 10_000 : 1_000_000 }: Size) {
  const few = await fill(place, quick ? 1_000 : small)
  const many = await fill(place, rows)
  console.log(
    `${'lists at many rows / at few, in ms'.padEnd(46)} ${'p50'.padEnd(22)} ${'p99'.padEnd(22)} p99 ratio (lower is better)`,
  )
  for (const [name, path] of Object.entries(many.paths)) {
    const other = few.paths[name] as string
    await alternate(
      quick ? 10 : 100,
      () => many.time(path),
      () => few.time(other),
    )
    const { ours, floor } = await alternate(
      quick ? 50 : 500,
      () => many.time(path),
      () => few.time(other),
    )
    const at = (share: number) => [quantile(ours, share), quantile(floor, share)] as const
    const shown = (share: number) =>
      at(share)
        .map((ms) => ms.toFixed(1))
        .join(' / ')
        .padEnd(22)
    const [p99, p99Few] = at(0.99)
    console.log(`${name.padEnd(46)} ${shown(0.5)} ${shown(0.99)} ${(p99 / p99Few).toFixed(2)}`)
  }
  few.client.close()
  many.client.close()
}

/** The times of so many pairs of calls, several in parallel. */
async function alternate(pairs: number, one: () => Promise<number>, other: () => Promise<number>) {
  const times = { ours: [] as number[], floor: [] as number[] }
  let left = pairs * parallel
  const work = async () => {
    while (left-- > 0)
      if (left % 2 === 0) {
        times.ours.push(await one())
        times.floor.push(await other())
      } else {
        times.floor.push(await other())
        times.ours.push(await one())
      }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return times
}

/** A workspace with so many rows of everything, and the lists that are read of it. */
async function fill(place: Place, rows: number) {
  const room = await place.workspace()
  const from = performance.now()
  const newest = place.clock.now()
  await withClient(place.stack.ownerUrl, (client) => insertRows(client, room, rows, newest))
  console.log(`  ${rows} rows of everything: ${((performance.now() - from) / 1000).toFixed(0)} s`)

  const middle = Math.floor(rows / 2)
  const at = (before: number) => new Date(newest.getTime() - before * 1000).toISOString()
  const id = (kind: string) => `${kind}_${room.id}_${middle}`
  const { rows: events } = await sql<{ xid: string; id: string }>`
    select xid::text, id::text from events where workspace = ${room.id} order by xid, id offset ${middle} limit 1`.execute(
    place.db,
  )
  const { xid = '', id: event = '' } = events[0] ?? {}
  const lists: Record<string, [string, string]> = {
    conversations: ['/conversations', cursorOf(at(middle), id('cnv'))],
    messages: [`/conversations/cnv_${room.id}_1/messages`, cursorOf(at(middle), id('msg'))],
    people: ['/people', cursorOf(nameOf(middle), id('per'))],
    touches: [`/campaigns/cmp_${room.id}/touches`, cursorOf(at(-middle), id('tch'))],
    audit: ['/audit', cursorOf(at(middle), id('aud'))],
    events: ['/events', cursorOf(xid, event)],
  }
  const client = openClient(place.url, parallel, room.token)
  const paths: Record<string, string> = {}
  for (const [name, [path, cursor]] of Object.entries(lists)) {
    const first = `/api/v1${path}?limit=50`
    const { text } = await client.call('GET', first)
    const { next } = JSON.parse(text) as { next: string }
    paths[name] = first
    // Each list has a mark of its own before its cursors.
    paths[`${name}, from the middle`] = `${first}&cursor=${next.slice(0, markLength)}${cursor}`
  }
  /** How long a read takes. */
  const time = async (path: string) => {
    const begun = performance.now()
    const { status, text } = await client.call('GET', path)
    if (status !== 200) throw new Error(text)
    return performance.now() - begun
  }
  return { client, paths, time }
}

const markLength = 8

const nameOf = (i: number) => `person ${String(i).padStart(8, '0')}`

/** Rows whose order is that of their numbers, a second apart. */
async function insertRows(client: pg.Client, room: Room, rows: number, newest: Date) {
  const { id: workspace, connections, member, agent } = room
  const all = `from generate_series(1, ${rows}) as i`
  const before = `$2::timestamptz - i * interval '1 second'`
  const insert = (into: string, select: string, ...more: string[]) =>
    client.query(`insert into ${into} select ${select} ${all} where $2::timestamptz is not null`, [
      ...[workspace, newest, ...more],
    ])
  // They would lock each row's moment, one after the other.
  for (const table of triggered) await client.query(`alter table ${table} disable trigger user`)
  await insert(
    'people (id, workspace, name, created_at, updated_at)',
    `'per_' || $1::text || '_' || i, $1::text, 'Person ' || lpad(i::text, 8, '0'), ${before}, ${before}`,
  )
  await insert(
    'addresses (workspace, kind, value, given, person, position)',
    `$1::text, 'email', 'p' || i || '@client.example', 'p' || i || '@client.example', 'per_' || $1::text || '_' || i, 0`,
  )
  await insert(
    'conversations (id, workspace, person, connection, kind, subject, last_message_at, waiting_since, updated_at)',
    `'cnv_' || $1::text || '_' || i, $1::text, 'per_' || $1::text || '_' || i, $3, 'email', 'A question', ${before}, ${before}, ${before}`,
    connections[0],
  )
  await insert(
    'messages (id, workspace, conversation, direction, sender_name, sender_handle, text, at, connection, state, message_id)',
    `'msg_' || $1::text || '_' || i, $1::text, 'cnv_' || $1::text || '_1', 'inbound', 'Cleo', 'p1@client.example', 'What does it cost?',
     ${before}, $3, 'received', '<' || i || '@client.example>'`,
    connections[0],
  )
  await client.query(
    `insert into campaigns (id, workspace, name, state, agent, created_at, updated_at)
     values ('cmp_' || $1::text, $1::text, 'Autumn', 'done', $3, $2, $2)`,
    [workspace, newest, agent],
  )
  await insert(
    'touches (id, workspace, campaign, person, place, state, due_at, created_at)',
    `'tch_' || $1::text || '_' || i, $1::text, 'cmp_' || $1::text, 'per_' || $1::text || '_' || i, 1, 'queued',
     $2::timestamptz + i * interval '1 second', $2`,
  )
  await insert(
    'audit (id, workspace, at, member, client_name, action, resource)',
    `'aud_' || $1::text || '_' || i, $1::text, ${before}, $3, 'bench', 'product.edited', 'prd_' || i`,
    member,
  )
  await insert(
    'events (workspace, kind, at, resource)',
    `$1::text, 'product.edited', ${before}, 'prd_' || i`,
  )
  for (const table of triggered) await client.query(`alter table ${table} enable trigger user`)
  await client.query('vacuum analyze')
}

const triggered = ['people', 'addresses', 'conversations', 'messages']
