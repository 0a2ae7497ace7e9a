import { type SqlBool, sql } from 'kysely'
import { type CampaignState, lastPlace, moves } from '../../rules/campaign.ts'
import type { WakeReason } from '../../rules/wakes.ts'
import type { Db, Trx } from '../database.ts'
import { enqueueWakes } from '../operations/wakes.ts'
import { goesAt } from './touches.ts'
import { leaveTurns } from './turns.ts'

export const findCampaign = (db: Db, workspace: string, id: string) =>
  db
    .selectFrom('campaigns')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .executeTakeFirst()

export type CampaignRow = NonNullable<Awaited<ReturnType<typeof findCampaign>>>

/** Newest first; `after` is the (createdAt, id) of the last row of the page before. */
export const listCampaigns = (
  db: Db,
  workspace: string,
  after: readonly [string, ...string[]] | undefined,
  limit: number,
) =>
  db
    .selectFrom('campaigns')
    .selectAll()
    .where('workspace', '=', workspace)
    .$if(after !== undefined, (q) =>
      q.where(sql<SqlBool>`(created_at, id) < (${after?.[0]}::timestamptz, ${after?.[1]})`),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Locks the campaign against claims: once the transaction commits, no claim made under its earlier state succeeds. */
export const lockCampaign = (trx: Trx, workspace: string, id: string) =>
  trx
    .selectFrom('campaigns')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export async function insertCampaign(
  trx: Trx,
  campaign: {
    id: string
    workspace: string
    name: string
    goal: string
    segment: string | null
    agent: string | null
    places: number
    waitDays: number[]
    now: Date
  },
) {
  const { now, ...rest } = campaign
  await trx
    .insertInto('campaigns')
    .values({ ...rest, createdAt: now, updatedAt: now, leftTo: null })
    .execute()
}

export type CampaignEdit = {
  name?: string
  goal?: string
  segment?: string
  agent?: string
  senders?: string[]
  addRules?: string[]
  places?: number
  waitDays?: number[]
  materials?: unknown[]
}

/** Another segment is planned for from its first member on, also one that the campaign had before. */
export async function updateCampaign(trx: Trx, id: string, edit: CampaignEdit, now: Date) {
  const { materials, ...rest } = edit
  await trx
    .updateTable('campaigns')
    .set({
      ...rest,
      ...(materials && { materials: JSON.stringify(materials) }),
      ...(edit.segment !== undefined && { plannedSegment: null, plannedTo: '0' }),
      updatedAt: now,
    })
    .where('id', '=', id)
    .execute()
}

/**
 * Changes the state of a locked campaign and raises its epoch; `runner` is the operation of a start, and the other moves keep
 * it.
 */
export async function moveCampaign(
  trx: Trx,
  id: string,
  to: CampaignState,
  now: Date,
  runner?: string,
): Promise<number> {
  const row = await trx
    .updateTable('campaigns')
    .set((eb) => ({
      state: to,
      runEpoch: eb('runEpoch', '+', 1),
      updatedAt: now,
      ...(runner && { runner, startedAt: eb.fn.coalesce('startedAt', eb.val(now)) }),
    }))
    .where('id', '=', id)
    .returning('runEpoch')
    .executeTakeFirstOrThrow()
  await leaveTurns(trx, id)
  return row.runEpoch
}

/** Only a draft has no touches, and only a draft is deleted. */
export const deleteCampaign = (trx: Trx, id: string) =>
  trx.deleteFrom('campaigns').where('id', '=', id).execute()

export const listLetters = (db: Db, campaign: string) =>
  db
    .selectFrom('campaignLetters')
    .selectAll()
    .where('campaign', '=', campaign)
    .orderBy('place')
    .execute()

/** Writes the example letter of a place; a newly written example is not agreed. */
export const upsertLetter = (
  trx: Db,
  letter: {
    campaign: string
    place: number
    subject: string
    text: string
    writtenAt: Date
    brief: number
  },
) =>
  trx
    .insertInto('campaignLetters')
    .values(letter)
    .onConflict((oc) => oc.columns(['campaign', 'place']).doUpdateSet({ ...letter, agreed: false }))
    .execute()

/**
 * Has the runners of running campaigns look again, because something they depend on has changed in a workspace, an agent or a
 * segment; which of them it concerns, and why. Call it in the transaction of the change.
 */
export const wakeRunners = (
  trx: Db,
  of: { agent: string } | { segment: string } | { workspace: string },
  reason: WakeReason,
) => enqueueWakes(trx, sql`select runner as workflow ${runningOf(of)}`, reason, { together: true })

const runningOf = (of: { agent: string } | { segment: string } | { workspace: string }) => {
  const [[column, id]] = Object.entries(of) as [[string, string]]
  return sql`from campaigns where ${sql.ref(column)} = ${id} and state = 'running' and runner is not null`
}

/** The campaigns of a segment, newest first. */
export const listCampaignsOf = (db: Db, segment: string) =>
  db
    .selectFrom('campaigns')
    .select(['id', 'name', 'state'])
    .where('segment', '=', segment)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** The same, locked in the order of their ids, so that none of them changes state meanwhile. */
export const lockCampaignsOf = (trx: Trx, segment: string) =>
  trx
    .selectFrom('campaigns')
    .select(['id', 'state', 'runner'])
    .where('segment', '=', segment)
    .orderBy('id')
    .forUpdate()
    .execute()

/** Moves every campaign of one segment to another segment, or to none. */
export const moveCampaigns = (trx: Trx, from: string, to: string | null, now: Date) =>
  trx
    .updateTable('campaigns')
    .set({ segment: to, updatedAt: now })
    .where('segment', '=', from)
    .execute()

/** A campaign by its id, as a runner or a letter gives it. */
export const findCampaignById = (db: Db, id: string) =>
  db.selectFrom('campaigns').selectAll().where('id', '=', id).executeTakeFirst()

/** Pauses a campaign that still runs under this epoch; answers its workspace, or undefined if it does not. */
export async function pauseRun(trx: Trx, id: string, epoch: number, now: Date) {
  const row = await trx
    .selectFrom('campaigns')
    .select(['workspace', 'state'])
    .where('id', '=', id)
    .where('runEpoch', '=', epoch)
    .forUpdate()
    .executeTakeFirst()
  if (!row || !moves[row.state].includes('paused')) return undefined
  await moveCampaign(trx, id, 'paused', now)
  return { workspace: row.workspace }
}

/**
 * The state, runner and brief version of a campaign, locked against edits until the transaction ends, and against claims and
 * letters that are put up for review, which look at what is agreed.
 */
export const lockBrief = (trx: Trx, id: string) =>
  trx
    .selectFrom('campaigns')
    .select(['state', 'runner', 'briefVersion'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

/**
 * Wakes the runners of the workspace's campaigns that have a letter due which follows one from this account, or may go from it:
 * its mailbox has been read, and has held them. A runner whose letters are due later looks then anyhow.
 */
export const wakeRunnersBehind = (trx: Trx, workspace: string, connection: string, now: Date) =>
  enqueueWakes(
    trx,
    sql`select runner as workflow ${runningOf({ workspace })} and exists (
      select from generate_series(2, ${lastPlace}::int) as of (place)
        cross join unnest(array['', ${connection}]::text[]) as account (id)
        join touches on campaign = campaigns.id and touches.place = of.place and touches.state = 'queued'
          and coalesce(connection, '') = account.id and ${goesAt} <= ${now})`,
    'mailbox',
    { together: true },
  )
