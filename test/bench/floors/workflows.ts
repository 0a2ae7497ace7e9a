import { proxyActivities } from '@temporalio/workflow'

const { deliver } = proxyActivities<{ deliver(id: string): Promise<void> }>({
  startToCloseTimeout: '1 minute',
})

/** Sends one message by one activity. */
export async function send(id: string): Promise<void> {
  await deliver(id)
}
