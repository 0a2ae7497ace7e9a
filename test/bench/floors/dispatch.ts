import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { Client } from '@temporalio/client'
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
} from '@temporalio/worker'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { declared } from '../../../dev/operator/temporal-declared.ts'
import { input, pool, serve } from './floor.ts'

// The floor of dispatch: a workflow with one activity that claims a row, sends by SMTP on a kept session and settles the row.
// It is started eagerly on the worker's own connection.

const taskQueue = 'floor'
const claim = `update floor.messages set state = 'sending', claimed_at = now(), tries = tries + 1
  where id = $1 and state = 'queued' returning to_address, subject, text`
const settle = `update floor.messages set state = 'sent', sent_at = now() where id = $1 and state = 'sending'`

// As many sessions as our process keeps for the two accounts that send beside it.
const mostSessions = 4
const free: SMTPConnection[] = []
const waiting: ((session: SMTPConnection) => void)[] = []
let opened = 0

async function take(): Promise<SMTPConnection> {
  const kept = free.pop()
  if (kept) return kept
  if (opened >= mostSessions) return new Promise((resolve) => waiting.push(resolve))
  opened++
  const session = new SMTPConnection({ host: '127.0.0.1', port: input.smtpPort, ignoreTLS: true })
  await new Promise<void>((resolve, reject) => {
    session.once('error', reject)
    session.connect(() => resolve())
  })
  const credentials = { user: 'ana', pass: 'secret' }
  await new Promise<void>((resolve, reject) =>
    session.login({ credentials }, (error) => (error ? reject(error) : resolve())),
  )
  // The server closes a session that rests for long, as it does while others are measured.
  session.on('error', () => {})
  session.once('end', () => {
    opened--
    const at = free.indexOf(session)
    if (at >= 0) free.splice(at, 1)
  })
  return session
}

function giveBack(session: SMTPConnection) {
  const next = waiting.shift()
  if (next) next(session)
  else free.push(session)
}

async function deliver(id: string) {
  const { rows } = await pool.query({ name: 'claim', text: claim, values: [id] })
  const [row] = rows
  if (!row) return
  const session = await take()
  const envelope = { from: 'ana@us.example', to: row.to_address }
  const text = `From: Ana <ana@us.example>\r\nTo: ${row.to_address}\r\nSubject: ${row.subject}\r\nMessage-ID: <${id}@us.example>\r\n\r\n${row.text}\r\n`
  await new Promise<void>((resolve, reject) =>
    session.send(envelope, text, (error) => (error ? reject(error) : resolve())),
  )
  giveBack(session)
  await pool.query({ name: 'settle', text: settle, values: [id] })
}

Runtime.install({ logger: new DefaultLogger('ERROR') })
const connection = await NativeConnection.connect({ address: input.temporalAddress })
const { namespace } = declared
const worker = await Worker.create({
  connection,
  namespace,
  taskQueue,
  workflowBundle: await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('./workflows.ts', import.meta.url)),
    logger: new DefaultLogger('ERROR'),
  }),
  activities: { deliver },
  maxConcurrentActivityTaskExecutions: 200,
})
void worker.run()
const client = new Client({ connection, namespace })
const server = createServer(async (request, response) => {
  const id = request.url?.slice(1) ?? ''
  await client.workflow.start('send', {
    ...{ taskQueue, workflowId: id, args: [id], requestEagerStart: true },
  })
  response.end('{}')
})
serve(server)
