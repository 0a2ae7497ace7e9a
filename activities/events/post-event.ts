import { type DeliveryRow, updateDelivery } from '../../db/events/deliveries.ts'
import { eventId } from '../../db/events/events.ts'
import { dataWith } from '../../db/events/external-ids.ts'
import { notify } from '../../db/events/notifications.ts'
import { type Served, webhookFails, webhookWorks } from '../../db/events/webhook-runners.ts'
import { disableWebhook, secretsOf } from '../../db/events/webhooks.ts'
import { type Exchange, exchange } from '../../process/network/exchange.ts'
import { refusedAs, webhookRequest } from '../../process/network/webhook.ts'
import { openThinning } from '../../process/telemetry/thinned.ts'
import type { Deps } from '../deps.ts'

const seconds = 1000
const minutes = 60 * seconds
const hours = 60 * minutes
// The delays that Standard Webhooks advises: some three days in all, so that an outage over a weekend loses nothing.
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
const longestMs = waits.reduce((sum, ms) => sum + ms)
// As long as one event is tried. If an address took nothing in all that time, the events after it are not tried for as long
// again.
const disabledAfterMs = 72 * hours
const timeoutMs = 15 * seconds

/**
 * Sends one event to a webhook once, and notes the outcome and when to try again. `counts`: a failure counts against the
 * address.
 */
export const postEvent = (deps: Deps) => {
  const { db, clock, log, secretKey, webhookAllowPrivate, crash, firstRestMs } = deps
  const often = openThinning()
  return async (webhook: Served, delivery: DeliveryRow, counts: boolean): Promise<void> => {
    const answer = await send(webhook, delivery)
    crash('after-post')
    await settle(webhook, delivery, answer, counts)
    crash('after-settled-post')
  }

  function send(webhook: Served, delivery: DeliveryRow): Promise<Exchange> {
    const id = eventId(delivery.event)
    const secrets = secretsOf(secretKey, webhook, clock.now())
    const publicOnly = !webhookAllowPrivate
    return exchange(
      webhookRequest(
        { url: webhook.url, secrets, timeoutMs, publicOnly },
        {
          id,
          type: delivery.kind,
          at: delivery.at,
          data: {
            ...dataWith(delivery),
            workspace: delivery.workspace,
            resource: delivery.resource,
          },
        },
      ),
    )
  }

  async function settle(
    webhook: Served,
    delivery: DeliveryRow,
    answer: Exchange,
    counts: boolean,
  ): Promise<void> {
    const now = clock.now()
    const status = answer.problem === null ? answer.status : null
    if (status !== null && status >= 200 && status < 300) {
      await db.transaction().execute(async (trx) => {
        const tried = { state: 'delivered' as const, status, problem: null }
        await updateDelivery(trx, delivery, { ...tried, triedAt: now, nextTryAt: null })
        await webhookWorks(trx, webhook)
      })
      return
    }
    const problem = answer.problem ?? refusedAs(status as number)
    if (status === 410) return give(delivery, { status, problem }, 'gone')
    const failing = await webhookFails(db, webhook, now, counts, firstRestMs)
    const since = failing?.failingSince ?? now
    if (now.getTime() - since.getTime() >= disabledAfterMs)
      return give(delivery, { status, problem }, 'failing')
    const delayMs = waits[delivery.attempts]
    // While the webhook rested, some tries may not have taken place.
    const age = now.getTime() - (delivery.since ?? delivery.createdAt).getTime()
    if (delayMs === undefined || age >= longestMs) return give(delivery, { status, problem })
    const nextTryAt = new Date(now.getTime() + delayMs)
    await updateDelivery(db, delivery, {
      state: 'queued',
      status,
      problem,
      triedAt: now,
      nextTryAt,
    })
    const told = often(`${webhook.id} ${problem} ${status}`)
    const line = { webhook: webhook.id, delivery: delivery.id, code: problem, status, nextTryAt }
    if (told)
      log.warn({ ...line, ...told }, 'the webhook has not accepted an event; the event is retried')
  }

  /** Ends a delivery as failed and, if the address is at fault for good, switches the webhook off. */
  async function give(
    delivery: DeliveryRow,
    why: { status: number | null; problem: string },
    disable?: 'gone' | 'failing',
  ): Promise<void> {
    const now = clock.now()
    await db.transaction().execute(async (trx) => {
      await updateDelivery(trx, delivery, {
        state: 'failed',
        ...why,
        triedAt: now,
        nextTryAt: null,
      })
      const off = disable && (await disableWebhook(trx, delivery.webhook, disable, now))
      if (off) await notify(trx, { ...off, at: now, kind: 'webhook.disabled', text: said[disable] })
    })
    const { webhook, id } = delivery
    const line = { webhook, delivery: id, code: why.problem, status: why.status }
    if (disable) log.warn({ ...line, reason: disable }, 'the webhook is switched off')
    else log.warn(line, 'the webhook has not accepted an event; the event is given up')
  }
}

const said = {
  gone: 'A webhook was switched off: its address answered that it is gone (410).',
  failing: 'A webhook was switched off: nothing could be delivered to it for three days.',
}
