import { equal } from 'node:assert/strict'
import { startReceiver } from './receiver.ts'
import type { TestService } from './service.ts'

type Delivery = { id: string; state: string; attempts: number; at: string }

const goals = ['sale', 'demo']

/** A webhook of a workspace of its own, and its receiver, which answers like this. */
export async function givenHook(
  service: TestService,
  answers?: (number | 'hang')[],
  options?: { delayMs: number },
) {
  const receiver = await startReceiver(answers, options)
  const workspace = await service.workspace()
  const { call, product } = workspace
  const { body: webhook } = await call('POST', '/webhooks', { url: receiver.url })
  const path = `/webhooks/${webhook.id}`
  const deliveries = async (): Promise<Delivery[]> =>
    (await call('GET', `${path}/deliveries?limit=200`)).body.deliveries
  const count = async (state: string) =>
    (await deliveries()).filter((one) => one.state === state).length
  /** One event after another. */
  const happen = async (times: number) => {
    for (let n = 0; n < times; n++) {
      const { status } = await call('PATCH', `/products/${product}`, { goal: goals[n % 2] })
      equal(status, 200)
    }
  }
  const row = () =>
    service.db
      .selectFrom('webhooks')
      .select(['id', 'runner', 'epoch', 'failures'])
      .where('id', '=', webhook.id)
      .executeTakeFirst()
  const read = async () => (await call('GET', path)).body
  return { ...workspace, receiver, webhook, path, deliveries, count, happen, row, read }
}

/** The numbers of the events that a receiver got, as they came. */
export const eventIds = ({ got }: { got: { headers: Record<string, unknown> }[] }) =>
  got.map(({ headers }) => Number(String(headers['webhook-id']).replace('evt_', '')))
