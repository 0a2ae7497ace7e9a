import { type Kysely, type SqlBool, sql } from 'kysely'
import { forgetFrom } from '../accounts/sandbox-letters.ts'
import { invitationKind } from '../calendar/invitation-life.ts'
import { touchKind } from '../campaigns/touch-life.ts'
import { messageKind } from '../conversations/message-life.ts'
import { voidPrepared } from '../conversations/prepared.ts'
import type { Trx } from '../database.ts'
import { enqueueSignal } from '../operations/outbox.ts'
import type { LetterRow } from '../outgoing/letters.ts'
import type { Kind } from '../outgoing/life.ts'
import type { Schema } from '../schema.ts'
import { cancelWaiting } from './begin.ts'
import type { Page, Work } from './work.ts'

// The letters to somebody who is erased: those in flight end first, then nothing is left of what they said.

type Sending = { id: string; kind: 'touch' | 'message' | 'invitation'; unconfirmed: boolean }

/**
 * Ends what was queued meanwhile, and waits for what is being sent. Of what nobody knows whether it was sent, nobody will be asked
 * any more: it counts as failed.
 */
export async function endLetters(work: Work): Promise<Page> {
  const { trx, workspace, sought, now } = work
  await voidPrepared(trx, workspace)
  for (const workflow of await cancelWaiting(trx, workspace, sought, now))
    await enqueueSignal(trx, workflow, 'changed', [], { workspace })
  await forgetFrom(
    trx,
    workspace,
    sought.addresses.map(({ value }) => value),
  )
  const sending = await listSending(work)
  for (const { id, kind } of sending.filter(({ unconfirmed }) => unconfirmed)) {
    if (kind === 'touch') await giveUp(trx, touchKind, id, now)
    else if (kind === 'message') await giveUp(trx, messageKind, id, now)
    else await giveUp(trx, invitationKind, id, now)
  }
  return sending.some(({ unconfirmed }) => !unconfirmed) ? 'wait' : undefined
}

async function listSending({ trx, workspace, sought }: Work): Promise<Sending[]> {
  const { people, addresses } = sought
  const emails = addresses.map(({ value }) => value)
  const unconfirmed = sql`coalesce(reason = 'unconfirmed', false) as unconfirmed`
  const { rows } = await sql<Sending>`
    select id, 'touch' as kind, ${unconfirmed} from touches
      where workspace = ${workspace} and person = any(${people}::text[]) and state = 'sending'
    union all
    select id, 'message', ${unconfirmed} from messages
      where workspace = ${workspace} and state = 'sending' and conversation in (
        select c.id from conversations c where c.workspace = ${workspace} and c.person = any(${people}::text[]))
    union all
    select id, 'invitation', ${unconfirmed} from invitations
      where workspace = ${workspace} and state = 'sending' and lower(address) = any(${emails}::text[])`.execute(
    trx,
  )
  return rows
}

async function giveUp<Row extends LetterRow>(trx: Trx, kind: Kind<Row>, id: string, now: Date) {
  const read = await kind.find(trx, id)
  const letter = read && (await kind.lock(trx, read))
  if (letter) await kind.failed(trx, { letter, attempt: null, now }, { reason: 'unconfirmed' })
}

const lettersAtOnce = 100

/** What the letters of campaigns to them said. */
export async function eraseTouches(
  { trx, workspace, sought }: Work,
  after: unknown,
): Promise<Page> {
  const rows = await trx
    .selectFrom('touches')
    .select('id')
    .where('workspace', '=', workspace)
    .where(sql<SqlBool>`person = any(${sought.people}::text[])`)
    .where('id', '>', (after as string | null) ?? '')
    .orderBy('id')
    .limit(lettersAtOnce)
    .execute()
  const ids = rows.map(({ id }) => id)
  // A trigger keeps words that somebody wrote for their person.
  await touchesOf(trx, workspace, ids).set({ ownWords: false }).execute()
  await touchesOf(trx, workspace, ids)
    .set({ toAddress: null, subject: null, text: null, html: null, missing: null, said: null })
    .set({ messageId: null, head: null })
    .execute()
  return ids.length < lettersAtOnce ? undefined : { after: ids.at(-1) }
}

const touchesOf = (trx: Kysely<Schema>, workspace: string, ids: string[]) =>
  trx
    .updateTable('touches')
    .where('workspace', '=', workspace)
    .where(sql<SqlBool>`id = any(${ids}::text[])`)
