import { findSuppression } from '../../../db/accounts/suppressions.ts'
import {
  type Candidate,
  type Contacts,
  findCopied,
  findReply,
  listCandidates,
  listContacts,
  listSenders,
  type OwnAccount,
  type Sender,
} from '../../../db/conversations/contacts.ts'
import {
  findSubject,
  insertQueuedMessage,
  type NewMessage,
  queuedMessageRows,
  queuedMessageWords,
} from '../../../db/conversations/messages.ts'
import { type Card, lockFiles } from '../../../db/conversations/uploads.ts'
import { newId } from '../../../db/ids.ts'
import { comparedForm } from '../../../rules/addresses.ts'
import { addressKindOf } from '../../../rules/channels.ts'
import { replySubject } from '../../../rules/mail/subjects.ts'
import { messageIdOf } from '../../../rules/outgoing.ts'
import { ApiError, type ErrorCode, found, invalid } from '../../http/errors.ts'
import { usualBodyLimit } from '../../http/pieces.ts'
import { withinQuotas } from '../../http/quotas.ts'
import { type AddContext, change, type ReadContext } from '../../route.ts'
import { filesBodyLimit } from '../../shapes/file.ts'
import { type LetterGiven, Letter as LetterShape, ReducedLetter } from '../../shapes/letter.ts'
import { presentQueued, QueuedMessage, ReducedQueuedMessage } from '../../shapes/message.ts'
import { dueOf, IdParams, iso } from '../../shapes/shapes.ts'
import {
  attach,
  checkFiles,
  composed,
  type Letter,
  noContact,
  toSuppressed,
  wordsOf,
} from './letter.ts'

// Sending a message in a conversation: to whom, through which account, in which words. one-message.ts has what follows: read, cancel,
// resolve, send again. One file, because all that a message is refused for follows in one order.

export const sendErrors: ErrorCode[] = [
  'time_in_past',
  'contact_ambiguous',
  'sender_ambiguous',
  'no_contact',
  'erased',
  'recipient_suppressed',
  'quota_exceeded',
]

type Reply = NonNullable<Awaited<ReturnType<typeof findReply>>>

/** Whom a message goes to, and whether they must not be written to. @throws ApiError contact_ambiguous, no_contact. */
async function recipientOf(
  { db, workspace }: ReadContext,
  reply: Reply,
  { to, replyTo }: Partial<Pick<LetterGiven, 'to' | 'replyTo'>>,
) {
  if (to === undefined && replyTo === undefined && reply.last) return reply.last
  const contacts = await listContacts(db, reply, replyTo)
  /** @throws ApiError contact_ambiguous. */
  const undecided = async (message: string, accounts: string[]): Promise<never> => {
    const { person, kind } = reply
    const asked = { kind: addressKindOf[kind], accounts, person }
    const found = await listCandidates(db, workspace.id, asked)
    // Of several cards with one address, the conversation's own counts.
    const candidates = accounts.flatMap(
      (account) => found.find((one) => one.account === account) ?? [],
    )
    throw ambiguous('contact_ambiguous', '/to', message, candidates)
  }
  if (to === undefined && contacts.candidates)
    return undecided(
      'The message asks for answers at another address than its own.',
      contacts.candidates,
    )
  if (to === undefined && !contacts.last && contacts.person.length > 1)
    return undecided('The person has several addresses.', contacts.person)
  const of = { workspace: workspace.id, conversation: reply.id }
  const handle =
    to === undefined
      ? usualContact(contacts)
      : (contactNamed(contacts, to) ?? (await findCopied(db, of, comparedForm(to))))
  if (handle === undefined)
    throw invalid('/to', 'unknown_address', 'is not an address of this person or conversation')
  return { handle, suppressed: (await findSuppression(db, workspace.id, handle)) !== undefined }
}

const contactNamed = ({ all }: Contacts, to: string) =>
  all.find((address) => comparedForm(address) === comparedForm(to))

function usualContact(contacts: Contacts): string {
  if (contacts.last) return contacts.last
  const [first] = contacts.person
  if (first === undefined) throw noContact('/to')
  return first
}

/** Our account for a message: the one in the call (by id or account), otherwise the conversation's. */
async function senderOf(
  { db, workspace, member }: ReadContext,
  { kind, sender }: Reply,
  via: string | undefined,
): Promise<Sender> {
  if (via === undefined && sender) return sender
  const senders = await listSenders(db, workspace.id, member.id, kind)
  if (via === undefined) return onlyOne(senders)
  const chosen = chosenBy(senders, via)
  if (!chosen)
    throw invalid(
      '/via',
      'unknown_connection',
      `must be a connection of this workspace of the kind ${kind}`,
    )
  return chosen
}

/** The account with this id or this address. */
export const chosenBy = <S extends Sender>(senders: S[], via: string): S | undefined =>
  senders.find(({ id, account }) => id === via || comparedForm(account) === comparedForm(via))

/** The account that fits or, of several, the member's default. @throws ApiError sender_ambiguous if nothing decides. */
export function onlyOne(senders: OwnAccount[]): OwnAccount {
  const [first, ...more] = senders
  const decided = more.length === 0 ? first : senders.find(({ isDefault }) => isDefault)
  if (decided) return decided
  throw ambiguous(
    'sender_ambiguous',
    '/via',
    first ? 'Several of our accounts match.' : 'The workspace has no account on this channel.',
    senders.map(({ id, account, name }) => ({ id, account, name })),
  )
}

export const ambiguous = (
  code: 'contact_ambiguous' | 'sender_ambiguous',
  pointer: string,
  message: string,
  candidates: Candidate[],
) => new ApiError(code, message, { members: { candidates }, errors: [{ pointer, code, message }] })

type Input = { params: { id: string }; body: Partial<LetterGiven> }
type Context = ReadContext & Pick<AddContext, 'operation' | 'start' | 'changed'>

/** `lock` reads the files that it names; `store` adds its row and its files. */
type Keeping = {
  lock(files: string[]): Promise<Card[]>
  store(message: NewMessage, letter: Letter): unknown
}

/** To whom a message goes, through which account, with which subject and when. */
export async function addressed({ params, body }: Input, context: ReadContext) {
  const { db, workspace, clock } = context
  const conversation = found(await findReply(db, workspace.id, params.id), 'conversation')
  if (conversation.isErased)
    throw new ApiError('erased', 'The person of this conversation was erased.')
  const now = clock.now()
  const sendAt = dueOf(body.sendAt, now, '/sendAt')
  const { replyTo } = body
  const chosen = replyTo && (await findSubject(db, conversation.id, replyTo))
  if (replyTo !== undefined && chosen === undefined)
    throw invalid('/replyTo', 'unknown_id', 'is not a message of this conversation')
  const to = await recipientOf(context, conversation, body)
  const via = await senderOf(context, conversation, body.via)
  if (to.suppressed) throw toSuppressed()
  const answered = chosen ?? conversation.answered
  const subject = body.subject ?? replySubject(answered || conversation.subject)
  return { conversation, to, via, subject, sendAt, now }
}

/** Queues a message. `also` is noted in the audit log. */
export async function queue(
  { params, body }: Input,
  context: Context,
  words: Awaited<ReturnType<typeof wordsOf>>,
  { lock, store }: Keeping,
  also: Record<string, unknown> = {},
) {
  const { db, workspace, member } = context
  const asked = await addressed({ params, body }, context)
  const { conversation, to, via, subject, sendAt, now } = asked
  const route = {
    kind: conversation.kind,
    via,
    to: to.handle,
    member: member.id,
    secretKey: context.secretKey,
  }
  const given = { ...body, repliesTo: body.replyTo }
  const letter = await composed(db, workspace.id, given, words, route, lock)
  const of = { conversation: conversation.id, subject, sendAt, now }
  const message = messageOf(context, route, letter, of)
  await store(message, letter)
  return announced(context, message, letter, conversation.person, also)
}

/** A new message that is to go out. */
export const messageOf = (
  { workspace, operation }: Pick<Context, 'workspace' | 'operation'>,
  { via, to }: { via: Sender; to: string },
  { text }: Pick<Letter, 'text'>,
  of: Pick<NewMessage, 'conversation' | 'subject' | 'sendAt' | 'now'>,
): NewMessage => ({
  ...of,
  id: newId('msg'),
  workspace: workspace.id,
  senderName: via.name,
  senderHandle: via.account,
  toAddress: to,
  text,
  connection: via.id,
  operation: operation.id,
})

/** Starts the workflow of a queued message, and answers the message. `also` is noted in the audit log. */
export async function announced(
  context: Context,
  message: NewMessage,
  {
    beside,
    files,
    leftOut = [],
  }: Pick<Letter, 'beside' | 'files'> & Partial<Pick<Letter, 'leftOut'>>,
  person: string,
  also: Record<string, unknown> = {},
) {
  const { id, conversation, connection, sendAt } = message
  const input = {
    operation: context.operation.id,
    message: id,
    ...(files.length === 0 && { atOnce: sendAt === null || ('due' as const) }),
  }
  await context.start('sendMessage', [input], {
    Conversation: conversation,
    Person: person,
    Connection: connection,
  })
  const audited = { conversation, via: connection, sendAt: sendAt && iso(sendAt), ...also }
  context.changed(id, undefined, audited)
  const shown = presentQueued({
    ...message,
    state: 'queued',
    reason: null,
    sentAt: null,
    messageId: messageIdOf(id, message.senderHandle),
    cc: beside?.cc ?? [],
    bcc: beside?.bcc ?? [],
    hasHtml: (beside?.html ?? null) !== null,
    files: files.length,
    refused: null,
  })
  return { ...shown, ...(leftOut.length > 0 && { leftOut }) }
}

// HTML up to this length costs a statement that many calls share little.
const longestShared = 64 * 1024

export const routes = [
  change({
    method: 'POST',
    path: '/conversations/{id}/messages',
    operationId: 'sendMessage',
    summary: 'Send a message',
    description:
      'Queues a message to the client, to be sent at once or at a given time. At least one of `text` and `html` is required.',
    scopes: ['send'],
    reduced: {
      body: ReducedLetter,
      response: ReducedQueuedMessage,
      bodyLimit: usualBodyLimit,
      example: { text: 'Two spare sensors for each kitchen are in the offer now.' },
      errors: sendErrors,
    },
    action: 'message.queued',
    params: IdParams,
    body: LetterShape,
    example: {
      text: 'Two spare sensors for each kitchen are in the offer now.',
      html: '<p>Two spare sensors for each kitchen are in the offer now.</p><img src="cid:sensor.png">',
      cc: ['office@example.test'],
      files: [{ name: 'sensor.png', type: 'image/png', content: 'iVBORw0KGgo=' }],
    },
    response: QueuedMessage,
    bodyLimit: filesBodyLimit,
    errors: [...sendErrors, 'file_too_large'],
    check: ({ body }) => checkFiles(body),
    prepare: ({ body }, { workspace }) => wordsOf(body, workspace.id),
    adds: ({ body: { files, html } }, { workspace: { quotas } }) =>
      quotas === null && (files ?? []).length === 0 && (html ?? '').length <= longestShared,
    add: (input, context, words) =>
      queue(input, context, words, {
        lock: async () => [],
        store(message, { beside }) {
          context.insert(queuedMessageRows(message, beside))
          context.insert(queuedMessageWords(message))
        },
      }),
    handler: (input, context, words) => {
      const { db, workspace } = context
      return queue(input, context, words, {
        lock: (files) => lockFiles(db, workspace.id, files),
        async store(message, letter) {
          await insertQueuedMessage(db, message, letter.beside)
          await attach(db, { workspace: message.workspace, message: message.id }, letter)
          await withinQuotas(context, { queuedMessages: 1, bytes: true })
        },
      })
    },
  }),
]
