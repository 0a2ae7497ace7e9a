import { type Selectable, type SqlBool, sql } from 'kysely'
import type { Db } from '../database.ts'
import { enqueueStart } from '../operations/outbox.ts'
import type { Schema } from '../schema.ts'
import { isLeased } from './leases.ts'

// Campaign letters and mails about meetings that were handed over, or may have been, and have no outcome yet. No operation
// waits for them, so nobody would notice if the workflow were lost that settles them or waits for a person's `resolve`.

// Claimed by an attempt that has not renewed its lease for a minute, or unconfirmed.
const isLeft = sql<SqlBool>`(reason = 'unconfirmed' or
  (reason is null and coalesce(leased_until, '-infinity') < clock_timestamp() - interval '1 minute'))`

/** By id after `after`. */
export const listTouchesInHand = (db: Db, after: string, limit: number) =>
  db
    .selectFrom('touches')
    .select(['id', 'workspace', 'campaign', 'person', 'connection', 'epoch', 'workflow', 'reason'])
    // Literal, as an index has it, so that it is not looked for in the order of all letters that there are.
    .where('state', '=', sql.lit('sending'))
    .where('id', '>', after)
    .where(isLeft)
    .orderBy('id')
    .limit(limit)
    .execute()

/**
 * Letters of a campaign that were claimed and have no outcome yet. `leased`: the attempt that has claimed it is at work.
 */
export const listClaimed = (db: Db, campaign: string) =>
  db
    .selectFrom('touches')
    .select(['id', 'epoch', 'connection'])
    .select(isLeased.as('leased'))
    .where('campaign', '=', campaign)
    .where('state', '=', 'sending')
    .where('reason', 'is', null)
    .orderBy('id')
    .execute()

/** The unconfirmed mails about meetings; listUnsettledInvitations finds the others. */
export const listInvitationsInHand = (db: Db, after: string, limit: number) =>
  db
    .selectFrom('invitations')
    .select(['id', 'workspace', 'reason'])
    .where('state', '=', 'sending')
    .where('reason', '=', 'unconfirmed')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

type TouchInHand = Pick<
  Selectable<Schema['touches']>,
  'id' | 'workspace' | 'campaign' | 'person' | 'connection' | 'epoch' | 'workflow'
>

/**
 * The id of the workflow of a letter, whether or not it has one. It names the epoch too, in which the letter was claimed: under a
 * later one the same letter may be unconfirmed again.
 */
export const parkedIn = ({ id, epoch, workflow }: Pick<TouchInHand, 'id' | 'epoch' | 'workflow'>) =>
  workflow ?? `${id}-e${epoch ?? 0}`

/**
 * Starts the workflow in which an unconfirmed letter waits for `resolve`, whatever became of an earlier one: the row ensures
 * that the letter goes only once.
 */
export async function startParked(trx: Db, touch: TouchInHand) {
  const workflow = parkedIn(touch)
  const { id, workspace, campaign, person, connection } = touch
  await trx.updateTable('touches').set({ workflow }).where('id', '=', id).execute()
  await enqueueStart(trx, {
    type: 'deliverTouch',
    workflowId: workflow,
    args: [{ campaign, touch: id }],
    attributes: {
      Workspace: workspace,
      Campaign: campaign,
      Person: person,
      ...(connection && { Connection: connection }),
    },
    restart: true,
  })
}

const columns = ['id', 'workspace', 'state', 'reason', 'connection', 'messageId'] as const

export type LetterInHand = NonNullable<Awaited<ReturnType<typeof findLetterInHand>>>

/** A letter, message or invitation by its id, or the message of an operation; undefined if there is none. */
export async function findLetterInHand(db: Db, by: { id: string } | { operation: string }) {
  if ('operation' in by) return findMessageInHand(db, 'messages.operation', by.operation)
  const { id } = by
  if (id.startsWith('tch_')) {
    const touches = db.selectFrom('touches').select([...columns, 'workflow'])
    const row = await touches.where('id', '=', id).executeTakeFirst()
    return row && { ...row, table: 'touches' as const, operation: null }
  }
  if (id.startsWith('inv_')) {
    const invitations = db.selectFrom('invitations').select(columns)
    const row = await invitations.where('id', '=', id).executeTakeFirst()
    return row && { ...row, table: 'invitations' as const, workflow: id, operation: null }
  }
  return id.startsWith('msg_') ? findMessageInHand(db, 'messages.id', id) : undefined
}

async function findMessageInHand(
  db: Db,
  column: 'messages.id' | 'messages.operation',
  value: string,
) {
  const row = await db
    .selectFrom('messages')
    .leftJoin('operations', 'operations.id', 'messages.operation')
    .select(['messages.id', 'messages.workspace', 'messages.state', 'messages.reason'])
    .select(['messages.connection', 'messages.messageId', 'messages.operation'])
    .select('operations.waitingFor')
    .where(column, '=', value)
    .executeTakeFirst()
  if (!row) return undefined
  const { operation, waitingFor, ...message } = row
  return {
    ...message,
    table: 'messages' as const,
    workflow: operation,
    operation: operation === null ? null : { id: operation, waitingFor },
  }
}
