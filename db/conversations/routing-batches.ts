import { createHash } from 'node:crypto'
import type { Db, Trx } from '../database.ts'
import { recordEvent } from '../events/events.ts'
import { newId } from '../ids.ts'
import { endOperation } from '../operations/operations.ts'
import { type Handed, handOut, routedLine, tellOwner } from './routing.ts'

// One call that assigns conversations to owners. It visits those without an owner in the order of their ids, one page for each
// transaction; its cursor and counts are in its row, so that after a crash another worker continues after the last page.

export type NewBatch = {
  operation: string
  workspace: string
  rule: string | null
  since: Date | null
  cursor: string
  member: string
  client: { id: string; name: string }
}

export const insertBatch = (trx: Trx, { client, ...batch }: NewBatch) =>
  trx
    .insertInto('routingBatches')
    .values({ ...batch, clientId: client.id, clientName: client.name, handedTo: '{}' })
    .execute()

const lockBatch = (trx: Trx, operation: string) =>
  trx
    .selectFrom('routingBatches')
    .innerJoin('operations', 'operations.id', 'routingBatches.operation')
    .selectAll('routingBatches')
    .select(['operations.key', 'operations.endedAt'])
    .where('routingBatches.operation', '=', operation)
    .forUpdate('routingBatches')
    .executeTakeFirst()

type Batch = NonNullable<Awaited<ReturnType<typeof lockBatch>>>

function ahead(trx: Trx, batch: Pick<Batch, 'workspace' | 'cursor' | 'since'>) {
  const found = trx
    .selectFrom('conversations')
    .select('id')
    .where('workspace', '=', batch.workspace)
    .where('owner', 'is', null)
    .where('id', '>', batch.cursor)
    .orderBy('id')
  return batch.since ? found.where('lastMessageAt', '>=', batch.since) : found
}

/**
 * Reads the next page, assigns its conversations with an audit line each, and moves the cursor past it. False once the batch
 * has seen `most`, or nothing is left. The interface leaves open which states count: all do, so that a closed conversation has
 * its owner when the client writes again.
 */
export const handOutPage = (
  db: Db,
  operation: string,
  limits: { page: number; most: number },
  now: Date,
): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const batch = await lockBatch(trx, operation)
    if (!batch || batch.endedAt) return false
    const limit = Math.min(limits.page, limits.most - batch.seen)
    if (limit <= 0) return false
    // Messages may still arrive while the page is locked, so this is not FOR UPDATE, which would block rows that refer to it.
    const page = await ahead(trx, batch).limit(limit).forNoKeyUpdate().execute()
    const last = page.at(-1)
    if (!last) return false
    const ids = page.map(({ id }) => id)
    const handed = await handOut(trx, batch.workspace, ids, batch.rule)
    await insertLines(trx, batch, handed, now)
    const handedTo = { ...batch.handedTo }
    for (const { member, conversation } of handed)
      handedTo[member] = {
        first: conversation,
        ...handedTo[member],
        count: (handedTo[member]?.count ?? 0) + 1,
      }
    await trx
      .updateTable('routingBatches')
      .set({
        cursor: last.id,
        seen: batch.seen + page.length,
        handed: batch.handed + handed.length,
        handedTo: JSON.stringify(handedTo),
      })
      .where('operation', '=', operation)
      .execute()
    return true
  })

async function insertLines(trx: Trx, batch: Batch, handed: Handed[], now: Date) {
  if (handed.length === 0) return
  const { workspace, key, member, clientId, clientName } = batch
  await trx
    .insertInto('audit')
    .values(
      handed.map(routedLine).map(({ before, after, ...line }) => ({
        id: newId('aud'),
        workspace,
        at: now,
        member,
        clientId,
        clientName,
        key,
        ...line,
        before: JSON.stringify(before),
        after: JSON.stringify(after),
      })),
    )
    .execute()
  for (const { conversation, member: owner } of handed)
    await recordEvent(trx, {
      workspace,
      kind: 'conversation.routed',
      at: now,
      resource: conversation,
      data: { conversation, owner },
    })
}

/**
 * Ends a batch: each member who got something is notified once, and the call is answered with the counts and the place to
 * continue from, null if nothing is left. Ending it twice changes nothing.
 */
export const endBatch = (db: Db, operation: string, now: Date) =>
  db.transaction().execute(async (trx) => {
    const batch = await lockBatch(trx, operation)
    if (!batch || batch.endedAt) return
    const { workspace, handed, seen } = batch
    for (const [member, { count, first }] of Object.entries(batch.handedTo)) {
      const conversation = count === 1 ? first : null
      await tellOwner(trx, { workspace, member, conversations: count, conversation, now })
    }
    const left = await ahead(trx, batch).limit(1).executeTakeFirst()
    const result = {
      handed,
      seen,
      cursor: left ? continuation('cursor', workspace, batch.cursor) : null,
      floor: left ? continuation('floor', workspace, batch.since?.toISOString() ?? '') : null,
    }
    await endOperation(trx, operation, { state: 'done', status: 200, result }, now)
  })

type Part = 'cursor' | 'floor'

const markOf = (part: Part, workspace: string) =>
  createHash('sha256').update(`routing ${part} ${workspace}`).digest('base64url').slice(0, 8)

/** The cursor where a batch ended, as its caller sends it back: opaque, and recognised as one of this workspace's. */
const continuation = (part: Part, workspace: string, value: string) =>
  markOf(part, workspace) + Buffer.from(`.${value}`).toString('base64url')

/** The value in a cursor or floor of an earlier answer; undefined if it is not one of this workspace's. */
export function readContinuation(part: Part, workspace: string, text: string): string | undefined {
  const mark = markOf(part, workspace)
  if (!text.startsWith(mark)) return undefined
  const value = Buffer.from(text.slice(mark.length), 'base64url').toString('utf8').slice(1)
  if (continuation(part, workspace, value) !== text) return undefined
  const fits = part === 'cursor' ? /^[^\0]{0,255}$/ : /^$|^(?!0000)\d{4}-\d\d-\d\dT[\d:.]{12}Z$/
  if (!fits.test(value)) return undefined
  return part === 'floor' && value !== '' && Number.isNaN(Date.parse(value)) ? undefined : value
}
