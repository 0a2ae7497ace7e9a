import { type DeliveryRow, findDelivery, updateDelivery } from '../db/deliveries.ts'
import { eventId } from '../db/events.ts'
import { unseal } from '../db/secrets.ts'
import { notify } from '../db/sending.ts'
import {
  disableWebhook,
  findWebhook,
  type WebhookRow,
  type WebhookSecrets,
  webhookFails,
  webhookWorks,
} from '../db/webhooks.ts'
import type { Deps } from './deps.ts'
import { type Exchange, exchange } from './exchange.ts'
import { signed } from './signature.ts'

/** What the workflow does next; the delay is milliseconds from the moment of the answer. */
export type DeliveryStep = { do: 'end' } | { do: 'wait'; until: string; delayMs: number }

export type DeliveryInput = { delivery: string; round: number }

const seconds = 1000
const minutes = 60 * seconds
const hours = 60 * minutes
// The waits that Standard Webhooks advises: some three days in all, so that a weekend's outage loses nothing.
const waits = [
  5 * seconds,
  5 * minutes,
  30 * minutes,
  2 * hours,
  5 * hours,
  10 * hours,
  14 * hours,
  20 * hours,
  24 * hours,
]
// As long as one event is tried: an address that took nothing in all that time is not tried for the next ones too.
const disabledAfterMs = 72 * hours
const timeoutMs = 15 * seconds
// The answer's body means nothing; a little is read so that the connection ends in order.
const answerLimit = 16 * 1024

export const deliverWebhookActivities = ({ db, clock, secretKey, webhookAllowPrivate }: Deps) => {
  return {
    /**
     * Sends an event to its webhook once, if it is due, and says when to try again. Safe to retry: a receiver knows an event
     * by its webhook-id, which is the same each time.
     */
    async tryDelivery(input: DeliveryInput): Promise<DeliveryStep> {
      const delivery = await findDelivery(db, input.delivery)
      if (delivery?.state !== 'queued' || delivery.round !== input.round) return { do: 'end' }
      const leftMs = (delivery.nextTryAt?.getTime() ?? 0) - clock.now().getTime()
      if (delivery.nextTryAt && leftMs > 0) return waitUntil(delivery.nextTryAt, leftMs)
      const webhook = await findWebhook(db, delivery.workspace, delivery.webhook)
      if (!webhook) return { do: 'end' }
      if (!webhook.enabled) return give(delivery, { status: null, problem: 'disabled' })
      return settle(delivery, await post(webhook, delivery))
    },
  }

  function post(webhook: WebhookRow, delivery: DeliveryRow): Promise<Exchange> {
    const id = eventId(delivery.event)
    const body = JSON.stringify({
      type: delivery.kind,
      timestamp: delivery.at.toISOString(),
      data: { ...delivery.data, id, workspace: delivery.workspace, resource: delivery.resource },
    })
    const { current, previous } = unseal<WebhookSecrets>(secretKey, webhook.secret)
    const both = previous && webhook.previousUntil && webhook.previousUntil > clock.now()
    return exchange({
      method: 'POST',
      url: webhook.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Postroom',
        ...signed(both ? [current, previous] : [current], id, body),
      },
      body,
      timeoutMs,
      answerLimit,
      publicOnly: !webhookAllowPrivate,
    })
  }

  async function settle(delivery: DeliveryRow, answer: Exchange): Promise<DeliveryStep> {
    const now = clock.now()
    const status = answer.problem === null ? answer.status : null
    if (status !== null && status >= 200 && status < 300) {
      await db.transaction().execute(async (trx) => {
        const tried = { state: 'delivered' as const, status, problem: null }
        await updateDelivery(trx, delivery, { ...tried, triedAt: now, nextTryAt: null })
        await webhookWorks(trx, delivery.webhook)
      })
      return { do: 'end' }
    }
    const problem = answer.problem ?? problemOf(status as number)
    if (status === 410) return give(delivery, { status, problem }, 'gone')
    const since = (await webhookFails(db, delivery.webhook, now))?.failingSince ?? now
    if (now.getTime() - since.getTime() >= disabledAfterMs)
      return give(delivery, { status, problem }, 'failing')
    const delayMs = waits[delivery.attempts]
    if (delayMs === undefined) return give(delivery, { status, problem })
    const nextTryAt = new Date(now.getTime() + delayMs)
    const tried = { state: 'queued' as const, status, problem, triedAt: now, nextTryAt }
    return (await updateDelivery(db, delivery, tried))
      ? waitUntil(nextTryAt, delayMs)
      : { do: 'end' }
  }

  /** Ends a delivery as failed and, where the address is at fault for good, switches the webhook off. */
  async function give(
    delivery: DeliveryRow,
    why: { status: number | null; problem: string },
    disable?: 'gone' | 'failing',
  ): Promise<DeliveryStep> {
    const now = clock.now()
    await db.transaction().execute(async (trx) => {
      await updateDelivery(trx, delivery, {
        ...{ state: 'failed', ...why, triedAt: now, nextTryAt: null },
      })
      const off = disable && (await disableWebhook(trx, delivery.webhook, disable, now))
      if (off) await notify(trx, { ...off, at: now, kind: 'webhook.disabled', text: said[disable] })
    })
    return { do: 'end' }
  }
}

const said = {
  gone: 'A webhook was switched off: its address answered that it is gone (410).',
  failing: 'A webhook was switched off: nothing could be delivered to it for three days.',
}

const problemOf = (status: number) => (status >= 300 && status < 400 ? 'redirect' : 'refused')

const waitUntil = (at: Date, delayMs: number): DeliveryStep => ({
  do: 'wait',
  until: at.toISOString(),
  delayMs,
})
