import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { pool, serve } from './floor.ts'

// The floor of reading: node:http and prepared statements for the token and the rows, with the members that our answers have.

const token = `select tokens.id, tokens.member, tokens.client_id, tokens.scopes, tokens.expires_at, tokens.revoked_at,
  workspaces.id as workspace, workspaces.timezone
  from tokens join workspaces on workspaces.id = tokens.workspace where tokens.hash = $1`
const columns = `id, person, kind, last_message_at, waiting_since, importance, intent, owner, state, subject,
  connection, snooze_until, why, reason, met, waiting_for, updated_at,
  coalesce((select json_agg(json_build_object('id', l.id, 'name', l.name) order by lower(l.name))
    from conversation_labels cl join labels l on l.id = cl.label where cl.conversation = conversations.id), '[]') as labels`
const list = `select ${columns} from conversations where workspace = $1
  order by last_message_at desc, id desc limit 51`
const single = `select ${columns},
  coalesce((select json_agg(n order by n.at, n.id) from notes n where n.conversation = conversations.id), '[]') as notes,
  coalesce((select json_agg(t order by t.seq) from tasks t where t.conversation = conversations.id), '[]') as tasks
  from conversations where workspace = $1 and id = $2`

type Row = Record<string, unknown> & {
  last_message_at: Date
  waiting_since: Date
  snooze_until: Date | null
  updated_at: Date
}

const present = (row: Row) => ({
  id: row['id'],
  person: row['person'],
  kind: row['kind'],
  lastMessageAt: row.last_message_at.toISOString(),
  waitingSince: row.waiting_since.toISOString(),
  importance: row['importance'],
  intent: row['intent'],
  owner: row['owner'],
  state: row['state'],
  subject: row['subject'],
  channel: row['connection'],
  snoozeUntil: row.snooze_until?.toISOString() ?? null,
  why: row['why'],
  closed: row['state'] === 'closed',
  reason: row['reason'],
  met: row['met'],
  labels: row['labels'],
  waitingFor: row['waiting_for'],
  updatedAt: row.updated_at.toISOString(),
})

async function read(workspace: string, id: string | undefined) {
  if (!id) {
    const { rows } = await pool.query({ name: 'list', text: list, values: [workspace] })
    const page = rows.slice(0, 50) as Row[]
    const last = page.at(-1)
    const place = JSON.stringify([last?.last_message_at, last?.['id']])
    const next = rows.length > 50 ? Buffer.from(place).toString('base64url') : null
    return { conversations: page.map(present), next }
  }
  const { rows } = await pool.query({ name: 'single', text: single, values: [workspace, id] })
  const [row] = rows as Row[]
  return row && { ...present(row), notes: row['notes'], tasks: row['tasks'] }
}

const server = createServer(async (request, response) => {
  const given = request.headers.authorization?.slice('Bearer '.length) ?? ''
  const hash = createHash('sha256').update(given).digest()
  const { rows } = await pool.query({ name: 'token', text: token, values: [hash] })
  const who = rows[0]
  if (!who || who.revoked_at || who.expires_at < new Date()) return response.writeHead(401).end()
  const text = JSON.stringify(await read(who.workspace, request.url?.split('/')[2]))
  const length = Buffer.byteLength(text)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': length })
  response.end(text)
})
serve(server)
