import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import Koa from 'koa'
import { pool, serve } from './floor.ts'

// The floor of accepting a message: a Koa handler that inserts an operation, a message and a command in one transaction of
// named prepared statements, and checks nothing.

const operation = `insert into floor.operations
  (id, workspace, key, kind, fingerprint, token, keyless, state, answer_status, answer_body, accepted_at, last_used_at)
  values ($1, $2, $3, 'message.queued', '', '', false, 'accepted', 200, $4, now(), now())`
const message = `insert into floor.messages
  (id, workspace, conversation, direction, sender_name, sender_handle, to_address, subject, text, at, connection, state,
   send_at, due_at, operation)
  values ($1, $2, $3, 'outbound', 'Ana Ruiz', 'ana@us.example', 'cleo@client.example', 'Re: A question', $4, now(), $5,
   'queued', $6, $6, $7)`
const command = `insert into floor.outbox (kind, workspace, priority, operation, workflow_type, workflow_id, args)
  values ('start', $1, 2, $2, 'sendMessage', $2, $3)`

type Body = {
  workspace: string
  conversation: string
  connection: string
  text: string
  sendAt: string
}

const app = new Koa()
app.use(async (ctx) => {
  const pieces: Buffer[] = []
  for await (const piece of ctx.req) pieces.push(piece as Buffer)
  const body: Body = JSON.parse(Buffer.concat(pieces).toString())
  const { workspace, conversation, connection, text, sendAt } = body
  const key = ctx.get('idempotency-key')
  const [id, own] = [`${workspace}:${key}`, `msg_${randomUUID()}`]
  const answer = { id: own, conversation, text, sendAt, state: 'queued' }
  const client = await pool.connect()
  try {
    await client.query({ name: 'begin', text: 'begin' })
    const kept = [id, workspace, key, JSON.stringify(answer)]
    await client.query({ name: 'operation', text: operation, values: kept })
    const row = [own, workspace, conversation, text, connection, sendAt, id]
    await client.query({ name: 'message', text: message, values: row })
    const args = JSON.stringify([{ operation: id, message: own }])
    await client.query({ name: 'command', text: command, values: [workspace, id, args] })
    await client.query({ name: 'commit', text: 'commit' })
  } finally {
    client.release()
  }
  ctx.body = answer
})
serve(createServer(app.callback()))
