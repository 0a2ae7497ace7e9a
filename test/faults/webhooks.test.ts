import { equal, ok } from 'node:assert/strict'
import { startReceiver } from '../support/receiver.ts'
import { eventually } from '../support/service.ts'
import { faultClient } from './client.ts'
import { withoutTemporal } from './pending.ts'
import { workspaceFile } from './scenario.ts'
import { type Stack, startStack } from './stack.ts'

const events = 60

describe('events for a webhook, while the worker dies', function () {
  this.timeout(300_000)
  let stack: Stack
  before(async function () {
    stack = await startStack('webhooks').catch(withoutTemporal(this.test?.ctx))
  })
  after(() => stack?.stop())

  it('all arrive, and only those on their way arrive twice', async () => {
    const workspace = 'wsp_hooks'
    const file = workspaceFile(workspace, 'hooks', stack.mail.smtpPort, 100)
    const client = faultClient(stack.url, await stack.workspace(file))
    const receiver = await startReceiver([204], { delayMs: 100 })
    const webhook = await client.change('POST', '/webhooks', { url: receiver.url })
    stack.crashWorkerAt('after-post', 'after-settled-post', 'after-post')
    for (let n = 0; n < events; n++)
      await client.change('PATCH', '/workspace', { tagging: n % 2 === 0 })
    const rows = () =>
      stack.db
        .selectFrom('deliveries')
        .select(['state', 'event'])
        .where('webhook', '=', webhook.id)
        .execute()
    const all = await eventually(
      rows,
      (found) => found.every(({ state }) => state === 'delivered'),
      120_000,
    )
    const ids = receiver.got.map(({ headers }) => headers['webhook-id'] as string)
    equal(new Set(ids).size, all.length)
    ok(all.length >= events / 2, `${all.length} events`)
    const deaths = stack.deaths['worker'] ?? 0
    ok(deaths >= 4, `it died ${deaths} times`)
    ok(ids.length <= all.length + deaths * 4, `${ids.length} for ${all.length}`)
  })
})
