import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '@temporalio/client'
import { temporalConnection } from '../../activities/worker/connection.ts'
import type { Config } from '../../process/config.ts'

const workflowTasks = 1

/** Resolves when the server knows the namespace. @throws the client's error after a minute. */
export async function untilTemporalAnswers(address: string, namespace: string, end?: AbortSignal) {
  const connection = Connection.lazy({ address })
  const deadline = Date.now() + 60_000
  try {
    for (;;) {
      try {
        // For a moment its first answer is "no such namespace".
        await connection.withDeadline(Date.now() + 1_000, () =>
          connection.workflowService.describeNamespace({ namespace }),
        )
        return
      } catch (error) {
        end?.throwIfAborted()
        if (Date.now() > deadline) throw error
        await sleep(50)
      }
    }
  } finally {
    await connection.close()
  }
}

/** Resolves when a worker polls for work; a cluster that does not report this is not waited for long. */
export async function untilPolled(config: Config) {
  const { namespace, taskQueue } = config.temporal
  const connection = Connection.lazy(temporalConnection(config))
  const deadline = Date.now() + 20_000
  try {
    while (Date.now() < deadline) {
      const queue = await connection
        .withDeadline(Date.now() + 1_000, () =>
          connection.workflowService.describeTaskQueue({
            namespace,
            taskQueue: { name: taskQueue },
            taskQueueType: workflowTasks,
          }),
        )
        .catch(() => undefined)
      if (queue?.pollers?.length) return
      await sleep(100)
    }
  } finally {
    await connection.close()
  }
}
