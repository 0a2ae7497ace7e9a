import { createTransport } from 'nodemailer'
import type Mail from 'nodemailer/lib/mailer'
import { startReaders } from '../../db/accounts/mailboxes.ts'
import { sealedFor } from './given.ts'
import type { TestMailboxes } from './mailboxes.ts'
import type { SharedService } from './service.ts'

/** Gives the accounts their IMAP server, and starts their readers. */
export async function givenMailboxes(
  { db }: Pick<SharedService, 'db'>,
  mail: Pick<TestMailboxes, 'imapPort'>,
  connections: string[],
  imap: { filesSent?: boolean; folders?: { leaveOut: string[] } } = {},
) {
  await db.transaction().execute(async (trx) => {
    for (const id of connections) {
      const { account, workspace } = await trx
        .selectFrom('connections')
        .select(['account', 'workspace'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const server = { host: '127.0.0.1', port: mail.imapPort, secure: false, user: account }
      await trx
        .updateTable('connections')
        .set({
          imap: JSON.stringify({ ...server, ...imap }),
          secrets: sealedFor(id, { smtp: 'secret', imap: 'secret' }),
        })
        .where('id', '=', id)
        .execute()
      await startReaders(trx, [{ id, workspace }])
    }
  })
}

/** Somebody's mail program: sends over SMTP to the server the mailboxes are behind. */
export function mailProgram({ smtpPort }: Pick<TestMailboxes, 'smtpPort'>) {
  const transport = createTransport({
    host: '127.0.0.1',
    port: smtpPort,
    secure: false,
    ignoreTLS: true,
  })
  return (message: Mail.Options) => transport.sendMail(message)
}
