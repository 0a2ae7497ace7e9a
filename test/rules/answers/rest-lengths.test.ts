import { deepEqual, equal } from 'node:assert/strict'
import type { RestCause } from '../../../rules/answers/causes.ts'
import { pauseAfter } from '../../../rules/answers/login-pauses.ts'
import { restOf, statedGapSeconds } from '../../../rules/answers/rest-lengths.ts'

describe('how long an account rests', () => {
  const now = new Date('2026-11-23T10:00:00.000Z')
  const minutes = (cause: RestCause, tries = 1, words = '') => {
    const { probeAt } = restOf({ cause, tries, words, zone: 'Europe/Berlin', now })
    return (probeAt.getTime() - now.getTime()) / 60_000
  }

  it('is until midnight of its workspace after a daily quota, and then an hour and more until the provider’s own', () => {
    equal(minutes('smtp_quota'), 13 * 60)
    deepEqual(
      [2, 3, 4, 5].map((tries) => minutes('smtp_quota', tries)),
      [60, 120, 240, 240],
    )
    equal(minutes('smtp_quota', 1, 'has exceeded its 24-hour sending limit'), 24 * 60)
  })

  it('grows from minutes to hours after a rate, and from an hour to a day where nobody knows why', () => {
    deepEqual(
      [1, 2, 3, 9].map((tries) => minutes('smtp_rate', tries)),
      [5, 10, 20, 240],
    )
    equal(minutes('smtp_rate', 1, '451 500 messages per hour'), 20)
    deepEqual(
      [1, 2, 5, 6].map((tries) => minutes('smtp_refusing', tries)),
      [60, 120, 960, 1440],
    )
    deepEqual(
      [1, 2, 9].map((tries) => minutes('imap_throttled', tries)),
      [1, 2, 15],
    )
  })

  it('is what the server says, if it says so', () => {
    equal(minutes('smtp_rate', 1, '451 4.7.1 Rate exceeded, try again in 7 minutes'), 7)
    equal(minutes('smtp_rate', 3, '450 Bitte versuchen Sie es in 2 Stunden wieder'), 120)
    equal(minutes('smtp_rate', 1, '421 Too fast. Retry after 90 seconds.'), 1.5)
    equal(minutes('smtp_quota', 1, 'Relay quota will reset in 3 hours.'), 180)
    equal(minutes('smtp_quota', 1, '550 Réessayez dans 2 heures'), 120)
  })

  it('leaves the rate that the server has said', () => {
    const gaps: [string, number][] = [
      ['450 Rate limit of 30 messages per minute exceeded', 2],
      ['421 You may send 1 message per second', 1],
      ['451 500/hour', 8],
      ['550 Maximal 20 Nachrichten pro Minute', 3],
      ['550 10 emails every 5 minutes', 30],
      ['550 4.7.1 Rate exceeded', 0],
      ['550 200 messages per day', 0],
    ]
    for (const [words, gap] of gaps) equal(statedGapSeconds(words), gap, words)
  })

  it('has no end until somebody acts where a right is lacking, and one letter a day finds out', () => {
    const { until, probeAt } = restOf({
      ...{ cause: 'smtp_sender_refused', tries: 1, words: '', zone: 'UTC', now },
    })
    equal(until, null)
    equal(probeAt.toISOString(), '2026-11-24T10:00:00.000Z')
  })

  it('is after logins that are refused 15 seconds and doubles, for at most four logins an hour', () => {
    const failedAt: Date[] = []
    const pauses: number[] = []
    for (let at = now.getTime(), lastMs = 0; pauses.length < 8; ) {
      const moment = new Date(at)
      failedAt.push(moment)
      const recent = failedAt.filter((one) => at - one.getTime() < 3_600_000)
      lastMs = pauseAfter('refused', { lastMs, failedAt: recent, now: moment })
      pauses.push(lastMs / 1000)
      at += lastMs
    }
    deepEqual(pauses.slice(0, 4), [15, 30, 60, 3495])
    deepEqual(pauses.slice(4), [3600, 3600, 3600, 3600])
  })

  it('is after trouble that passes a minute to a quarter of an hour', () => {
    let lastMs = 0
    const pauses = Array.from({ length: 6 }, () => {
      lastMs = pauseAfter('passing', { lastMs, failedAt: [], now })
      return lastMs / 60_000
    })
    deepEqual(pauses, [1, 2, 4, 8, 15, 15])
  })
})
