import { equal, ok } from 'node:assert/strict'
import type { Info } from '@temporalio/activity'
import type { ApplicationFailure } from '@temporalio/common'
import { holdingOf } from '../../../activities/campaigns/due.ts'
import { safeFailuresOf, trouble } from '../../../activities/common/failures.ts'
import type { CampaignFacts } from '../../../db/campaigns/facts.ts'
import { createLog } from '../../../process/telemetry/log.ts'
import type { Pace } from '../../../rules/pace.ts'

const many = Array.from({ length: 200 }, (_, n) => n)

describe('what fails or falls due for many at one moment', () => {
  /** After how many ms an activity is retried whose third attempt has failed so; undefined: as its policy says. */
  async function delayOf(error: Error) {
    const info = {
      activityType: 'any',
      attempt: 3,
      retryPolicy: { initialInterval: 500, maximumInterval: '30 s' },
    } as unknown as Info
    const { execute } = safeFailuresOf(createLog('test', 'silent'))(info)
    const input = {} as Parameters<NonNullable<typeof execute>>[0]
    const failure = await execute?.(input, () => Promise.reject(error)).catch((failed) => failed)
    return (failure as ApplicationFailure).nextRetryDelay
  }

  it('is retried apart where the database is away, and never before its policy says', async () => {
    const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
    const delays = new Set<unknown>()
    for (const _ of many) delays.add(await delayOf(away))
    for (const ms of delays) ok(Number(ms) >= 2_000 && Number(ms) <= 3_000, `${ms}`)
    ok(delays.size > 50, `${delays.size} moments`)
    equal(await delayOf(trouble('busy', 'All places are taken.')), undefined)
  })

  it('begins within a minute after the hour for all campaigns, and never before it', () => {
    const now = new Date('2026-11-23T08:59:00Z')
    const opens = new Date('2026-11-23T09:00:00Z')
    const pace = { now: false, blockedBy: 'hours', nextAt: opens } as unknown as Pace
    const delay = (n: number, of = pace) =>
      holdingOf(`cmp_${n}`, of, {} as CampaignFacts, now).delayMs
    const delays = many.map((n) => delay(n))
    ok(Math.min(...delays) >= 60_000 && Math.max(...delays) < 120_000)
    ok(new Set(delays.map((ms) => Math.floor(ms / 1_000))).size > 30)
    equal(delay(7), delays[7])
    equal(delay(7, { ...pace, blockedBy: 'gap' } as Pace), 60_000)
  })
})
