import { type SqlBool, sql } from 'kysely'
import type { ChannelKind } from '../../rules/channels.ts'
import { isGeneral, normalSubject } from '../../rules/mail/subjects.ts'
import { touchSent } from '../campaigns/touch-life.ts'
import { lockTouch, shareCampaign } from '../campaigns/touch-sending.ts'
import { messageSent } from '../conversations/message-life.ts'
import { lockOutgoing } from '../conversations/message-sending.ts'
import type { Db, Trx } from '../database.ts'
import { enqueueSignal } from '../operations/outbox.ts'

// The conversation that an inbound message belongs to, and the unconfirmed letters that it proves to have arrived.

/**
 * The message of ours or theirs that these ids refer to: the nearest (last) reference first, and one of the same account before
 * others. An id is a Message-ID, a bridge's own id or, through a bridge, our id of the message.
 */
export const findReferred = (
  db: Db,
  workspace: string,
  connection: string,
  ids: string[],
  /** Only in conversations of this person. */
  person?: string,
) =>
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
        // Who was erased and writes again begins anew.
        .where(
          sql<SqlBool>`not exists (select from people where people.id = conversations.person and erased_at is not null)`,
        )
        .where((eb) =>
          eb.or([
            eb('messages.messageId', 'in', ids),
            // Each direction has an index of its own, which a plan for any direction cannot use.
            ...(['inbound', 'outbound'] as const).map((direction) =>
              eb.and([
                eb('messages.connection', '=', connection),
                sql<SqlBool>`messages.direction = ${sql.lit(direction)}`,
                eb('externalId', 'in', ids),
              ]),
            ),
            eb.and([eb('messages.connection', '=', connection), eb('messages.id', 'in', ids)]),
          ]),
        )
        .$if(person !== undefined, (q) => q.where('conversations.person', '=', person as string))
        .orderBy(
          sql`greatest(array_position(${ids}::text[], messages.message_id),
            array_position(${ids}::text[], external_id), array_position(${ids}::text[], messages.id))`,
          'desc',
        )
        .orderBy(sql<SqlBool>`messages.connection = ${connection}`, 'desc')
        .limit(1)
        .executeTakeFirst()

const lookedAt = 50
// A subject comes again when its matter has long been settled: "Cold room" of another year is another cold room.
const together = '6 weeks'

/**
 * The person's latest conversation on an account that this message continues although it refers to nothing: for mail, by a subject
 * that says something, if somebody wrote there within some weeks. One that was closed as spam is never continued. A chat has no
 * subject and is a single conversation, and a message about something else joins any.
 */
export async function findContinued(
  db: Db,
  where: {
    person: string
    connection: string
    kind: ChannelKind
    subject: string
    at: Date
    aside?: boolean | undefined
    /** A subject such as "Invoice" counts too. */
    evenGeneral?: boolean
  },
): Promise<string | undefined> {
  const { person, connection, kind, at, aside, evenGeneral } = where
  const isMail = kind === 'email'
  const subject = normalSubject(where.subject)
  if (isMail && !aside && (subject === '' || (!evenGeneral && isGeneral(subject)))) return undefined
  const rows = await db
    .selectFrom('conversations')
    .select(['id', 'subject'])
    .where('person', '=', person)
    .where('connection', '=', connection)
    .$if(isMail, (q) =>
      q.where(sql<SqlBool>`not (state = 'closed' and coalesce(reason, '') = 'spam')`),
    )
    .$if(isMail && !aside, (q) =>
      q.where(
        sql<SqlBool>`exists (select from messages where messages.conversation = conversations.id
          and messages.at between ${at}::timestamptz - ${together}::interval and ${at}::timestamptz + ${together}::interval)`,
      ),
    )
    .orderBy('lastMessageAt', 'desc')
    .orderBy('id', 'desc')
    .limit(lookedAt)
    .execute()
  return rows.find((row) => !isMail || aside || normalSubject(row.subject) === subject)?.id
}

export type Unconfirmed = {
  touches: string[]
  messages: string[]
  people: string[]
  /** The Message-ID of a letter of a campaign among them. */
  messageId?: string | null | undefined
}

/**
 * The letters of ours that these ids prove to have arrived although they are unconfirmed. It locks their campaigns against
 * moves, so call it before the person is locked.
 */
export async function lockUnconfirmed(
  trx: Trx,
  workspace: string,
  ids: string[],
): Promise<Unconfirmed> {
  if (ids.length === 0) return { touches: [], messages: [], people: [] }
  const touches = await trx
    .selectFrom('touches')
    .select(['id', 'campaign', 'person', 'messageId'])
    .where('workspace', '=', workspace)
    // Literal, as the index has it: a plan for any values could not use it.
    .where('state', '=', sql.lit('sending'))
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
    messageId: touches[0]?.messageId,
  }
}

/**
 * Takes these letters as sent, no later than when the answer came. After an automatic answer, this is left to the letter's own
 * workflow, which plans the next letter; after a person's answer there is no next letter.
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
