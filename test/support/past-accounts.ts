import { sealedFor } from './given.ts'
import type { TestMailboxes } from './mailboxes.ts'
import { type Past, type Put, putPast, rawOf } from './past-mail.ts'
import type { SharedService } from './service.ts'

/** Accounts whose mailboxes hold mail of years ago. */
export function pastAccounts(service: SharedService, mail: TestMailboxes) {
  async function givenAccount() {
    const workspace = await service.workspace({ smtpPort: mail.smtpPort })
    const [connection] = workspace.connections
    const account = await accountOf(connection)
    const conversations = async () =>
      (await workspace.call('GET', '/conversations?limit=200')).body.conversations
    const messages = async (id: string) =>
      (await workspace.call('GET', `/conversations/${id}/messages?limit=200`)).body.messages
    const stored = () =>
      service.db
        .selectFrom('messages')
        .select(['id', 'conversation', 'direction', 'messageId', 'subject', 'automated', 'at'])
        .where('connection', '=', connection)
        .orderBy('at')
        .execute()
    return { ...workspace, connection, account, conversations, messages, stored }
  }
  const accountOf = async (id: string) =>
    (
      await service.db
        .selectFrom('connections')
        .select('account')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).account
  /** Gives the account its IMAP server, without a reader of the mailbox. */
  async function givenImap(connection: string, port: number) {
    const user = await accountOf(connection)
    const imap = JSON.stringify({ host: '127.0.0.1', port, secure: false, user })
    const secrets = sealedFor(connection, { smtp: 'secret', imap: 'secret' })
    await service.db
      .updateTable('connections')
      .set({ imap, secrets })
      .where('id', '=', connection)
      .execute()
  }
  /** Puts these mails into the folders of an account, each as having arrived on its own date. */
  const put = (account: string, mails: (Past & { folder?: Put['folder'] })[]) =>
    putPast(
      mail,
      account,
      mails.map((one) => ({
        raw: rawOf(one),
        arrived: one.date ?? '2025-03-01T12:00:00Z',
        ...(one.folder && { folder: one.folder }),
      })),
    )
  return { givenAccount, accountOf, givenImap, put }
}
