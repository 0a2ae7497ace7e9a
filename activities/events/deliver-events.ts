import { giveUpQueued, listToRetry, listUntried } from '../../db/events/deliveries.ts'
import {
  beginSitting,
  endSitting,
  findServed,
  type Runner,
  rests,
  restsAfter,
  type Served,
} from '../../db/events/webhook-runners.ts'
import { heldWhyNow } from '../../db/holds.ts'
import { type Leave, openPlaces } from '../../process/limits/places.ts'
import { beating, cancelSignal } from '../common/heartbeat.ts'
import type { Deps } from '../deps.ts'
import { postEvent } from './post-event.ts'

/** What the workflow does next. The delay is in milliseconds from the moment of the answer. */
export type RunnerStep =
  | { do: 'again' }
  | { do: 'end' }
  | { do: 'wait'; for: 'retry' | 'rest' | 'turn'; until: string; delayMs: number }

// How many requests a receiver gets at once. It gets one at a time while it is not known whether it accepts any.
const atOnce = 4
// After this, the next webhook has its turn.
const sittingMs = 10_000
const givenUpAtOnce = 1_000
// How long a webhook waits before it asks again for a place while others of its workspace hold them all.
const turnMs = 3_000

export const deliverEventsActivities = (deps: Deps) => {
  const { db, clock } = deps
  const post = postEvent(deps)

  return {
    /**
     * Sends a webhook's due events for some seconds and says what is next. Safe to retry: each event's row notes that it was
     * sent, and the receiver recognises an event by its webhook-id, which stays the same.
     */
    async deliverEvents(runner: Runner): Promise<RunnerStep> {
      const giveBack = takePlace(runner.workspace, runner.webhook)
      if (!giveBack) return { do: 'wait', for: 'turn', ...fromNow(turnMs) }
      try {
        return await serve(runner)
      } finally {
        giveBack()
      }
    },
  }

  async function serve(runner: Runner): Promise<RunnerStep> {
    const webhook = await beginSitting(db, runner)
    if (!webhook) return { do: 'end' }
    await beating(() => sit(runner))
    const next = await endSitting(db, runner, clock.now())
    if (next.do !== 'wait') return next
    return { ...next, ...fromNow(next.until.getTime() - clock.now().getTime()) }
  }

  function fromNow(ms: number) {
    const delayMs = Math.max(1, ms)
    return { until: new Date(clock.now().getTime() + delayMs).toISOString(), delayMs }
  }

  async function sit(runner: Runner) {
    const endsAt = Date.now() + sittingMs
    const inHand = new Map<string, { again: boolean; sending: Promise<void> }>()
    const failed: unknown[] = []
    const over = () =>
      Date.now() >= endsAt || deps.stopping?.aborted || cancelSignal()?.aborted || failed.length > 0
    for (;;) {
      // Read before each try, because the webhook may have been edited, switched off or deleted.
      const webhook = over() ? undefined : await findServed(db, runner)
      if (webhook && !webhook.enabled) {
        if (await giveUpQueued(db, webhook.id, clock.now(), givenUpAtOnce)) continue
      } else if (webhook && !rests(webhook, clock.now())) {
        const probing = webhook.failures >= restsAfter
        const picked = await pick(webhook, inHand, probing ? 1 : atOnce)
        const isHeld = picked.length > 0 && (await heldWhyNow(db, runner.workspace)) !== null
        for (const delivery of isHeld ? [] : picked) {
          const again = delivery.nextTryAt !== null
          const sending = post(webhook, delivery, probing || !again)
            .catch((error) => void failed.push(error))
            .finally(() => inHand.delete(delivery.id))
          inHand.set(delivery.id, { again, sending })
        }
      }
      if (inHand.size === 0) break
      await Promise.race([...inHand.values()].map(({ sending }) => sending))
    }
    if (failed.length > 0) throw failed[0]
  }

  /**
   * The next deliveries, in the order of their events. One place is kept for retries, and they also get the places that new
   * deliveries leave free.
   */
  async function pick(webhook: Served, inHand: Map<string, { again: boolean }>, places: number) {
    const free = places - inHand.size
    if (free <= 0) return []
    const ids = [...inHand.keys()]
    const untried = await listUntried(db, webhook.id, free, ids)
    if (places === 1 && untried.length > 0) return untried
    const toRetry = await listToRetry(db, webhook.id, free, ids, clock.now())
    const retried = [...inHand.values()].some(({ again }) => again)
    const kept = Math.max(free - untried.length, retried ? 0 : 1)
    return [...toRetry.slice(0, kept), ...untried].slice(0, free)
  }
}

// Limits how many webhooks of one workspace a process serves at once, so that receivers which hang, of however many webhooks,
// leave places for other workspaces. Within the workspace, the webhook that has waited longest comes first. Nobody waits in this
// process: a webhook's workflow asks again later, and finds the place that was kept for it meanwhile.

const places = openPlaces({ name: 'webhooks', ofKey: 8 })
// A webhook that has not asked again for this long was served by another process, or is gone.
const forgottenAfterMs = 10_000

type Waiting = { place?: Leave; forget: AbortController; timer: NodeJS.Timeout }
const waiting = new Map<string, Waiting>()

/**
 * Takes a place for a webhook and returns the function that gives it back; undefined while no place is free: ask again in a
 * moment.
 */
export function takePlace(workspace: string, webhook: string): Leave | undefined {
  const one = waiting.get(webhook)
  if (!one) return places.takeFree(workspace) ?? wait(workspace, webhook)
  one.timer.refresh()
  if (!one.place) return undefined
  end(webhook, one)
  return one.place
}

function wait(workspace: string, webhook: string): undefined {
  const forget = new AbortController()
  const forgotten = () => {
    end(webhook, one)
    one.place?.()
    forget.abort()
  }
  const timer = setTimeout(forgotten, forgottenAfterMs).unref()
  const one: Waiting = { forget, timer }
  waiting.set(webhook, one)
  places.take(workspace, { signal: forget.signal }).then(
    (place) => {
      one.place = place
    },
    () => {},
  )
}

function end(webhook: string, { timer }: Waiting) {
  clearTimeout(timer)
  waiting.delete(webhook)
}
