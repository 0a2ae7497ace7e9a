import { mochaGlobalTeardown } from '../support/hooks.ts'
import { testMail } from '../support/mail.ts'
import { startService } from '../support/service.ts'
import { testClient } from '../support/temporal.ts'
import { type Budget, budgets, counts as names, type Unit } from './budgets.ts'
import { type Cost, countCalls, countDelivery, countMessage } from './costs.ts'
import { countLetters } from './letters.ts'

// What each unit of work costs beside what it may cost, in numbers that no machine changes. The service runs in this process,
// where its statements can be counted.

export async function counts() {
  const service = await startService()
  const mail = await testMail()
  await service.work(undefined, { webhookAllowPrivate: true })
  const counting = { service, mail, client: await testClient() }
  console.log(`${'counted for each unit of work'.padEnd(72)} ${names.join(', ')} (allowed)`)
  for (const count of [countMessage, countCalls, countDelivery])
    for (const [unit, cost] of Object.entries(await count(counting))) show(unit as Unit, cost)
  await service.close()
  await letters().catch((error: Error) => console.log(`letters are not counted: ${error.message}`))
  await mochaGlobalTeardown()
}

async function letters() {
  const { startSkippedTime } = await import('../support/skipped-time.ts')
  const skip = () => {
    throw new Error('they need Java, for the server whose clock jumps')
  }
  const time = await startSkippedTime({ skip } as unknown as Mocha.Context)
  for (const [unit, campaigns] of [
    ['letter', 1],
    ['letterOfTen', 10],
  ] as const) {
    const cost = await countLetters(time, { campaigns, letters: 10 })
    show(unit, cost, cost.letters)
  }
  await time.stop()
}

function show(unit: Unit, cost: Cost, letters = 1) {
  const budget: Budget = budgets[unit]
  const counted = names
    .filter((name) => budget[name] !== undefined)
    .map((name) => `${(cost[name] ?? 0) / letters} (${budget[name]})`)
  console.log(`${budget.unit.padEnd(72)} ${counted.join(', ')}`)
}
