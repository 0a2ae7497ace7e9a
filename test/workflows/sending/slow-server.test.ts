import { deepEqual, equal, ok } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'mocha'
import { testMail } from '../../support/mail.ts'
import { rowsOf, sendingOf } from '../../support/sending.ts'
import { eventually, startService, type TestService } from '../../support/service.ts'
import { type ScriptedSmtp, scriptedSmtp } from '../../support/smtp-server/server.ts'
import { testClient } from '../../support/temporal.ts'

const taskQueue = `slow-server-${Date.now()}`

describe('a letter whose server takes minutes to answer to its end', function () {
  this.timeout(90_000)
  let service: TestService
  let server: ScriptedSmtp
  let sending: ReturnType<typeof sendingOf>
  let worker: { stop(): Promise<void> }
  let crashAt: string | undefined
  const crash = (point: string) => {
    if (point === crashAt) throw new Error('the attempt died')
  }
  const work = (context?: Context) =>
    service.work(context, { crash }, { taskQueue, only: ['rows', 'send', 'remote'] })

  before(async function () {
    this.timeout(120_000)
    service = await startService()
    server = await scriptedSmtp()
    sending = sendingOf(service, await testMail(), server)
    worker = await work(this.test?.ctx)
  })
  after(() => service?.close())
  afterEach(() => {
    crashAt = undefined
  })

  /** A running campaign to eight people through two accounts: the first letter of the first account is answered late. */
  async function given(lateMs: number, gapSeconds = 0) {
    const limits = { day: 500, week: 2500, gapSeconds }
    const campaign = await sending.campaignOf(8, 2, { workspace: { limits } })
    const late = { stage: 'dot', answer: { lateMs } } as const
    server.script(rowsOf(campaign.account, { ...late, when: ({ nth }) => nth === 1 }))
    const { operation, key } = await campaign.move('running')
    const taken = (n: number, ms = 20_000) =>
      eventually(
        async () => campaign.taken().length,
        (now) => now >= n,
        ms,
      )
    return {
      ...{ ...campaign, operation },
      /** Waits until the other account has sent so many. */
      others: taken,
      reached: () => server.reached(campaign.account, 'dot'),
      async allOnce() {
        await campaign.until('sent', 8)
        equal(campaign.taken().length, 8)
        equal(new Set(campaign.taken()).size, 8)
      },
      ended: () =>
        eventually(
          () => campaign.call('GET', `/operations/${key}`),
          ({ body }) => body.endedAt !== null,
          60_000,
        ),
    }
  }

  // The sitting goes on without a letter after three seconds.
  const setAside = () => sleep(3_500)

  for (const gapSeconds of [0, 1])
    it(`holds up no other account of its campaign (${gapSeconds} s between two letters)`, async () => {
      const campaign = await given(20_000, gapSeconds)
      await campaign.others(7, 16_000)
      equal(campaign.reached(), 1)
      await campaign.allOnce()
    })

  it('outlasts the sitting that has handed it over', async () => {
    const campaign = await given(36_000)
    await campaign.others(7)
    await campaign.allOnce()
    deepEqual(await campaign.states(), Array(8).fill('sent'))
  })

  it('is followed by no other once its campaign is paused, and the run ends after it', async () => {
    const campaign = await given(12_000, 2)
    await campaign.others(1)
    await setAside()
    await campaign.move('paused')
    const before = campaign.taken().length
    ok(before < 7, 'the pause came too late')
    await campaign.ended()
    equal(campaign.taken().length, before + 1)
    equal((await campaign.states()).includes('sending'), false)
    await campaign.move('running')
    await campaign.allOnce()
  })

  it('is settled before its run ends when an operator cancels that', async () => {
    const campaign = await given(15_000, 2)
    await campaign.others(1)
    await setAside()
    const runner = (await testClient()).workflow.getHandle(campaign.operation)
    await runner.cancel()
    await runner.result()
    const { length } = campaign.taken()
    ok(length < 8, 'the cancel came too late')
    equal((await campaign.states()).filter((state: string) => state === 'sent').length, length)
    equal((await campaign.states()).includes('sending'), false)
    await campaign.move('running')
    await campaign.allOnce()
  })

  it('is awaited by its worker when that stops, while another worker sends what else is due', async function () {
    const campaign = await given(40_000, 2)
    await campaign.others(1)
    await setAside()
    let hasStopped = false
    const stopping = worker.stop().then(() => {
      hasStopped = true
    })
    worker = await work(this)
    await campaign.others(5, 30_000)
    equal(hasStopped, false)
    equal(campaign.reached(), 1)
    await stopping
    await campaign.allOnce()
  })

  it('is not sent again if its attempt dies before the answer is written down', async () => {
    const campaign = await given(10_000)
    await campaign.others(7)
    crashAt = 'after-handover'
    await campaign.others(8)
    const touches = await eventually(campaign.touches, (all) =>
      all.some(({ reason }: { reason: string | null }) => reason === 'unconfirmed'),
    )
    equal(touches.filter(({ state }: { state: string }) => state === 'sent').length, 7)
    equal(campaign.reached(), 1)
  })
})
