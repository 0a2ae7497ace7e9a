import { type SqlBool, sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { isHeld } from '../holds.ts'
import { inMs } from '../instants.ts'
import { bulk, enqueueSignal, enqueueStart } from '../operations/outbox.ts'
import { existsDelivery, findNextTry } from './deliveries.ts'

// The workflow that sends events to a webhook. The webhook's row says whether the workflow exists: anyone who changes that, or
// decides from it that there is nothing to do, holds the row's lock, so that no event is left to a workflow that has just
// ended.

/** One run of a webhook's workflow. A run with an older epoch than the row's has been replaced. */
export type Runner = { workspace: string; webhook: string; epoch: number }

/** Scope: the webhook and the epoch, because the id of a closed workflow cannot be used again. */
export const runnerWorkflowId = (webhook: string, epoch: number): string => `${webhook}-e${epoch}`

// Each start has a cost for the cluster, so a workspace may cause only this many a second, however many webhooks it has.
const spacingMs = 200

/**
 * Makes sure that a workflow runs for whatever is queued in a workspace. False if another transaction has locked a row: look
 * again soon. Call it after the commit of what was queued; calling it twice is harmless.
 */
export const wakeRunners = (db: Db, workspace: string): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const waiting = await trx
      .selectFrom('webhooks')
      .select('id')
      .where('workspace', '=', workspace)
      .where(({ not }) => not(isHeld(workspace)))
      .where((eb) =>
        eb.or([
          existsDelivery('untried'),
          eb.and([eb('runner', '=', 'none'), existsDelivery('to retry')]),
        ]),
      )
      .execute()
    if (waiting.length === 0) return true
    const ids = waiting.map(({ id }) => id)
    const webhooks = await trx
      .selectFrom('webhooks')
      .select(['id', 'runner', 'epoch', 'wokenAt'])
      .where('workspace', '=', workspace)
      .where('id', 'in', ids)
      .orderBy('id')
      .forNoKeyUpdate()
      .skipLocked()
      .execute()
    const idle = webhooks.filter(({ runner }) => runner === 'none' || runner === 'waiting')
    if (idle.length === 0) return webhooks.length === ids.length
    const { last, now } = await trx
      .selectFrom('webhooks')
      .select(({ fn }) => [fn.max('wokenAt').as('last'), sql<Date>`clock_timestamp()`.as('now')])
      .where('workspace', '=', workspace)
      .executeTakeFirstOrThrow()
    let at = Math.max(now.getTime(), (last?.getTime() ?? 0) + spacingMs)
    // The webhook that was woken least recently comes first.
    idle.sort((a, b) => (a.wokenAt?.getTime() ?? 0) - (b.wokenAt?.getTime() ?? 0))
    for (const { id, runner, epoch } of idle) {
      const notBefore = new Date(at)
      at += spacingMs
      const woken = { workspace, webhook: id, epoch: runner === 'none' ? epoch + 1 : epoch }
      await trx
        .updateTable('webhooks')
        .set({ runner: 'working', epoch: woken.epoch, wokenAt: notBefore })
        .where('workspace', '=', workspace)
        .where('id', '=', id)
        .execute()
      if (runner === 'none') await startRunner(trx, woken, notBefore)
      else await tellRunner(trx, woken, notBefore)
    }
    return webhooks.length === ids.length
  })

const startRunner = (trx: Trx, runner: Runner, notBefore: Date) =>
  enqueueStart(trx, {
    type: 'deliverEvents',
    workflowId: runnerWorkflowId(runner.webhook, runner.epoch),
    args: [runner],
    attributes: { Workspace: runner.workspace },
    priority: bulk,
    notBefore,
  })

const tellRunner = (trx: Trx, { workspace, webhook, epoch }: Runner, notBefore?: Date) =>
  enqueueSignal(trx, runnerWorkflowId(webhook, epoch), 'changed', [], {
    workspace,
    priority: bulk,
    ...(notBefore && { notBefore }),
  })

/**
 * Has the workflow of a webhook, if there is one, look again, because the webhook was edited or is being deleted. Hold the
 * row's lock.
 */
export async function interruptRunner(
  trx: Trx,
  webhook: { id: string; workspace: string; epoch: number; runner: string },
) {
  const { id, workspace, epoch } = webhook
  const there = webhook.runner !== 'none'
  await trx
    .updateTable('webhooks')
    .set({ restsUntil: null, ...(there && { runner: 'working' }) })
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .execute()
  if (there) await tellRunner(trx, { workspace, webhook: id, epoch })
}

/** Workspaces with queued deliveries that no workflow attends to, and that are not held. */
export async function listToWake(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('webhooks')
    .select('workspace')
    .distinct()
    .where(({ not }) => not(isHeld(sql.ref('webhooks.workspace'))))
    .where((eb) =>
      eb.or([
        eb.and([eb('runner', '=', 'none'), existsDelivery('to retry')]),
        eb.and([eb('runner', 'in', ['none', 'waiting']), existsDelivery('untried')]),
      ]),
    )
    .execute()
  return rows.map(({ workspace }) => workspace)
}

const ofRunner = (db: Db, { workspace, webhook, epoch }: Runner) =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('id', '=', webhook)
    .where('epoch', '=', epoch)

/** The webhook as it is now; undefined if it was deleted, or if another run has replaced this one. */
export const findServed = (db: Db, runner: Runner) => ofRunner(db, runner).executeTakeFirst()

export type Served = NonNullable<Awaited<ReturnType<typeof findServed>>>

/** Whether the webhook rests, so that nothing may be tried now. */
export const rests = ({ restsUntil }: Served, now: Date) => restsUntil !== null && restsUntil > now

/** Notes that the workflow of this epoch is at work; undefined if it has to end. */
export const beginSitting = (db: Db, { workspace, webhook, epoch }: Runner) =>
  db
    .updateTable('webhooks')
    .set({ runner: 'working' })
    .where('workspace', '=', workspace)
    .where('id', '=', webhook)
    .where('epoch', '=', epoch)
    .returningAll()
    .executeTakeFirst()

/** What the workflow does next: look again at once, wait until a moment, or end because nothing is queued. */
export type Next =
  | { do: 'again' }
  | { do: 'end' }
  | { do: 'wait'; for: 'retry' | 'rest'; until: Date }

/** Decides what the workflow does next and notes it in the row, under its lock. */
export const endSitting = (db: Db, runner: Runner, now: Date): Promise<Next> =>
  db.transaction().execute(async (trx) => {
    const webhook = await ofRunner(trx, runner).forNoKeyUpdate().executeTakeFirst()
    if (!webhook) return { do: 'end' }
    const next = await whatNext(trx, webhook, now)
    if (next.do === 'again') return next
    const state = next.do === 'end' ? 'none' : next.for === 'rest' ? 'resting' : 'waiting'
    await trx
      .updateTable('webhooks')
      .set({ runner: state })
      .where('workspace', '=', runner.workspace)
      .where('id', '=', webhook.id)
      .execute()
    return next
  })

async function whatNext(trx: Trx, webhook: Served, now: Date): Promise<Next> {
  const next = await findNextTry(trx, webhook.id, webhook.workspace)
  // At the end of a hold another one begins.
  if (next === undefined) return { do: 'end' }
  if (webhook.enabled && webhook.restsUntil && webhook.restsUntil > now)
    return { do: 'wait', for: 'rest', until: webhook.restsUntil }
  return !webhook.enabled || next === null || next <= now
    ? { do: 'again' }
    : { do: 'wait', for: 'retry', until: next }
}

/** Webhooks whose workflow was started at least `olderThanMs` ago (real time) and has not reported its end, by id. */
export const listRunners = (db: Db, after: string, olderThanMs: number, limit: number) =>
  db
    .selectFrom('webhooks')
    .select(['id as webhook', 'workspace', 'epoch'])
    .where('runner', '!=', 'none')
    .where((eb) => eb.or([eb('wokenAt', 'is', null), eb('wokenAt', '<', inMs(-olderThanMs))]))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Notes that the workflow of this epoch has ended, and wakes another if something is queued. */
export async function replaceRunner(db: Db, { workspace, webhook, epoch }: Runner) {
  await db
    .updateTable('webhooks')
    .set({ runner: 'none' })
    .where('workspace', '=', workspace)
    .where('id', '=', webhook)
    .where('epoch', '=', epoch)
    .execute()
  await wakeRunners(db, workspace)
}

/** After this many failed first tries in a row, the webhook rests, and then one delivery at a time is tried. */
export const restsAfter = 5
const usualFirstRestMs = 10_000
const longestRestSeconds = 300

/** A delivery succeeded, so any problem is over. */
export const webhookWorks = (db: Db, { workspace, id }: { workspace: string; id: string }) =>
  db
    .updateTable('webhooks')
    .set({ failingSince: null, failures: 0, restsUntil: null })
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .where(sql<SqlBool>`(failing_since is not null or failures > 0)`)
    .execute()

/**
 * A delivery did not succeed. `counts` means that it was a first try, or the one that tests whether a rest is over. Deliveries
 * that were in progress when a rest began do not prolong it. Each rest is twice as long as the last. Answers since when none has
 * succeeded.
 */
export const webhookFails = (
  db: Db,
  { workspace, id }: { workspace: string; id: string },
  now: Date,
  counts: boolean,
  firstRestMs = usualFirstRestMs,
) => {
  const counted = sql<SqlBool>`(${counts} and (rests_until is null or rests_until <= ${now}))`
  return db
    .updateTable('webhooks')
    .set((eb) => ({
      failingSince: eb.fn.coalesce('failingSince', eb.val(now)),
      failures: sql<number>`failures + ${counted}::int`,
      restsUntil: sql<Date | null>`case when ${counted} and failures + 1 >= ${restsAfter}::int
        then ${now}::timestamptz + interval '1 second' * least(${longestRestSeconds}::float8,
          ${firstRestMs / 1_000}::float8 * 2 ^ least(failures + 1 - ${restsAfter}::int, 20))
        else rests_until end`,
    }))
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .returning('failingSince')
    .executeTakeFirst()
}
