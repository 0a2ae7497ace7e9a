import { deepEqual, equal, ok } from 'node:assert/strict'
import { givenCampaign } from '../../support/given-campaign.ts'
import { retries, type SkippedTime, startSkippedTime } from '../../support/skipped-time.ts'

// What each letter costs where campaigns share an account is counted in test/bench/costs.test.ts.

describe('campaigns that share an account', function () {
  this.timeout(120_000)
  this.retries(retries)
  let time: SkippedTime
  const gapSeconds = 30
  before(async function () {
    time = await startSkippedTime(this.test?.ctx as Mocha.Context)
  })
  after(() => time?.stop())

  async function running(campaigns: number) {
    await time.begin('2026-11-23T09:00:00.000Z')
    const first = await givenCampaign(time.service, time.mail, {
      people: 20,
      places: [1],
      workspace: { limits: { day: 1000, week: 5000, gapSeconds } },
    })
    const all = [first]
    while (all.length < campaigns) all.push({ ...first, ...(await first.anotherFor(20)) })
    await first.db
      .updateTable('connections')
      .set({ alive: false })
      .where('id', '=', first.connections[1])
      .execute()
    const operations: string[] = []
    for (const campaign of all) operations.push((await campaign.move('running')).operation)
    return {
      all,
      sent: () => all.map((campaign) => campaign.letters().length),
      pass: (gaps: number) =>
        time.skipTo(
          new Date(Date.parse('2026-11-23T09:00:00Z') + gaps * gapSeconds * 1000).toISOString(),
        ),
      async end() {
        for (const campaign of all) await campaign.move('done')
        for (const operation of operations) await time.ended(operation)
      },
    }
  }

  it('take turns, so that none waits for longer than the others', async () => {
    const { sent, pass, end } = await running(5)
    await pass(21)
    const counts = sent()
    await end()
    const all = counts.reduce((sum, count) => sum + count, 0)
    ok(all >= 18 && all <= 22, String(counts))
    ok(Math.max(...counts) - Math.min(...counts) <= 1, String(counts))
  })

  it('leave their turns to the others when they are paused or have ended', async () => {
    const { all, sent, pass, end } = await running(3)
    await pass(4)
    const [first, second] = all
    await first?.move('paused')
    await second?.move('done')
    const before = sent()
    await pass(12)
    const after = sent()
    const booked = await first?.db
      .selectFrom('accountTurns')
      .select('campaign')
      .where('campaign', 'in', [first?.campaign as string, second?.campaign as string])
      .execute()
    await end()
    deepEqual(booked, [])
    deepEqual([after[0], after[1]], [before[0], before[1]])
    ok((after[2] as number) - (before[2] as number) >= 6, String([before, after]))
    equal(after.length, 3)
  })
})
