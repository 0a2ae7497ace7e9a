import type { Db, Trx } from '../database.ts'
import { recordEvent } from '../events/events.ts'
import { notify } from '../events/notifications.ts'

// Mails that a mail server counts or lists, and does not deliver. Their member is notified once of each, to look into the
// mailbox themselves.

type Account = { id: string; workspace: string; member: string; account: string }

/** Call it in the transaction that keeps the place behind the mail. */
export const tellUnreadable = (
  trx: Trx,
  account: Account,
  {
    folder,
    mail,
  }: { folder: string; mail: { from: { address: string }; subject: string; date: Date | null } },
  now: Date,
) => {
  const { from, subject } = mail
  const which = from.address
    ? `a message from ${from.address}${subject ? ` (“${subject}”)` : ''}`
    : 'a message'
  const text = `The mail server of ${account.account} does not deliver ${which} in the folder ${folder}. Please look for it there: it may be an answer, and letters are not held for it.`
  return tell(trx, account, { folder, text, count: 1 }, now)
}

/** Tells that a folder counts more mails than its server shows. */
export const tellHidden = (
  db: Db,
  account: Account,
  { folder, hidden }: { folder: string; hidden: number },
  now: Date,
) =>
  db.transaction().execute((trx) => {
    const many = hidden === 1 ? 'a message' : `${hidden} messages`
    const text = `The mail server of ${account.account} counts ${many} in the folder ${folder} that it does not show. Please look into it there: an answer may be among them.`
    return tell(trx, account, { folder, text, count: hidden }, now)
  })

async function tell(
  trx: Trx,
  { id: connection, workspace, member }: Account,
  { folder, text, count }: { folder: string; text: string; count: number },
  at: Date,
) {
  const kind = 'message.unreadable'
  await recordEvent(trx, {
    workspace,
    at,
    resource: connection,
    kind,
    data: { connection, folder, count },
  })
  await notify(trx, { workspace, member, at, kind, text })
}
