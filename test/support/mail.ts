import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MailSink, startMailSink } from '../../dev/stack/mail.ts'
import { atEnd } from './hooks.ts'

export type { MailScript, MailSink } from '../../dev/stack/mail.ts'
export type { Message } from '../../dev/stack/mail-store.ts'

/**
 * A mail server for one test on a free port. `script` makes it refuse, delay or hang up;
 * `stop` and `restart` make it unavailable for a while. Its folder is removed after the run.
 */
export async function testMail(): Promise<MailSink> {
  const folder = mkdtempSync(join(tmpdir(), 'postroom-mail-'))
  const sink = await startMailSink({ folder })
  atEnd(async () => {
    await sink.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return sink
}
