import { type SqlBool, sql } from 'kysely'
import type { ChannelKind } from '../../rules/channels.ts'
import { touchSent } from '../campaigns/touch-life.ts'
import { lockTouch, shareCampaign } from '../campaigns/touch-sending.ts'
import { messageSent } from '../conversations/message-life.ts'
import { lockOutgoing } from '../conversations/message-sending.ts'
import type { Db, Trx } from '../database.ts'
import { newId } from '../ids.ts'
import { enqueueSignal } from '../operations/outbox.ts'

// Where a message that came in belongs, and what it proves about letters nobody has confirmed.

/**
 * The message of ours or theirs that these ids speak of, the nearest (last) reference first and one of the same account before
 * others. An id is a Message-ID, a bridge's own id or, through a bridge, the id we gave the message.
 */
export const findReferred = (db: Db, workspace: string, connection: string, ids: string[]) =>
  ids.length === 0
    ? undefined
    : db
        .selectFrom('messages')
        .innerJoin('conversations', 'conversations.id', 'messages.conversation')
        .select([
          'messages.conversation',
          'messages.messageId',
          'messages.at',
          'conversations.person',
        ])
        .where('messages.workspace', '=', workspace)
        .where((eb) =>
          eb.or([
            eb('messages.messageId', 'in', ids),
            eb.and([eb('messages.connection', '=', connection), eb('externalId', 'in', ids)]),
            eb.and([eb('messages.connection', '=', connection), eb('messages.id', 'in', ids)]),
          ]),
        )
        .orderBy(
          sql`greatest(array_position(${ids}::text[], messages.message_id),
            array_position(${ids}::text[], external_id), array_position(${ids}::text[], messages.id))`,
          'desc',
        )
        .orderBy(sql<SqlBool>`messages.connection = ${connection}`, 'desc')
        .limit(1)
        .executeTakeFirst()

const prefix = /^\s*(?:(?:re|aw|antw|sv|vs|odp|fw|fwd|wg|tr|rv|enc|res)(?:\[\d+\])?\s*[:：]\s*)+/i

/** A subject without the marks of replies and forwards; as it is where there is nothing else. */
export const bareSubject = (subject: string): string => subject.replace(prefix, '') || subject

/** And without its case and its spacing. */
export const normalSubject = (subject: string): string =>
  subject.replace(prefix, '').replace(/\s+/g, ' ').trim().toLowerCase()

const lookedAt = 50

/**
 * The person's latest conversation on an account that this continues: by its subject; a chat has none and is one, and what is
 * said aside goes to any.
 */
export async function findContinued(
  db: Db,
  where: {
    person: string
    connection: string
    kind: ChannelKind
    subject: string
    aside?: boolean | undefined
  },
): Promise<string | undefined> {
  const rows = await db
    .selectFrom('conversations')
    .select(['id', 'subject'])
    .where('person', '=', where.person)
    .where('connection', '=', where.connection)
    .orderBy('lastMessageAt', 'desc')
    .orderBy('id', 'desc')
    .limit(lookedAt)
    .execute()
  const subject = normalSubject(where.subject)
  const isOne = where.kind !== 'email' || where.aside
  return rows.find((row) => isOne || normalSubject(row.subject) === subject)?.id
}

export async function openConversation(
  trx: Trx,
  conversation: {
    workspace: string
    person: string
    connection: string
    kind: ChannelKind
    subject: string
    at: Date
    automated: boolean
  },
): Promise<string> {
  // Callers hand over more than this.
  const { workspace, person, connection, kind, subject, at, automated } = conversation
  const id = newId('cnv')
  const waitingFor = automated ? ('client' as const) : ('us' as const)
  await trx
    .insertInto('conversations')
    .values({
      id,
      workspace,
      person,
      connection,
      kind,
      subject,
      lastMessageAt: at,
      waitingSince: at,
      waitingFor,
    })
    .execute()
  return id
}

export type Unconfirmed = { touches: string[]; messages: string[]; people: string[] }

/**
 * What of ours these ids prove to have arrived although nobody said so yet. Locks the campaigns of letters against moves, so
 * it comes before the person is locked.
 */
export async function lockUnconfirmed(
  trx: Trx,
  workspace: string,
  ids: string[],
): Promise<Unconfirmed> {
  if (ids.length === 0) return { touches: [], messages: [], people: [] }
  const touches = await trx
    .selectFrom('touches')
    .select(['id', 'campaign', 'person'])
    .where('workspace', '=', workspace)
    .where('state', '=', 'sending')
    .where('messageId', 'in', ids)
    .orderBy('campaign')
    .execute()
  for (const { campaign } of touches) await shareCampaign(trx, campaign)
  const messages = await trx
    .selectFrom('messages')
    .select('id')
    .where('workspace', '=', workspace)
    .where('state', '=', 'sending')
    .where((eb) => eb.or([eb('messageId', 'in', ids), eb('id', 'in', ids)]))
    .orderBy('id')
    .execute()
  return {
    touches: touches.map(({ id }) => id),
    messages: messages.map(({ id }) => id),
    people: touches.map(({ person }) => person),
  }
}

/**
 * Takes them for sent, at the latest when the answer came. An automatic answer leaves a letter to its own workflow, which
 * plans the next one; after a person's answer there is none.
 */
export async function proveSent(
  trx: Trx,
  unconfirmed: Unconfirmed,
  { at, automated }: { at: Date; automated: boolean },
) {
  const sentAt = (claimedAt: Date | null) => (claimedAt && claimedAt < at ? claimedAt : at)
  for (const id of unconfirmed.touches) {
    const touch = await lockTouch(trx, id)
    if (touch?.state !== 'sending') continue
    if (!automated)
      await touchSent(trx, { letter: touch, attempt: null, now: sentAt(touch.claimedAt) })
    else if (touch.workflow) {
      const { workspace } = touch
      await enqueueSignal(trx, touch.workflow, 'changed', [], { workspace })
    }
  }
  for (const id of unconfirmed.messages) {
    const message = await lockOutgoing(trx, id)
    if (message?.state === 'sending')
      await messageSent(trx, { letter: message, attempt: null, now: sentAt(message.claimedAt) })
  }
}
