import { givenCampaign } from '../support/given-campaign.ts'
import { historiesOf, since } from '../support/histories.ts'
import type { SkippedTime } from '../support/skipped-time.ts'
import { countStatements } from '../support/statements.ts'
import { type Cost, costOf } from './costs.ts'

// Counts what a letter of a campaign costs where letters are seconds apart, on the server whose clock jumps.

export const gapSeconds = 30
const monday = '2026-11-23T09:00:00.000Z'
// The first letters of a campaign also pay for its start.
const firstLetters = 3

/** What each of so many letters costs, through so many campaigns that share one account. */
export async function countLetters(
  time: SkippedTime,
  { campaigns, letters }: { campaigns: number; letters: number },
): Promise<Cost & { letters: number }> {
  await time.begin(monday)
  const first = await givenCampaign(time.service, time.mail, {
    people: letters + 2 * firstLetters,
    places: [1],
    hours: { from: '00:00', to: '24:00' },
    workspace: { limits: { day: 1000, week: 5000, gapSeconds } },
  })
  const others: Awaited<ReturnType<typeof first.anotherFor>>[] = []
  while (others.length < campaigns - 1)
    others.push(await first.anotherFor(letters + 2 * firstLetters))
  const all = [first, ...others]
  const counter = countStatements(time.service.databaseUrl)
  const runners: string[] = []
  for (const campaign of all) runners.push((await campaign.move('running')).operation)

  const { client } = time.environment
  const sent = () => all.reduce((sum, campaign) => sum + campaign.letters().length, 0)
  const look = async () => ({ letters: sent(), history: await historiesOf(client, runners) })
  let now = (await time.now()).getTime()
  const pass = async (gaps: number) => {
    now += gaps * gapSeconds * 1000
    await time.skipTo(new Date(now).toISOString())
  }

  await pass(firstLetters + 0.5)
  const before = await look()
  counter.take()
  await pass(letters)
  const list = counter.take()
  const after = await look()
  counter.stop()
  for (const campaign of all) await campaign.move('done')
  for (const runner of runners) await time.ended(runner)
  return {
    ...costOf(list, since(before.history, after.history)),
    letters: after.letters - before.letters,
  }
}
