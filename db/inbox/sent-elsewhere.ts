import { comparedForm, readAddress } from '../../rules/addresses.ts'
import { isOwnAddress, type Own } from '../../rules/own-addresses.ts'
import { keptHtml } from '../../rules/text.ts'
import { markFiled } from '../accounts/to-file.ts'
import { openConversation } from '../conversations/conversations.ts'
import type { NewFile } from '../conversations/files.ts'
import { messageSent } from '../conversations/message-life.ts'
import { lockOutgoing } from '../conversations/message-sending.ts'
import type { Db, Trx } from '../database.ts'
import { recordEvent } from '../events/events.ts'
import { enqueueSignal } from '../operations/outbox.ts'
import { keepLetterIds, withOwnIds } from '../outgoing/letter-ids.ts'
import { lockAddresses } from '../people/cards.ts'
import { findErased } from '../people/erased.ts'
import { findOwners } from '../people/people.ts'
import type { SecretKey } from '../secrets.ts'
import { findOwnAddresses } from '../workspace/own-addresses.ts'
import { insertMail } from './inbound.ts'
import { makePerson } from './people.ts'
import { isKnownSent } from './same-mail.ts'
import { findContinued, findReferred, lockUnconfirmed } from './thread.ts'

// The contents of an account's Sent folder: our own letters, whose presence there proves that they went, and mail that a member
// wrote in a mail program, which belongs to its conversation like any other message.

export type SentMail = {
  workspace: string
  connection: string
  messageId: string
  /** The Message-IDs that it had before a provider replaced them. */
  originalIds: string[]
  references: string[]
  from: { name: string; address: string }
  to: string[]
  cc: string[]
  bcc: string[]
  subject: string
  text: string
  html: string | null
  at: Date
  /** The date in its head. */
  dated: Date | null
  files: NewFile[]
}

/** Stores a mail once; call it in a transaction of its own, and run that again on isConflict or isOvertaken. */
export async function receiveSent(
  trx: Trx,
  mail: SentMail,
  now: Date,
  secretKey?: SecretKey,
): Promise<void> {
  if (await proveOurs(trx, mail, now)) return
  // What our own people write to each other is nobody's conversation.
  const own = await findOwnAddresses(trx, mail.workspace)
  const [client = ''] = [...mail.to, ...mail.cc].filter((one) => !isOwnAddress(own, one))
  const address = readAddress('email', client)
  // Mail without a recipient is a draft.
  if (!address || (await isKnownSent(trx, mail))) return
  await lockAddresses(trx, mail.workspace, [address])
  const owner = (await findOwners(trx, mail.workspace, [address])).values().next().value
  // What was sent to somebody who was erased does not bring them back.
  if (!owner && (await findErased(trx, secretKey, mail.workspace, [address])).size > 0) return
  const person =
    owner ??
    (await makePerson(trx, { workspace: mail.workspace, from: { name: '' } }, address, now, false))
  await trx.selectFrom('people').select('id').where('id', '=', person).forUpdate().execute()
  if (await isKnownSent(trx, mail)) return

  const { workspace, connection, subject, at } = mail
  const references = await withOwnIds(trx, mail, mail.references)
  const referred = await findReferred(trx, workspace, connection, references)
  const conversation =
    referred?.conversation ??
    (await findContinued(trx, { person, connection, kind: 'email', subject, at })) ??
    (await openConversation(trx, {
      workspace,
      person,
      connection,
      kind: 'email',
      subject,
      at,
      automated: true,
    }))
  const id = await insertMail(
    trx,
    { ...mail, to: address.given, toAddresses: mail.to },
    {
      workspace,
      connection,
      conversation,
      direction: 'outbound',
      state: 'sent',
      sentAt: at,
      filed: true,
      dated: mail.dated,
      html: keptHtml(mail.html),
      messageId: mail.messageId,
      inReplyTo: referred?.messageId ?? null,
      refersTo: mail.references.slice(-100),
    },
  )
  // A mail program may have put capital letters into it, which an answer may name as small ones.
  await keepLetterIds(trx, mail, [mail.messageId], now)
  await trx
    .updateTable('conversations')
    .set((eb) => ({
      lastMessageAt: eb.fn('greatest', ['lastMessageAt', eb.val(at)]),
      waitingFor: 'client',
      waitingSince: at,
    }))
    .where('id', '=', conversation)
    .where('lastMessageAt', '<=', at)
    .execute()
  await recordEvent(trx, {
    workspace,
    kind: 'message.sent',
    at: now,
    resource: id,
    data: { conversation, person, connection, state: 'sent', elsewhere: true },
  })
}

/**
 * Whether the account itself wrote it: a mail of somebody else may carry the id of our letter. Some providers put the user of a
 * login for a sender that they do not know.
 */
async function isFromAccount(trx: Trx, { workspace, connection, from }: SentMail) {
  const row = await trx
    .selectFrom('connections')
    .select(['account', 'smtp', 'imap'])
    .where('workspace', '=', workspace)
    .where('id', '=', connection)
    .executeTakeFirst()
  const own = [row?.account, row?.smtp?.user, row?.imap?.user].map((one) => comparedForm(one ?? ''))
  return from.address === '' || own.includes(comparedForm(from.address))
}

/** True if the mail is one of our letters. It confirms a letter that was unconfirmed. */
async function proveOurs(trx: Trx, mail: SentMail, now: Date): Promise<boolean> {
  const { workspace } = mail
  if (!(await isFromAccount(trx, mail))) return false
  const ids = await withOwnIds(trx, mail, [mail.messageId, ...mail.originalIds])
  const ours = await trx
    .selectFrom('messages')
    .select(['id', 'messageId'])
    .where('workspace', '=', workspace)
    .where('direction', '=', 'outbound')
    .where('messageId', 'in', ids)
    .where((eb) => eb.or([eb('operation', 'is not', null), eb('touch', 'is not', null)]))
    .limit(1)
    .executeTakeFirst()
  const unconfirmed = await lockUnconfirmed(trx, workspace, ids)
  const messageId = ours?.messageId ?? unconfirmed.messageId
  if (!messageId) return false
  // The account's own Sent folder says so.
  await keepLetterIds(trx, { ...mail, messageId }, [mail.messageId], now)

  await trx
    .insertInto('sentEvidence')
    .values({ workspace, messageId, at: now })
    .onConflict((oc) => oc.doNothing())
    .execute()
  // A campaign letter's own workflow confirms it, because it also plans the next one.
  for (const id of unconfirmed.touches) {
    const touch = await trx
      .selectFrom('touches')
      .select('workflow')
      .where('id', '=', id)
      .executeTakeFirst()
    if (touch?.workflow) await enqueueSignal(trx, touch.workflow, 'changed', [], { workspace })
  }
  for (const id of unconfirmed.messages) {
    const message = await lockOutgoing(trx, id)
    // A letter that is being handed over is settled by its attempt.
    if (message?.state === 'sending' && message.reason === 'unconfirmed')
      await messageSent(trx, { letter: message, attempt: null, now })
  }
  if (ours) await markFiled(trx, ours.id)
  return true
}

// Mail of our own people, who are no clients.

type Mail = {
  workspace: string
  connection: string
  from: { address: string }
  to: string[]
  cc: string[]
  references: string[]
}

/**
 * What a mail of one of our own people is: `theirs` if they are written to as a client themselves, and answer that; `ours` if it
 * goes to a client, in a conversation or to somebody who has a card; otherwise `among us`.
 */
export async function placeOfColleague(
  db: Db,
  { workspace, connection, from, to, cc, references }: Mail,
  own: Own,
): Promise<'theirs' | 'ours' | 'among us'> {
  const read = (addresses: string[]) => addresses.flatMap((one) => readAddress('email', one) ?? [])
  const ids = await withOwnIds(db, { workspace, connection }, references)
  const referred = await findReferred(db, workspace, connection, ids)
  const [writer] = (await findOwners(db, workspace, read([from.address]))).values()
  if (referred && referred.person === writer) return 'theirs'
  const others = read([...to, ...cc].filter((one) => !isOwnAddress(own, one)))
  if (others.length === 0) return 'among us'
  if (referred) return 'ours'
  return (await findOwners(db, workspace, others)).size > 0 ? 'ours' : 'among us'
}
