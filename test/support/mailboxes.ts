import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from 'mocha'
import { notice } from '../../dev/operator/progress.ts'
import { GreenMailMissing } from '../../dev/stack/greenmail.ts'
import { startMailSink } from '../../dev/stack/mail.ts'
import { startMailboxes } from '../../dev/stack/mailboxes.ts'
import { atEnd } from './hooks.ts'

export type TestMailboxes = Awaited<ReturnType<typeof testMailboxes>>

/**
 * A real IMAP server with a mailbox for every address, and the sink in front of it that takes mail over SMTP and can be
 * scripted. `kill` ends the IMAP server; it comes back by itself, holding all that was taken, under another UIDVALIDITY.
 * Pending where there is no Java.
 */
export async function testMailboxes(context?: Context) {
  const folder = mkdtempSync(join(tmpdir(), 'postroom-mailboxes-'))
  const sink = await startMailSink({ folder: join(folder, 'mail') })
  const mailboxes = await startMailboxes({
    store: sink.store,
    folder,
    say: process.env['TEST_LOG'] ? notice : () => {},
  }).catch((error) => {
    if (context && error instanceof GreenMailMissing) context.skip()
    throw error
  })
  atEnd(async () => {
    await mailboxes.stop()
    await sink.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return { sink, smtpPort: sink.smtpPort, imapPort: mailboxes.imapPort, kill: mailboxes.kill }
}
