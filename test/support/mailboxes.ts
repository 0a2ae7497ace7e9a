import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from 'mocha'
import { notice } from '../../dev/operator/progress.ts'
import { GreenMailMissing, startGreenMail } from '../../dev/stack/greenmail.ts'
import { startMailSink } from '../../dev/stack/mail.ts'
import { deliverTo, startMailboxes } from '../../dev/stack/mailboxes.ts'
import { given } from '../runner/servers.ts'
import { waited } from '../runner/waits.ts'
import { atEnd, atExit, runFolder } from './hooks.ts'

export type TestMailboxes = Awaited<ReturnType<typeof testMailboxes>>

type Server = { smtpPort: number; imapPort: number }
let shared: Promise<Server> | undefined

/**
 * The run's IMAP server with a mailbox for every address, and a sink of the caller's own in front of it that takes mail over
 * SMTP and can be scripted. Addresses have to be the caller's own too. Pending where there is no Java.
 */
export async function testMailboxes(context?: Context) {
  shared ??= findMailboxes()
  const { smtpPort, imapPort } = await shared.catch(pending(context))
  const { sink } = await sinkInFront()
  const delivery = deliverTo(smtpPort, sink.store)
  atEnd(delivery.stop)
  return { sink, smtpPort: sink.smtpPort, imapPort }
}

/**
 * The same with a server of the caller's own. `kill` ends it; it comes back by itself, holding all that was taken, under another
 * UIDVALIDITY.
 */
export async function ownMailboxes(context?: Context) {
  const { sink, folder } = await sinkInFront()
  const mailboxes = await waited(
    'servers',
    startMailboxes({ store: sink.store, folder, say: process.env['TEST_LOG'] ? notice : () => {} }),
  ).catch(pending(context))
  atEnd(mailboxes.stop)
  return { sink, smtpPort: sink.smtpPort, imapPort: mailboxes.imapPort, kill: mailboxes.kill }
}

async function findMailboxes(): Promise<Server> {
  if (given?.mailboxes) return given.mailboxes
  if (given) throw new GreenMailMissing('This run has no server of mailboxes.')
  const server = await waited('servers', startGreenMail({ folder: runFolder(), say: () => {} }))
  atExit(server.stop)
  return server
}

async function sinkInFront() {
  const folder = mkdtempSync(join(tmpdir(), 'postroom-mailboxes-'))
  const sink = await startMailSink({ folder: join(folder, 'mail') })
  atEnd(async () => {
    await sink.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return { sink, folder }
}

const pending = (context: Context | undefined) => (error: unknown) => {
  if (context && error instanceof GreenMailMissing) context.skip()
  throw error
}
