import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import { recordEvent, recordEvents } from '../events/events.ts'
import type { Language, TouchState } from './tables.ts'

/** The address a person's letters go to: the first e-mail of the card, or the one the thread began with. */
export const letterAddress = (person: RawBuilder<unknown>, known: RawBuilder<unknown>) =>
  sql<
    string | null
  >`(select given from addresses where addresses.person = ${person} and kind = 'email'
    order by value = lower(coalesce(${known}, '')) desc, position limit 1)`

/** When a queued letter goes: when it is due or, if the server has put it off, at its next try. */
export const goesAt = sql<Date>`greatest(due_at, next_try_at)`

/** The queue and log of a campaign by (dueAt, id); `after` is that of the last row of the page before. */
export function listTouches(
  db: Db,
  campaign: string,
  state: TouchState | undefined,
  after: readonly [string, ...string[]] | undefined,
  limit: number,
) {
  let listed = db
    .selectFrom('touches')
    .selectAll()
    .where('campaign', '=', campaign)
    .orderBy('dueAt')
    .orderBy('id')
    .limit(limit)
  if (state) listed = listed.where('state', '=', state)
  if (after)
    listed = listed.where(sql<SqlBool>`(due_at, id) > (${after[0]}::timestamptz, ${after[1]})`)
  return listed.execute()
}

export const findTouchOf = (db: Db, campaign: string, id: string) =>
  db
    .selectFrom('touches')
    .selectAll()
    .where('campaign', '=', campaign)
    .where('id', '=', id)
    .executeTakeFirst()

/** Letters with what every reader of one needs of its campaign, workspace and person. */
export const touchRows = (db: Db) =>
  db
    .selectFrom('touches')
    .innerJoin('campaigns', 'campaigns.id', 'touches.campaign')
    .innerJoin('workspaces', 'workspaces.id', 'touches.workspace')
    .innerJoin('people', 'people.id', 'touches.person')
    .selectAll('touches')
    .select([
      'campaigns.runner',
      'campaigns.agent',
      'campaigns.state as campaignState',
      'campaigns.waitDays',
      'workspaces.timezone',
      'people.name as personName',
    ])

export const findTouch = (db: Db, id: string) =>
  touchRows(db).where('touches.id', '=', id).executeTakeFirst()

export type TouchRow = NonNullable<Awaited<ReturnType<typeof findTouch>>>

/**
 * A query of the ids of the letters of these people. Each is found by its person alone: among thousands of letters that were just
 * planned, of which Postgres has no statistics yet, it would otherwise go through all letters of a state for a few people. Whoever
 * uses it compares ids with `= any(array(…))`, and names no campaign beside it.
 */
export const lettersOf = (campaign: string, people: string[]) => sql`
  select letter.id from unnest(${people}::text[]) as of (person)
  cross join lateral (
    select id from touches where campaign = ${campaign} and touches.person = of.person order by place limit 100) letter`

/** How many people's first letters one transaction plans. */
export const planBatch = 1000

/**
 * Frees due letters of accounts that the campaign no longer writes through. A follow-up loses its thread, which was in that
 * mailbox, and is written again without it. A letter that is not due yet keeps its account, because the account may be back by
 * then.
 */
export const releaseTouches = (db: Db, campaign: string, connections: string[], now: Date) =>
  sql`update touches set connection = null, conversation = null,
      subject = case place when 1 then subject end, text = case place when 1 then text end,
      html = case place when 1 then html end,
      written_at = case place when 1 then written_at end, agreed = agreed and place = 1
    where campaign = ${campaign} and state = 'queued' and due_at <= ${now}
      and connection = any(${connections}::text[])`.execute(db)

/** Due letters whose place is not agreed: they are to be written for review. */
export const listForReview = (
  db: Db,
  campaign: string,
  agreed: number[],
  now: Date,
  limit: number,
) =>
  db
    .selectFrom('touches')
    .select('id')
    .where('campaign', '=', campaign)
    .where('state', '=', 'queued')
    .where('dueAt', '<=', now)
    .where(sql<SqlBool>`place > 0 and place <> all(${agreed}::int[]) and not agreed`)
    .orderBy('dueAt')
    .orderBy('id')
    .limit(limit)
    .execute()

/** What writing adds to the row of a letter. */
/** The columns of a letter without a text. */
export const unwritten = { subject: null, text: null, html: null, writtenAt: null, brief: null }

export type WrittenText = {
  subject: string
  text: string
  html: string | null
  /** Null for a letter that no template has made. */
  variant: string | null
  toAddress: string
  writtenAt: Date
  brief: number
  language: Language
  signedBy: string | null
  connection?: string
  token: string
}

/** Stores the letter of a touch as it was written for its person, unless it has been given another text meanwhile. */
export const writeTouch = (db: Db, id: string, letter: WrittenText) =>
  db
    .updateTable('touches')
    .set(letter)
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .where('text', 'is', null)
    .execute()

/**
 * Fails letters that are queued or in review; a letter that is being sent is settled by its own attempt. With `now`, each
 * failure is recorded as an event.
 */
export async function failTouches(
  trx: Db,
  where: { people: string[] } | { id: string },
  reason: string,
  now?: Date,
) {
  const waiting = trx
    .updateTable('touches')
    .set({ state: 'failed', reason })
    .where('state', 'in', ['queued', 'review'])
    .returning(told)
  const failing =
    'id' in where
      ? waiting.where('id', '=', where.id)
      : waiting.where(sql<SqlBool>`person = any(${where.people}::text[])`)
  const rows = await failing.execute()
  if (now) await touchesHappened(trx, rows, now, 'failed', reason)
}

/** Fails what would follow a letter that came back: its thread never reached the person. */
export async function endFollowing(
  trx: Trx,
  { campaign, person, place }: Pick<TouchRow, 'campaign' | 'person' | 'place'>,
  now: Date,
) {
  // One that gave its place up has none that follow it.
  if (place < 1) return
  const rows = await trx
    .updateTable('touches')
    .set({ state: 'failed', reason: 'bounced' })
    .where('campaign', '=', campaign)
    .where('person', '=', person)
    .where('place', '>', place)
    .where('state', 'in', ['queued', 'review'])
    .returning(told)
    .execute()
  await touchesHappened(trx, rows, now, 'failed', 'bounced')
}

/** Fails a batch of the letters of a campaign that has ended; answers how many. */
export async function endBatch(trx: Trx, campaign: string, now: Date): Promise<number> {
  const rows = await trx
    .updateTable('touches')
    .set({ state: 'failed', reason: 'done' })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('touches')
        .select('id')
        .where('campaign', '=', campaign)
        .where('state', 'in', ['queued', 'review'])
        .orderBy('dueAt')
        .orderBy('id')
        .limit(planBatch)
        .forUpdate(),
    )
    .returning(told)
    .execute()
  await touchesHappened(trx, rows, now, 'failed', 'done')
  return rows.length
}

const told = [
  'id',
  'workspace',
  'campaign',
  'person',
  'place',
  'connection',
  'conversation',
  'message',
] as const
/** The data of an event about a letter. */
export type Told = Pick<TouchRow, (typeof told)[number]>

/** Records events about letters of one workspace. */
export function touchesHappened(
  trx: Db,
  touches: Told[],
  at: Date,
  what: 'failed',
  reason: string,
) {
  const workspace = touches[0]?.workspace ?? ''
  return recordEvents(
    trx,
    { workspace, kind: `touch.${what}`, at },
    touches.map((touch) => ({ resource: touch.id, data: toldOf(touch, what, reason) })),
  )
}

/** What an event about a letter says. */
export const toldOf = (
  { campaign, person, place, connection, conversation, message }: Told,
  state: string,
  reason: string | null,
) => ({ campaign, person, place, connection, conversation, message, state, reason })

/** What the event of a call about a letter tells beside what was changed. */
export const aboutTouch = ({
  campaign,
  person,
  message,
}: Pick<Told, 'campaign' | 'person' | 'message'>) => ({
  campaign,
  person,
  message,
})

/** Records an event about a letter. */
export function touchHappened(
  trx: Db,
  touch: Told,
  at: Date,
  what: 'sent' | 'failed' | 'unconfirmed',
  reason: string | null = what === 'unconfirmed' ? what : null,
) {
  const state = what === 'unconfirmed' ? 'sending' : what
  const { id: resource, workspace } = touch
  const data = toldOf(touch, state, reason)
  return recordEvent(trx, { workspace, kind: `touch.${what}`, at, resource, data })
}

/** Letters whose outcome is being found out right now; unconfirmed ones are not among them. */
export async function countInFlight(db: Db, campaign: string): Promise<number> {
  const row = await db
    .selectFrom('touches')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('campaign', '=', campaign)
    .where('state', '=', 'sending')
    .where('reason', 'is', null)
    .executeTakeFirstOrThrow()
  return row.n
}

export const findTouchByToken = (db: Db, token: string) =>
  db
    .selectFrom('touches')
    .select(['id', 'workspace', 'campaign', 'person', 'language'])
    .where('token', '=', token)
    .where('workspace', 'in', (eb) =>
      eb.selectFrom('workspaces').select('workspaces.id').where('erasedAt', 'is', null),
    )
    .executeTakeFirst()
