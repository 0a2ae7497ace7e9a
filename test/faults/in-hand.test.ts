import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { operationId } from '../../db/operations/operations.ts'
import { comesTo, eventually } from '../support/service.ts'
import { faultClient } from './client.ts'
import { withoutTemporal } from './pending.ts'
import { workspaceFile } from './scenario.ts'
import { type Stack, startStack } from './stack.ts'

const patienceMs = 120_000

describe('a message that is being handed over', function () {
  this.timeout(300_000)
  const workspace = 'wsp_hand'
  let stack: Stack
  let client: ReturnType<typeof faultClient>
  let conversation = 0

  before(async function () {
    stack = await startStack('hand').catch(withoutTemporal(this.test?.ctx))
    const file = workspaceFile(workspace, 'hand', stack.mail.smtpPort, 1_000)
    client = faultClient(stack.url, await stack.workspace(file))
  })
  after(() => stack?.stop())
  afterEach(() => stack?.mail.script({}))

  /** A message that the mail server holds at a step until it is released, and how often that step was reached. */
  async function heldAt(step: 'onAuth' | 'onData') {
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let times = 0
    stack.mail.script({
      [step]: async () => {
        times++
        reached.resolve()
        await released.promise
      },
    })
    const [key, text] = [randomUUID() as string, `A word of ${randomUUID()}`]
    const path = `/conversations/cnv_${conversation++}/messages`
    await client.change('POST', path, { text }, { key })
    await reached.promise
    const { db, mail } = stack
    return {
      goOn: released.resolve,
      times: () => times,
      row: () =>
        db
          .selectFrom('messages')
          .select(['state', 'reason'])
          .where('operation', '=', operationId(workspace, key))
          .executeTakeFirstOrThrow(),
      settled: () =>
        eventually(
          () => client.read(`/operations/${key}`),
          ({ state, waitingFor }) => state === 'done' || waitingFor === 'resolve',
          patienceMs,
        ),
      arrived: () => mail.messages().filter((message) => message.text.includes(text)).length,
      asked: async () =>
        (
          await db
            .selectFrom('notifications')
            .select('id')
            .where('workspace', '=', workspace)
            .where('kind', '=', 'message.unconfirmed')
            .execute()
        ).length,
    }
  }

  it('is finished before a worker that is asked to stop exits', async () => {
    const message = await heldAt('onData')
    const { worker = 0 } = stack.deaths
    stack.kill('worker', 'SIGTERM')
    // Longer than the ten seconds after which a worker cancels what can be interrupted.
    await sleep(12_000)
    equal(stack.deaths['worker'] ?? 0, worker)
    message.goOn()
    equal((await message.settled()).state, 'done')
    deepEqual([message.arrived(), await message.asked()], [1, 0])
    await comesTo(() => stack.deaths['worker'] ?? 0, worker + 1, 30_000)
  })

  it('is not started by a worker that is asked to stop', async () => {
    const message = await heldAt('onAuth')
    stack.kill('worker', 'SIGTERM')
    // A signal reaches another process within this time.
    await sleep(1_000)
    message.goOn()
    equal((await message.settled()).state, 'done')
    deepEqual([message.times(), message.arrived()], [2, 1])
  })
})
