import { deepEqual, equal, ok } from 'node:assert/strict'
import { textOf } from '../support/documents.ts'
import { type MailSink, testMail } from '../support/mail.ts'
import { startService, type TestService } from '../support/service.ts'
import { type SkippedTime, startSkippedTime } from '../support/skipped-time.ts'
import { listed } from '../support/statements.ts'
import { rowsOf, sectionOf } from '../support/tables.ts'
import { testClient } from '../support/temporal.ts'
import { type Budget, budgets, counts, overBudget, type Unit } from './budgets.ts'
import { type Cost, countCalls, countDelivery, countMessage } from './costs.ts'
import { countLetters } from './letters.ts'

const shown = process.env['TEST_LISTED'] !== undefined

/** Fails with the list of statements where something costs more than it may. */
function keepsTo(unit: Unit, cost: Cost, letters = 1) {
  const { list, ...counted } = cost
  const over = overBudget(unit, cost, letters)
  if (shown) console.log(unit, JSON.stringify(counted), `\n${listed(list)}`)
  ok(!over, `${unit}: ${over}\n${listed(list)}`)
}

describe('what things cost', function () {
  this.timeout(60_000)
  let service: TestService
  let mail: MailSink
  before(async function () {
    service = await startService()
    mail = await testMail()
    await service.work(this)
  })
  after(() => service.close())

  it('a message keeps to its budgets: accepted, accepted again, and sent', async () => {
    const counted = await countMessage({ service, mail, client: await testClient() })
    for (const unit of ['accepted', 'repeated', 'sent', 'sentFirst'] as const)
      keepsTo(unit, counted[unit])
  })

  it('a list, a single read and a change without a key keep to their budgets', async () => {
    const counted = await countCalls({ service, mail, client: await testClient() })
    for (const unit of ['list', 'single', 'keyless'] as const) keepsTo(unit, counted[unit])
  })

  it('an event for a webhook keeps to its budget', async () => {
    const { delivery } = await countDelivery({ service, mail, client: await testClient() })
    keepsTo('delivery', delivery)
  })
})

describe('what letters cost', function () {
  this.timeout(120_000)
  let time: SkippedTime
  before(async function () {
    time = await startSkippedTime(this.test?.ctx as Mocha.Context)
  })
  after(() => time?.stop())

  for (const [unit, campaigns] of [
    ['letter', 1],
    ['letterOfTen', 10],
  ] as const)
    it(`a letter keeps to its budget where ${campaigns} campaigns share an account`, async () => {
      const cost = await countLetters(time, { campaigns, letters: 10 })
      equal(cost.letters, 10)
      keepsTo(unit, cost, cost.letters)
    })
})

describe('the table of docs/deploying.md', () => {
  it('lists what things cost as counted', () => {
    const rows = Object.values<Budget>(budgets).map((budget) => [
      budget.unit,
      ...counts.map((name) => String(budget[name] ?? '')),
    ])
    deepEqual(rowsOf(sectionOf(textOf('docs/deploying.md'), 'What things cost')), rows)
  })
})
