import { followUpWeekdays, lastPlace } from '../../rules/campaign.ts'
import { addWeekdays } from '../../rules/hours.ts'
import { type ConnectionRow, findConnection } from '../accounts/connections.ts'
import { openConversation, waitForClient } from '../conversations/conversations.ts'
import type { Db, Trx } from '../database.ts'
import { notify } from '../events/notifications.ts'
import { newId } from '../ids.ts'
import { enqueueSignal } from '../operations/outbox.ts'
import {
  type Claim,
  claim,
  type Kind,
  type Marker,
  markDeferred,
  markFailed,
  markSent,
  markUnconfirmed,
  type Refusal,
} from '../outgoing/life.ts'
import { unconfirmedWords } from '../outgoing/unconfirmed.ts'
import { findAgentById } from '../workspace/agents.ts'
import { endLetters } from './leaving.ts'
import { planNextLetter } from './planning.ts'
import { lockTouch, shareCampaign } from './touch-sending.ts'
import { failTouches, findTouch, type TouchRow, touchHappened } from './touches.ts'

// The life of a campaign letter and what follows from its moves: the conversation it belongs to, the letter after it, and the
// runner, which does not wait for an unconfirmed letter.

type Of = Marker<TouchRow>

/**
 * Writes the marker of an attempt. False if the letter is no longer queued as it was read: with this person and text, and bound
 * to this account.
 */
export async function claimTouch(
  trx: Trx,
  touch: TouchRow,
  { epoch, ...marker }: Claim & { epoch: number },
): Promise<boolean> {
  const { id, person, writtenAt, connection } = touch
  const also = { epoch, heldFrom: null }
  const still = { person, writtenAt, connection }
  if (!(await claim(trx, { table: 'touches', id }, marker, also, still))) return false
  await trx
    .updateTable('connections')
    .set({ lastClaimAt: marker.now })
    .where('id', '=', marker.connection)
    .execute()
  return true
}

/**
 * The letter was sent: it joins the person's conversation on that account, or opens one. Answers the conversation. Call it with
 * the letter locked, because the person's card may have been split meanwhile.
 */
export async function touchSent(trx: Trx, marker: Of): Promise<string | undefined> {
  const { letter: touch, now } = marker
  const row = await markSent(trx, 'touches', marker)
  if (!row) return undefined
  const { connection } = row
  const conversation =
    touch.conversation ??
    (await findJoined(trx, touch, connection)) ??
    (await openConversation(trx, {
      workspace: touch.workspace,
      person: touch.person,
      connection,
      kind: 'email',
      subject: touch.subject ?? '',
      at: now,
      automated: true,
    }))
  const message = newId('msg')
  const sender = (await findConnection(trx, connection)) as ConnectionRow
  await trx
    .insertInto('messages')
    .values({
      id: message,
      workspace: touch.workspace,
      conversation,
      direction: 'outbound',
      senderName: sender.memberName,
      senderHandle: sender.account,
      toAddress: touch.toAddress ?? '',
      subject: touch.subject ?? '',
      text: touch.text ?? '',
      at: now,
      automated: true,
      agent: touch.agent,
      connection,
      state: 'sent',
      dueAt: touch.dueAt,
      sentAt: now,
      messageId: row.messageId,
      touch: touch.id,
    })
    .execute()
  await waitForClient(trx, conversation, now)
  await trx
    .updateTable('touches')
    .set({ conversation, message })
    .where('id', '=', touch.id)
    .execute()
  await touchHappened(trx, { ...touch, connection, conversation }, now, 'sent')
  if (touch.reason === 'unconfirmed') await wake(trx, touch)
  return conversation
}

/** The person's latest conversation on that account. */
async function findJoined(
  db: Db,
  { person }: TouchRow,
  connection: string,
): Promise<string | undefined> {
  const joined = await db
    .selectFrom('conversations')
    .select('id')
    .where('person', '=', person)
    .where('connection', '=', connection)
    .orderBy('lastMessageAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return joined?.id
}

/** The letter was sent: the next one is planned for its weekday, in the agent's zone. */
async function sent(trx: Trx, marker: Of) {
  const { letter: touch, now } = marker
  const conversation = await touchSent(trx, marker)
  if (!conversation || touch.place === lastPlace || touch.campaignState === 'done') return
  const agent = await findAgentById(trx, touch.agent)
  const zone = agent?.hours.zone ?? touch.timezone
  const weekdays = followUpWeekdays[(touch.place + 1) as 2 | 3]
  await planNextLetter(trx, touch, conversation, addWeekdays(zone, now, weekdays), now)
  // A person who left the segment while this letter was being sent gets no more.
  await endLetters(trx, touch.campaign, [touch.person], now)
}

async function failed(trx: Trx, marker: Of, { reason, code = null }: Refusal) {
  const { letter: touch, now } = marker
  if (!(await markFailed(trx, 'touches', marker, reason, { code }))) return
  await forgetClaim(trx, touch)
  await touchHappened(trx, touch, now, 'failed', reason)
}

/** Queues the letter again or, if the campaign has ended meanwhile, fails it with the others. */
async function deferred(trx: Trx, marker: Of, nextTryAt: Date | null) {
  const { letter: touch, now } = marker
  if (await markDeferred(trx, 'touches', marker, nextTryAt)) await forgetClaim(trx, touch)
  const { id, campaign, person } = touch
  if (touch.campaignState === 'done') await failTouches(trx, { id }, 'done', now)
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
      text: unconfirmedWords('a letter of a campaign', { ...row, account: account.account }),
      conversation: touch.conversation,
    })
  await touchHappened(trx, touch, now, 'unconfirmed')
  await wake(trx, touch)
}

// A letter that is or was unconfirmed: the runner continues without it, and the letter's own workflow may be parked. For any
// other letter, the runner waits only for the end of the letter's workflow.
async function wake(trx: Trx, touch: TouchRow) {
  if (touch.runner) await enqueueSignal(trx, touch.runner, 'changed')
  const { workspace } = touch
  if (touch.workflow) await enqueueSignal(trx, touch.workflow, 'changed', [], { workspace })
}

export const touchKind: Kind<TouchRow> = {
  table: 'touches',
  resource: 'touch',
  name: 'letter',
  find: findTouch,
  async lock(trx, { id, campaign }) {
    await shareCampaign(trx, campaign)
    return lockTouch(trx, id)
  },
  sent,
  failed,
  deferred,
  unconfirmed,
}
