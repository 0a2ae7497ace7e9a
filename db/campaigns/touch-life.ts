import { sql } from 'kysely'
import { weekdaysBefore } from '../../rules/campaign.ts'
import { addWeekdays } from '../../rules/hours.ts'
import type { LetterHead } from '../../rules/outgoing.ts'
import { findConnection, takingUnit } from '../accounts/connections.ts'
import { compiledPerShape } from '../compiled.ts'
import { waitingForClient } from '../conversations/conversations.ts'
import { conversationLexemes, intoWords, messageLexemes } from '../conversations/search-words.ts'
import type { Trx } from '../database.ts'
import { deliveryRows, newDeliveries, tellingOf } from '../events/deliveries.ts'
import { eventOfMoved } from '../events/events.ts'
import { notify } from '../events/notifications.ts'
import { newId } from '../ids.ts'
import { enqueueSignal } from '../operations/outbox.ts'
import { enqueueWake } from '../operations/wakes.ts'
import { startParked } from '../outgoing/letters-in-hand.ts'
import {
  type Claim,
  claiming,
  type Kind,
  type Marker,
  markDeferred,
  markFailed,
  markingSent,
  markUnconfirmed,
  type Refusal,
} from '../outgoing/life.ts'
import { unconfirmedWords } from '../outgoing/unconfirmed.ts'
import { endLetters, membership } from './leaving.ts'
import {
  aboutTouch,
  failTouches,
  findTouch,
  type TouchRow,
  toldOf,
  touchHappened,
  touchRows,
} from './touches.ts'
import { nextTurn } from './turns.ts'

// The life of a campaign letter and what follows from its moves: the conversation it belongs to, the letter after it, and the
// runner, which does not wait for an unconfirmed letter.

type Of = Marker<TouchRow>

/**
 * Writes the marker of an attempt, takes a unit of the account's day and notes when the account was last used, in one
 * statement; its campaign books the next turn of the account. False if the letter is no longer queued as it was read: with this
 * person and text, and bound to this account. `head` is kept for the copy in Sent.
 */
export async function claimTouch(
  trx: Trx,
  touch: TouchRow,
  { epoch, head, ...marker }: Claim & { epoch: number; head: LetterHead },
): Promise<boolean> {
  const { id, person, writtenAt, connection } = touch
  const also = { epoch, heldFrom: null, workflow: null, head: JSON.stringify(head) }
  const still = { person, writtenAt, connection }
  const { rows } = await sql`
    with claimed as (${claiming(trx, { table: 'touches', id }, marker, also, still).returning('id')}),
    unit as (${takingUnit(trx, marker.connection, marker.day, 'claimed')}),
    used as (
      update connections set last_claim_at = ${marker.now}
      where id = ${marker.connection} and exists (select from claimed)),
    turn as (${nextTurn(marker.connection, touch.campaign, marker.now)})
    select id from claimed`.execute(trx)
  return rows.length > 0
}

type Settling = NonNullable<Awaited<ReturnType<typeof findSettling>>>

/** A letter with what its settlement needs to know. It is read with the campaign and the letter locked. */
const findSettling = async (trx: Trx, id: string) => (await settlingOf(trx, { id })).at(0)

const settlingOf = compiledPerShape((db, { id }: { id: string }) =>
  touchRows(db)
    .leftJoin('connections as account', 'account.id', 'touches.connection')
    .leftJoin('members as sender', 'sender.id', 'account.member')
    .leftJoin('agents as writer', 'writer.id', 'campaigns.agent')
    .select(['sender.name as senderName', 'account.account as senderHandle'])
    .select([
      sql<string | null>`writer.hours ->> 'zone'`.as('zone'),
      // The person's latest conversation on that account.
      sql<
        string | null
      >`(select id from conversations where person = touches.person and connection = touches.connection
        order by last_message_at desc limit 1)`.as('joined'),
      sql<boolean>`campaigns.segment is null or coalesce(${membership('touches', 'campaigns')}, false)`.as(
        'belongs',
      ),
    ])
    .where('touches.id', '=', id)
    .compile(),
)

/**
 * The letter was sent: it joins the person's conversation on that account, or opens one. Answers the conversation. Call it with
 * the letter locked, because the person's card may have been split meanwhile. With `plans`, the next letter is planned for its
 * weekday, in the agent's zone.
 */
export async function touchSent(trx: Trx, marker: Of, plans = false): Promise<string | undefined> {
  const { letter: touch, now } = marker
  const known = 'belongs' in touch ? (touch as Settling) : await findSettling(trx, touch.id)
  if (!known) return undefined
  const { workspace, campaign, person, place, connection } = touch
  const existing = touch.conversation ?? known.joined
  const conversation = existing ?? newId('cnv')
  const message = newId('msg')
  const weekdays = weekdaysBefore(place + 1, touch)
  const follows = plans && weekdays !== undefined && touch.campaignState !== 'done'
  const dueAt = follows ? addWeekdays(known.zone ?? touch.timezone, now, weekdays) : now
  const data = toldOf({ ...touch, conversation, message }, 'sent', null)
  const [moved] = await sentOf(
    trx,
    {
      ...{ id: touch.id, attempt: marker.attempt, now, kind: 'touch.sent', follows },
      ...{ workspace, campaign, person, conversation, message, isNew: existing === null },
      ...{ next: newId('tch'), nextPlace: place + 1, dueAt: touch.dueAt, nextDueAt: dueAt },
      ...{ senderName: known.senderName ?? '', senderHandle: known.senderHandle ?? '' },
      ...{ toAddress: touch.toAddress ?? '', subject: touch.subject ?? '', text: touch.text ?? '' },
      html: touch.html,
      messageLexemes: messageLexemes({
        workspace,
        subject: touch.subject ?? '',
        text: touch.text ?? '',
      }),
      lexemes: conversationLexemes({ workspace, subject: touch.subject ?? '' }),
      ...{ agent: touch.agent, data: JSON.stringify({ ...data, connection }) },
      deliveries: newDeliveries(),
    },
    marker.attempt === null ? 'any' : 'own',
  )
  if (!moved) return undefined
  if (touch.reason === 'unconfirmed') await wake(trx, touch)
  // A person who left the segment while this letter was being sent gets no more.
  if (follows && !known.belongs) await endLetters(trx, campaign, [person], now)
  return conversation
}

/** What `touchSent` writes down, in one statement; under any marker, or under that of an attempt alone. */
const sentOf = compiledPerShape((db, values: Sending, shape: 'any' | 'own') => {
  const { id, attempt, now, kind, follows, workspace, campaign, person, conversation } = values
  const { message, isNew, next, nextPlace, dueAt, nextDueAt, agent, data } = values
  const { senderName, senderHandle, toAddress, subject, text, html, deliveries } = values
  const { messageLexemes: said, lexemes } = values
  const letter = { id } as TouchRow
  const marker = { letter, attempt: shape === 'any' ? null : attempt, now }
  return sql<{ id: string }>`
      with moved as (${markingSent(db, 'touches', marker, { conversation, message })}),
      opened as (
        insert into conversations
          (id, workspace, person, connection, kind, subject, last_message_at, waiting_since, waiting_for)
        select ${conversation}, ${workspace}, ${person}, moved.connection, 'email', ${subject}, ${now}::timestamptz,
          ${now}::timestamptz, 'client'
        from moved where ${isNew}),
      waiting as (${waitingForClient(conversation, now)}),
      said as (
        insert into messages (id, workspace, conversation, direction, sender_name, sender_handle, to_address, subject, text, html,
          at, automated, agent, connection, state, due_at, sent_at, message_id, touch)
        select ${message}, ${workspace}, ${conversation}, 'outbound', ${senderName}, ${senderHandle},
          ${toAddress}, ${subject}, ${text}, ${html}, ${now}::timestamptz, true, ${agent},
          moved.connection, 'sent', ${dueAt}::timestamptz, ${now}::timestamptz, moved.message_id, moved.id
        from moved),
      words as (
        insert into ${intoWords}
        select 'message', ${message}, ${workspace}, ${conversation}, ${now}::timestamptz, 0, ${said}::tsvector from moved
        union all
        select 'conversation', ${conversation}, ${workspace}, ${conversation}, ${now}::timestamptz, 0, ${lexemes}::tsvector
        from moved where ${isNew}),
      following as (
        insert into touches (id, workspace, campaign, person, place, state, due_at, connection, conversation, created_at)
        select ${next}, ${workspace}, ${campaign}, ${person}, ${nextPlace}::int, 'queued', ${nextDueAt}::timestamptz,
          moved.connection, ${conversation}, ${now}::timestamptz
        from moved where ${follows}
        on conflict (campaign, person, place) do nothing),
      told as (${eventOfMoved({ workspace, kind, at: now, data })}),
      queued as (${deliveryRows(workspace, deliveries)})
      select id, ${tellingOf(workspace)} from moved`.compile(db)
})

type Sending = {
  id: string
  attempt: string | null
  now: Date
  kind: string
  workspace: string
  campaign: string
  person: string
  agent: string | null
  conversation: string
  isNew: boolean
  message: string
  senderName: string
  senderHandle: string
  toAddress: string
  subject: string
  text: string
  html: string | null
  messageLexemes: string
  lexemes: string
  dueAt: Date
  data: string
  follows: boolean
  next: string
  nextPlace: number
  nextDueAt: Date
  deliveries: string
}

/** The letter was sent, and the next one is planned. */
const sent = (trx: Trx, marker: Of) => touchSent(trx, marker, true)

async function failed(trx: Trx, marker: Of, { reason, code = null, said = null }: Refusal) {
  const { letter: touch, now } = marker
  if (!(await markFailed(trx, 'touches', marker, reason, { code, said }))) return
  await forgetClaim(trx, touch)
  await touchHappened(trx, touch, now, 'failed', reason)
}

/** Queues the letter again or, if the campaign has ended or another letter has its place meanwhile, fails it. */
async function deferred(trx: Trx, marker: Of, nextTryAt: Date | null) {
  const { letter: touch, now } = marker
  if (await markDeferred(trx, 'touches', marker, nextTryAt)) await forgetClaim(trx, touch)
  const { id, campaign, person } = touch
  if (touch.campaignState === 'done') await failTouches(trx, { id }, 'done', now)
  else if (touch.place < 1) await failTouches(trx, { id }, 'skipped', now)
  else await endLetters(trx, campaign, [person], now)
}

// The person may get another letter that day after all.
async function forgetClaim(trx: Trx, touch: TouchRow) {
  await trx
    .updateTable('touches')
    .set({ claimedDay: null, claimedAt: null })
    .where('id', '=', touch.id)
    .execute()
  if (touch.reason === 'unconfirmed') await wake(trx, touch)
}

/** Nobody knows whether the letter was accepted: the member of its account is notified. */
async function unconfirmed(trx: Trx, marker: Of) {
  const { letter: touch, now } = marker
  const row = await markUnconfirmed(trx, 'touches', marker)
  if (!row) return
  const account = await findConnection(trx, row.connection)
  if (account)
    await notify(trx, {
      workspace: touch.workspace,
      member: account.member,
      at: now,
      kind: 'touch.unconfirmed',
      text: unconfirmedWords(
        'a letter of a campaign',
        { ...row, account: account.account },
        `/campaigns/${touch.campaign}/touches/${touch.id}/resolve`,
      ),
      conversation: touch.conversation,
    })
  await touchHappened(trx, touch, now, 'unconfirmed')
  // A letter that its campaign's runner sent gets a workflow now, which waits for the person's decision.
  if (touch.workflow === null) await startParked(trx, touch)
  await wake(trx, touch)
}

// A letter that is or was unconfirmed: the runner continues without it, and the letter's own workflow may be parked.
async function wake(trx: Trx, touch: TouchRow) {
  if (touch.runner) await enqueueWake(trx, touch.runner, 'letters')
  const { workspace } = touch
  if (touch.workflow) await enqueueSignal(trx, touch.workflow, 'changed', [], { workspace })
}

export const touchKind: Kind<TouchRow> = {
  table: 'touches',
  resource: 'touch',
  name: 'letter',
  find: findTouch,
  about: aboutTouch,
  // Rows are locked in the order in which they are named.
  async lock(trx, { id }) {
    await sql`select from touches t join campaigns c on c.id = t.campaign where t.id = ${id}
      for share of c for update of t`.execute(trx)
    return findSettling(trx, id)
  },
  sent,
  failed,
  deferred,
  unconfirmed,
}
