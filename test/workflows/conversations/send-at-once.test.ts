import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import { argsOf, withinMoment } from '../../../activities/conversations/send-at-once.ts'
import { closeSessions } from '../../../activities/outgoing/sessions.ts'
import type { Command } from '../../../db/operations/outbox.ts'
import { followed } from '../../support/followed.ts'
import { givenClient } from '../../support/given.ts'
import { type MailSink, testMail } from '../../support/mail.ts'
import { type SharedService, sharedService } from '../../support/service.ts'
import { testClient } from '../../support/temporal.ts'

describe('a message whose mail server has just been quick', function () {
  this.timeout(60_000)
  let service: SharedService
  let mail: MailSink
  let client: Client
  before(async function () {
    mail = await testMail()
    service = await sharedService(this.test?.ctx)
    client = await testClient()
  })
  afterEach(() => mail.script({}))

  /** A workspace whose first account has just sent a message. */
  async function quickAccount() {
    const workspace = await service.workspace({ smtpPort: mail.smtpPort })
    const { id: own, call } = workspace
    const send = async (text: string) => {
      const { conversation, email } = await givenClient(service.db, workspace, service.clock.now())
      const key = randomUUID()
      const { status } = await call(
        'POST',
        `/conversations/${conversation}/messages`,
        { text },
        { key },
      )
      equal(status, 200)
      return {
        ...{ email, ...followed(call, key) },
        arrived: () => mail.messages().filter(({ to }) => to.includes(email)).length,
        async kinds() {
          const handle = client.workflow.getHandle(`${own}:${key}`)
          // The operation has ended a moment before its workflow.
          await handle.result()
          const { events } = await handle.fetchHistory()
          const has = (
            kind: 'markerRecordedEventAttributes' | 'activityTaskScheduledEventAttributes',
          ) => events?.filter((one) => one[kind]).length
          return {
            events: events?.length,
            local: has('markerRecordedEventAttributes'),
            activities: has('activityTaskScheduledEventAttributes'),
          }
        },
      }
    }
    await (await send('The first one.')).ended()
    return { ...workspace, send }
  }

  it('goes within the first task of its workflow', async () => {
    const { send } = await quickAccount()
    const message = await send('Hello')
    const { state, result } = await message.ended()
    deepEqual([state, result.state, message.arrived()], ['done', 'sent', 1])
    deepEqual(await message.kinds(), { events: 6, local: 1, activities: 0 })
  })

  it('goes once although its server is slow this time, and its workflow waits for that', async () => {
    const { send } = await quickAccount()
    mail.script({
      onAccepted: async () => {
        // A moment lasts one second; a server that needs longer is not quick.
        await sleep(3_000)
        return undefined
      },
    })
    const message = await send('Hello')
    const { state } = await message.ended()
    deepEqual([state, message.arrived()], ['done', 1])
    const { local, activities } = await message.kinds()
    deepEqual([local, activities], [1, 1])
    // The next one is no longer told to go at once.
    mail.script({})
    const next = await send('And again')
    equal((await next.ended()).state, 'done')
    equal((await next.kinds()).local, 0)
  })

  it('is not claimed once its moment is over, and goes in the usual way', async () => {
    const { send, connections } = await quickAccount()
    closeSessions(connections[0])
    mail.script({
      onAuth: async () => {
        // Longer than the moment of one second.
        await sleep(1_500)
        return undefined
      },
    })
    const message = await send('Hello')
    equal((await message.ended()).state, 'done')
    deepEqual(
      [message.arrived(), await message.kinds()],
      [1, { events: 12, local: 1, activities: 1 }],
    )
  })

  it('that the server refuses fails with its code', async () => {
    const { send } = await quickAccount()
    mail.script({ onRcpt: () => ({ code: 550, text: '5.1.1 No such user' }) })
    const message = await send('Hello')
    const { state, result } = await message.ended()
    deepEqual([state, result.code, message.arrived()], ['failed', '5.1.1', 0])
  })

  it('that may have arrived waits for a decision', async () => {
    const { send } = await quickAccount()
    mail.script({ onAccepted: () => 'drop' })
    const message = await send('Hello')
    await message.waitsFor('resolve')
    equal(message.arrived(), 1)
  })

  it('delays nobody else, however slow its server has become', async () => {
    const slow = await quickAccount()
    const other = await quickAccount()
    mail.script({
      onAccepted: async ({ to }) => {
        // Sixty of them would hold up a letter behind them for minutes.
        if (!to.includes(quick.email)) await sleep(4_000)
        return undefined
      },
    })
    const quick = { email: '' }
    await Promise.all(Array.from({ length: 60 }, (_, i) => slow.send(`Letter ${i}`)))
    const message = await other.send('Hello')
    quick.email = message.email
    const began = performance.now()
    equal((await message.ended()).state, 'done')
    ok(performance.now() - began < 4_000, `${performance.now() - began} ms`)
  })
})

describe('a hand-over that takes longer than a moment', () => {
  it('may not claim any more, and goes on all the same', async () => {
    const message = randomUUID()
    const seen: boolean[] = []
    const run = async (isOver: () => boolean) => {
      seen.push(isOver())
      // The moment lasts one second.
      await sleep(1_200)
      seen.push(isOver())
      return 'sent'
    }
    const failed = (error: unknown) => {
      throw error
    }
    const first = withinMoment(message, { run, failed })
    // Within that second.
    await sleep(500)
    // Temporal gives the task out again: there is only one hand-over.
    const again = withinMoment(message, { run, failed })
    deepEqual([await first, await again, seen], [undefined, 'sent', [false, true]])
  })

  it('says why it failed, and comes to nothing', async () => {
    const errors: unknown[] = []
    const run = () => Promise.reject(new Error('no'))
    const failed = (error: unknown) => errors.push((error as Error).message)
    deepEqual([await withinMoment(randomUUID(), { run, failed }), errors], [undefined, ['no']])
  })
})

describe('the start of a message', () => {
  const command = (attributes = {}, more = {}) =>
    ({
      ...{ kind: 'start', workflowType: 'sendMessage', attributes },
      args: [{ operation: 'o', message: randomUUID(), atOnce: true }],
      ...more,
    }) as unknown as Command
  const isTold = (one: Command, isEager: boolean) =>
    (argsOf(one, isEager) as { atOnce?: true }[])[0]?.atOnce === true

  it('is not told to go at once by a worker that does not know its account', () => {
    equal(isTold(command({ Connection: 'con_1' }), true), false)
    equal(isTold(command(), true), false)
  })

  it('has the arguments of its command if it is another workflow', () => {
    const args = [{ operation: 'o', campaign: 'c', epoch: 1 }]
    deepEqual(argsOf(command({}, { workflowType: 'runCampaign', args }), true), args)
  })
})
