import { z } from 'zod'
import { findSuppression } from '../../../db/accounts/suppressions.ts'
import { listCandidates, listSenders, type OwnAccount } from '../../../db/conversations/contacts.ts'
import { findConversation, openConversation } from '../../../db/conversations/conversations.ts'
import { insertQueuedMessage } from '../../../db/conversations/messages.ts'
import { lockFiles } from '../../../db/conversations/uploads.ts'
import type { Trx } from '../../../db/database.ts'
import { insertCard, lockCards } from '../../../db/people/cards.ts'
import { findErased } from '../../../db/people/erased.ts'
import { peopleHappened } from '../../../db/people/events.ts'
import { lockPerson } from '../../../db/people/people.ts'
import { listAddresses } from '../../../db/people/split.ts'
import { nameBeside } from '../../../rules/address-cleaning.ts'
import { type Address, keyOf, readAddress } from '../../../rules/addresses.ts'
import { addressKindOf } from '../../../rules/channels.ts'
import { firstLine } from '../../../rules/letters.ts'
import { cut, plainLine } from '../../../rules/text.ts'
import { ApiError, found, invalid } from '../../http/errors.ts'
import { withinQuotas } from '../../http/quotas.ts'
import { type ChangeContext, change } from '../../route.ts'
import { filesBodyLimit } from '../../shapes/file.ts'
import { letterMembers, longestSubject, requireWords } from '../../shapes/letter.ts'
import { QueuedMessage } from '../../shapes/message.ts'
import { PersonId } from '../../shapes/person-ids.ts'
import { dueOf, OneLine, optional } from '../../shapes/shapes.ts'
import { Conversation, presentConversation } from './conversations.ts'
import { attach, checkFiles, composed, noContact, toSuppressed, wordsOf } from './letter.ts'
import { ambiguous, announced, chosenBy, messageOf, onlyOne, sendErrors } from './messages.ts'

const FirstLetter = z
  .strictObject({
    person: optional(PersonId).describe(
      'The id of the person to write to, at their first address.',
    ),
    ...letterMembers,
    to: optional(OneLine(320).min(1)).describe(
      'The address to write to, instead of `person`: of the person who has it, otherwise of a new one.',
    ),
    via: letterMembers.via.describe(
      'Our account to send it through, by the id of its connection or its address; by default the only one that fits the address, otherwise the `defaultConnection` of the member.',
    ),
    replyTo: letterMembers.replyTo.describe(
      'Not for a first message, as there is nothing that it could answer.',
    ),
  })
  .superRefine((body, context) => {
    requireWords(body, context)
    const add = (member: string, message: string, code: string) =>
      context.addIssue({ code: 'custom', path: [member], message, params: { code } })
    if (body.person === undefined && body.to === undefined)
      add('person', 'give either person or to', 'invalid_type')
    if (body.person !== undefined && body.to !== undefined)
      add('to', 'give either person or to, not both', 'invalid_value')
    if (body.replyTo !== undefined)
      add('replyTo', 'a conversation that begins has no message to answer', 'unknown_id')
  })
  .meta({ id: 'NewConversation' })
type Given = z.output<typeof FirstLetter>

const longestName = 200

type Recipient = { person: string; address: string; via: OwnAccount }

/** The account in the call; undefined if there is none. */
function named(senders: OwnAccount[], via: string | undefined): OwnAccount | undefined {
  if (via === undefined) return undefined
  const chosen = chosenBy(senders, via)
  if (!chosen) throw invalid('/via', 'unknown_connection', 'must be a connection of this workspace')
  return chosen
}

/** A person by their id, at their first address of the kind of the account: e-mail, if they have an address. */
async function toPerson(
  { db, workspace }: ChangeContext,
  senders: OwnAccount[],
  { via, id }: { via: OwnAccount | undefined; id: string },
): Promise<Recipient> {
  const person = await lockPerson(db, workspace.id, id)
  if (!person) throw invalid('/person', 'unknown_id', 'There is no such person.')
  const addresses = await listAddresses(db, id)
  const on = ({ kind }: OwnAccount) => addresses.find((one) => one.kind === addressKindOf[kind])
  const fitting = senders.filter(on)
  const byMail = fitting.filter(({ kind }) => kind === 'email')
  const isReached = via ? on(via) : fitting.length > 0 || senders.length === 0
  if (addresses.length === 0 || !isReached) throw noContact('/person')
  const sender = via ?? onlyOne(byMail.length > 0 ? byMail : fitting)
  return { person: id, address: on(sender)?.given ?? '', via: sender }
}

/** The person of an address, otherwise a new card. */
async function toAddress(
  context: ChangeContext,
  senders: OwnAccount[],
  { via, to }: { via: OwnAccount | undefined; to: string },
): Promise<Recipient> {
  const { db, workspace, clock, secretKey, operation } = context
  const address = via ? readAddress(addressKindOf[via.kind], to) : addressOf(to)
  if (!address)
    throw invalid('/to', 'invalid_value', 'is not an address on the channel of the account')
  const fitting = senders.filter(({ kind }) => addressKindOf[kind] === address.kind)
  const sender = via ?? onlyOne(fitting)
  const { owners } = await lockCards(db, workspace.id, [address])
  const [owner, ...others] = owners.get(keyOf(address)) ?? []
  if (others.length > 0) {
    const asked = { kind: address.kind, accounts: [address.given], person: null }
    const candidates = await listCandidates(db, workspace.id, asked)
    throw ambiguous('contact_ambiguous', '/to', 'Several people share this address.', candidates)
  }
  if (owner !== undefined) return { person: owner, address: address.given, via: sender }
  if ((await findErased(db, secretKey, workspace.id, [address])).size > 0)
    throw new ApiError('erased', '/to: the person was erased.', {
      errors: [{ pointer: '/to', code: 'erased', message: 'was erased' }],
    })
  const now = clock.now()
  const name = cut(nameBeside(to), longestName)
  const fields = name === '' ? {} : { name }
  const card = await insertCard(db, workspace.id, { fields, addresses: [address] }, now)
  const event = { workspace: workspace.id, kind: 'person.created', at: now } as const
  const made = { id: card.id, members: [...Object.keys(fields), address.kind] }
  const by = { client: context.client, key: operation.key }
  await peopleHappened(db, { ...event, operation: operation.id, by }, [made])
  return { person: card.id, address: address.given, via: sender }
}

// A bare word could be the name of a profile, but nobody meant to write to it.
const addressOf = (to: string): Address | undefined =>
  readAddress('email', to) ??
  readAddress('phone', to) ??
  (/[/@]/.test(to) ? readAddress('linkedin', to) : undefined)

async function recipientOf(context: ChangeContext, { person, to = '', via }: Given) {
  const senders = await listSenders(context.db, context.workspace.id, context.member.id)
  const account = named(senders, via)
  return person === undefined
    ? toAddress(context, senders, { via: account, to })
    : toPerson(context, senders, { via: account, id: person })
}

async function opened(
  trx: Trx,
  workspace: string,
  { person, via }: Recipient,
  { subject, now }: { subject: string; now: Date },
) {
  const { id: connection, kind } = via
  // What we wrote last waits for the client, as after an automatic reply.
  const begun = { workspace, person, connection, kind, subject, at: now, automated: true }
  return openConversation(trx, begun)
}

export const routes = [
  change({
    method: 'POST',
    path: '/conversations',
    operationId: 'openConversation',
    summary: 'Open a conversation',
    description:
      'Queues a first message to a person, by id or by an address, in a conversation of its own. Exactly one of `person` and `to` is required, and at least one of `text` and `html`. An address that nobody has becomes a new person. Somebody who has unsubscribed may be written to by hand.',
    scopes: ['send'],
    action: 'message.queued',
    body: FirstLetter,
    example: {
      to: 'ana@example.test',
      via: 'con_01m5q8y2k7cv3',
      subject: 'Fridge Sensor: a question',
      text: 'How many cold rooms do you have?',
      signature: true,
    },
    response: z
      .object({
        conversation: Conversation.describe('The conversation.'),
        message: QueuedMessage.describe('Its first message.'),
      })
      .meta({ id: 'OpenedConversation' }),
    bodyLimit: filesBodyLimit,
    errors: [...sendErrors, 'file_too_large'],
    check: ({ body }) => checkFiles(body),
    prepare: ({ body }, { workspace }) => wordsOf(body, workspace.id),
    async handler({ body }, context, words) {
      const { db, workspace, clock, member } = context
      const now = clock.now()
      const sendAt = dueOf(body.sendAt, now, '/sendAt')
      const recipient = await recipientOf(context, body)
      const { person, address, via } = recipient
      if (await findSuppression(db, workspace.id, address))
        throw toSuppressed(body.person === undefined ? '/to' : '/person')
      const subject = body.subject ?? cut(plainLine(firstLine(words.text)), longestSubject)
      const conversation = await opened(db, workspace.id, recipient, { subject, now })
      const route = {
        kind: via.kind,
        via,
        to: address,
        member: member.id,
        secretKey: context.secretKey,
      }
      const lock = (ids: string[]) => lockFiles(db, workspace.id, ids)
      const letter = await composed(db, workspace.id, body, words, route, lock)
      const of = { conversation, subject, sendAt, now }
      const message = messageOf(context, route, letter, of)
      await insertQueuedMessage(db, message, letter.beside)
      await attach(db, { workspace: workspace.id, message: message.id }, letter)
      await withinQuotas(context, { queuedMessages: 1, bytes: true })
      const row = found(await findConversation(db, workspace.id, conversation), 'conversation')
      return {
        conversation: presentConversation(row),
        message: await announced(context, message, letter, person),
      }
    },
  }),
]
