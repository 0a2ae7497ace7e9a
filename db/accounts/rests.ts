import { type Expression, sql } from 'kysely'
import { endsBySomebody, type RestCause, type Server } from '../../rules/answers/causes.ts'
import { restOf as lengthOf } from '../../rules/answers/rest-lengths.ts'
import { restTold, wordsToTell } from '../../rules/answers/told.ts'
import type { Db, Trx } from '../database.ts'
import { recordEvent } from '../events/events.ts'
import { notify } from '../events/notifications.ts'

// An account rests when one of its servers has said that it is not about a letter or a mail but about the account: a quota, a
// rate, a right it lacks. Its rest has a cause and an end; when that has come, one try at a time finds out whether it is over, and
// until something succeeds the next rest is longer. Its member is notified once. Instants are of the business clock, which decides
// what a day is.

export type Account = { account: string; server: Server }

/** The rest of an account, also while one try finds out whether it is over; undefined if there is none. */
export const restOf = (db: Db, account: string, server: Server) =>
  db
    .selectFrom('rests')
    .selectAll()
    .where('account', '=', account)
    .where('server', '=', server)
    .where('endedAt', 'is', null)
    .executeTakeFirst()

/** Of two who fail at the same time, one has found out. */
const hasFoundOut = (rest: { endedAt: Date | null; isTried: boolean; probeAt: Date }, now: Date) =>
  rest.endedAt !== null || rest.isTried || rest.probeAt <= now

// What comes again and again by itself, such as a daily quota under a campaign that is larger, is announced once a week.
const toldForMs = 7 * 24 * 60 * 60_000

/**
 * The account rests from now on, or goes on resting, and its member is notified unless they know. Answers until when (null: until
 * somebody acts), and when one try may be made. `words` are those of the server.
 */
export async function beginRest(
  trx: Trx,
  { account, server, cause, words, now }: Account & { cause: RestCause; words: string; now: Date },
): Promise<{ until: Date | null; probeAt: Date; firstTime: boolean }> {
  const of = await trx
    .selectFrom('connections')
    .innerJoin('workspaces', 'workspaces.id', 'connections.workspace')
    .select(['connections.workspace', 'member', 'connections.account', 'timezone'])
    .where('connections.id', '=', account)
    .executeTakeFirstOrThrow()
  const blank = { cause, since: now, probeAt: now, endedAt: now, tries: 0, words: '' }
  await trx
    .insertInto('rests')
    .values({ account, server, ...blank })
    .onConflict((oc) => oc.doNothing())
    .execute()
  const mine = trx.selectFrom('rests').selectAll().where('account', '=', account)
  const before = await mine.where('server', '=', server).forUpdate().executeTakeFirstOrThrow()
  if (!hasFoundOut(before, now))
    return { until: before.until, probeAt: before.probeAt, firstTime: false }

  const isSame = before.cause === cause
  const goesOn = before.endedAt === null
  const tries = goesOn && isSame ? before.tries + 1 : 1
  const { until, probeAt } = lengthOf({ cause, tries, words, zone: of.timezone, now })
  const isKnown = isSame && before.told !== null && (goesOn || isTold(cause, before.told, now))
  const said = wordsToTell(words)
  await trx
    .updateTable('rests')
    .set({ cause, until, probeAt, isTried: false, tries, words: said, endedAt: null })
    .set({ since: goesOn && isSame ? before.since : now, told: isKnown ? before.told : now })
    .where('account', '=', account)
    .where('server', '=', server)
    .execute()
  if (!isKnown) {
    const text = restTold(of.account, cause, words, until)
    await tell(trx, { account, server }, { ...of, at: now }, cause, text)
  }
  return { until, probeAt, firstTime: !isKnown }
}

const isTold = (cause: RestCause, told: Date, now: Date) =>
  !endsBySomebody(cause) && now.getTime() - told.getTime() < toldForMs

/** The account has been used: its rest is over. False if it had none. */
export async function endRest(trx: Trx, { account, server }: Account, now: Date): Promise<boolean> {
  const ended = await trx
    .updateTable('rests')
    .set({ endedAt: now, isTried: false })
    .where('account', '=', account)
    .where('server', '=', server)
    .where('endedAt', 'is', null)
    .returning('told')
    .executeTakeFirst()
  if (!ended) return false
  const of = await trx
    .selectFrom('connections')
    .select(['workspace', 'member'])
    .where('id', '=', account)
    .executeTakeFirstOrThrow()
  await tell(trx, { account, server }, { ...of, at: now }, null)
  return true
}

/** A person has asked, or has changed the account: one try may be made at once. False if the account does not rest. */
export async function hastenRest(
  trx: Db,
  { account, server }: Account,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('rests')
    .set({ until: now, probeAt: now, isTried: false })
    .where('account', '=', account)
    .where('server', '=', server)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

// As long as a letter may be on its way: its server has ten minutes after the end of it.
const probeMs = 12 * 60_000

/**
 * Takes the one try that may be made once a rest has come to its end. `free`: the account does not rest. `busy`: it rests, or
 * another one is trying.
 */
export async function takeProbe(
  trx: Db,
  { account, server }: Account,
  now: Date,
): Promise<'free' | 'mine' | 'busy'> {
  const rest = await restOf(trx, account, server)
  if (!rest) return 'free'
  const taken = await trx
    .updateTable('rests')
    .set({ isTried: true, probeAt: new Date(now.getTime() + probeMs) })
    .where('account', '=', account)
    .where('server', '=', server)
    .where('endedAt', 'is', null)
    .where('probeAt', '<=', now)
    .executeTakeFirst()
  return taken.numUpdatedRows > 0n ? 'mine' : 'busy'
}

/** What was tried says nothing of the account: another try may be made after `ms`. */
export const giveProbeBack = (trx: Db, { account, server }: Account, now: Date, ms = 0) =>
  trx
    .updateTable('rests')
    .set({ isTried: false, probeAt: new Date(now.getTime() + ms) })
    .where('account', '=', account)
    .where('server', '=', server)
    .where('isTried', '=', true)
    .execute()

/** For a statement: when one letter may be sent through the account of an expression; null if that does not rest. */
export const probeOf = (
  account: Expression<unknown>,
) => sql<Date | null>`(select probe_at from rests
  where rests.account = ${account} and rests.server = 'smtp' and rests.ended_at is null)`

async function tell(
  trx: Trx,
  { account, server }: Account,
  { workspace, member, at }: { workspace: string; member: string; at: Date },
  problem: RestCause | null,
  text?: string,
) {
  const part = server === 'smtp' ? 'sending' : 'reading'
  const kind = problem === null ? 'channel.recovered' : 'channel.failed'
  const data = { connection: account, part, problem }
  await recordEvent(trx, { workspace, at, resource: account, kind, data })
  if (text !== undefined) await notify(trx, { workspace, member, at, kind: 'sender.rests', text })
}

// The net under the table of answers (rules/answers): a provider that refuses one recipient after another in the same words
// speaks of the account, whatever it says.

const mostInRow = 3

/**
 * A letter was refused for good with this code. True if that makes so many in a row, each for another recipient than the one
 * before, that it is the account that is refused.
 */
export async function noteRefused(
  trx: Trx,
  account: string,
  code: string,
  to: string,
): Promise<boolean> {
  const counted = await trx
    .updateTable('connections')
    .set({
      refusedInRow: sql<number>`case when refused_code is distinct from ${code} then 1
        when refused_to = ${to} then refused_in_row else refused_in_row + 1 end`,
      refusedCode: code,
      refusedTo: to,
    })
    .where('id', '=', account)
    .returning('refusedInRow')
    .executeTakeFirst()
  return (counted?.refusedInRow ?? 0) >= mostInRow
}

/** A letter was taken. */
export const forgetRefused = (trx: Trx, account: string) =>
  trx
    .updateTable('connections')
    .set({ refusedInRow: 0, refusedCode: null, refusedTo: null })
    .where('id', '=', account)
    .where('refusedInRow', '>', 0)
    .execute()
