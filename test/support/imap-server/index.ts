import MailComposer from 'nodemailer/lib/mail-composer'
import type Mail from 'nodemailer/lib/mailer'
import { atEnd } from '../hooks.ts'
import { type ImapOptions, startImapServer } from './server.ts'

export type ScriptedImap = Awaited<ReturnType<typeof scriptedImap>>

/** A scripted IMAP server for one file of tests, and how mail gets into it. */
export async function scriptedImap(options: ImapOptions = {}) {
  const server = await startImapServer(options)
  atEnd(server.stop)
  return {
    ...server,
    /** Where accounts of tests find their mailboxes. */
    imapPort: server.port,
    /** Lays a mail into a folder of an account, and returns its UID there. */
    async deliver(
      login: string,
      mail: Mail.Options,
      where: { folder?: string; at?: Date; flags?: string[] } = {},
    ) {
      return server.store.put(login, await new MailComposer(mail).compile().build(), where)
    },
  }
}
