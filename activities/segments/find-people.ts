import { wakeRunners } from '../../db/campaigns/campaigns.ts'
import type { Trx } from '../../db/database.ts'
import { endOperation } from '../../db/operations/operations.ts'
import type { SecretKey } from '../../db/secrets.ts'
import {
  countFound,
  type FindRow,
  findFind,
  findRun,
  lockRun,
  moveRun,
  type RunRow,
  remainingOf,
  rememberFind,
  settleRun,
} from '../../db/segments/finds.ts'
import { type FoundPerson, insertFound } from '../../db/segments/found-people.ts'
import { addPeopleByHand, lockSegment, updateSegment } from '../../db/segments/segments.ts'
import type { FindInput } from '../../workflows/inputs.ts'
import { bounded } from '../common/bounded.ts'
import { beating } from '../common/heartbeat.ts'
import { gone, refused } from '../common/refusals.ts'
import type { Deps } from '../deps.ts'
import type { Filters, Refusal } from '../ports/finder/finder.ts'
import { prospectsFinder } from '../ports/finder/prospects-finder.ts'

// A caller waits for 25 s: a batch of 8 s leaves room for another attempt if a worker dies during the first.
const batchMs = 8000
const mostAtOnce = 200
// How many calls of one workspace are worked on at once in a process.
const finding = bounded({ name: 'finding', ofKey: 8 })

export const findPeopleActivities = (deps: Deps) => {
  const { db, clock, crash, secretKey } = deps
  const finder = deps.finder ?? prospectsFinder(db)

  return {
    /** Searches, keeps the filters for find/add and answers the call. Safe to retry: it changes nothing else. */
    async searchPeople(input: FindInput): Promise<void> {
      await inTurn(input, async () => {
        const find = await findFind(db, input.operation)
        if (!find) return end(input, goneOf(input, 'find'))
        const { channel } = find
        const found = await finder.search({ ...find, words: find.words ?? find.query })
        if ('refused' in found) return end(input, refusedOf(input, found, 'find'))
        // Filters that the caller gave are returned unchanged, whatever the finder makes of them.
        const filters = find.filters ?? found.filters
        await rememberFind(db, input.segment, { channel, filters })
        const result = { filters, count: found.count, channel }
        await end(input, { state: 'done', status: 200, result })
      })
    },

    /**
     * Adds people for up to 8 s, page by page, and answers the call if the finder refuses. Safe to retry: a page, the counts of
     * the call and the run's place after the page are one transaction.
     */
    async addFoundPeople(input: FindInput): Promise<void> {
      await inTurn(input, async () => {
        const started = performance.now()
        while (performance.now() - started < batchMs) {
          const find = await findFind(db, input.operation)
          const run = find?.run ? await findRun(db, find.segment, find.run) : undefined
          if (!find || !run || run.ended || find.added >= find.want) return
          const settled = run.total === null ? await settle(find, run) : undefined
          if (settled && 'refused' in settled) return end(input, refusedOf(input, settled, 'add'))
          const filters = settled?.filters ?? (run.filters as Filters)
          const limit = Math.min(find.want - find.added, mostAtOnce)
          const { workspace } = find
          const ask = { workspace, channel: run.channel, filters, cursor: run.cursor, limit }
          const page = await finder.people(ask)
          if ('refused' in page) return end(input, refusedOf(input, page, 'add'))
          crash('before-found')
          await db
            .transaction()
            .execute((trx) => takePage(trx, { ...find, secretKey }, run, page, clock.now()))
          crash('after-found')
          // A finder that has nobody now, but may have more later, is asked again by the next call.
          if (page.people.length === 0) return
        }
      })
    },

    /** Answers the call with what was done. Safe to retry: ending twice changes nothing. */
    async answerFound(input: FindInput): Promise<void> {
      const find = await findFind(db, input.operation)
      const run = find?.run ? await findRun(db, find.segment, find.run) : undefined
      if (!find || !run) return end(input, goneOf(input, 'find/add'))
      const { added, existing } = find
      const result = {
        added,
        existing,
        remaining: remainingOf(run),
        run: run.ended ? null : run.id,
      }
      await end(input, { state: 'done', status: 200, result })
    },
  }

  async function inTurn({ operation }: FindInput, work: () => Promise<void>) {
    const { workspace } = (await findFind(db, operation)) ?? {}
    await beating(() => (workspace === undefined ? work() : finding(workspace, work)))
  }

  async function end({ operation }: FindInput, how: Parameters<typeof endOperation>[2]) {
    await endOperation(db, operation, how, clock.now())
  }

  /** The filters of a run, made from the segment's words if none were given, and how many people they find. */
  async function settle(find: FindRow, { id, channel, filters }: RunRow) {
    const { workspace, query: words } = find
    const found = await finder.search({ workspace, channel, words, filters: filters ?? null })
    if ('refused' in found) return found
    const settled = { filters: filters ?? found.filters, count: found.count }
    await settleRun(db, id, settled)
    return settled
  }
}

/**
 * Adds the people of a page to the contacts and the segment, unless another call has taken the page meanwhile. `existing`
 * counts those who were in the segment already.
 */
async function takePage(
  trx: Trx,
  { operation, workspace, segment, added, existing, secretKey }: FindRow & { secretKey: SecretKey },
  { id, step }: RunRow,
  { people: page, cursor }: { people: FoundPerson[]; cursor: string | null },
  now: Date,
) {
  const row = await lockSegment(trx, workspace, segment)
  const run = await lockRun(trx, id)
  if (!row || !run || run.step !== step) return
  const people = await insertFound(trx, { workspace, operation, secretKey }, page, now)
  const fresh = await addPeopleByHand(trx, segment, [...new Set(people)], now, 'taken out')
  await moveRun(trx, run, cursor, page.length)
  const counts = { added: added + fresh, existing: existing + people.length - fresh }
  await countFound(trx, operation, counts)
  if (fresh === 0) return
  await updateSegment(trx, segment, {}, now)
  await wakeRunners(trx, { segment }, 'people')
}

const addressOf = ({ segment }: FindInput, call: string) => `/api/v1/segments/${segment}/${call}`

const goneOf = (input: FindInput, call: string) =>
  gone(input.operation, 'segment', addressOf(input, call))

function refusedOf(input: FindInput, { refused: why, problems }: Refusal, call: 'find' | 'add') {
  const pointer = '/filters'
  const errors = problems?.map(({ member, ...problem }) => ({
    pointer: pointer + member,
    ...problem,
  })) ?? [{ pointer, code: 'refused_by_finder', message: why }]
  return refused(input.operation, {
    code: 'validation_failed',
    detail: `${pointer}: ${why}`,
    instance: addressOf(input, call === 'add' ? 'find/add' : call),
    errors,
  })
}
