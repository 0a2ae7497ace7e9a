import { setTimeout as sleep } from 'node:timers/promises'
import { Connection, type ConnectionOptions } from '@temporalio/client'
import { msToTs, tsToMs } from '@temporalio/common/lib/time.js'
import { temporalConnection } from '../../activities/worker/connection.ts'
import { loadConfig } from '../../process/config.ts'
import { type Log, notice } from './progress.ts'
import { declared } from './temporal-declared.ts'

// npm run cluster: gives a Temporal cluster the namespace and the search attributes that the service needs. Running
// it again changes nothing.

const notFound = 5
const keyword = 2
const withinMs = 60_000

/** @throws the error of the cluster, when it cannot be reached or does not allow a change. */
export async function applyCluster(options: ConnectionOptions, namespace: string, log: Log) {
  const connection = await Connection.connect({ ...options, connectTimeout: 10_000 })
  try {
    await connection.withDeadline(Date.now() + withinMs, async () => {
      await applyNamespace(connection, namespace, log)
      await applySearchAttributes(connection, namespace, log)
    })
  } finally {
    await connection.close()
  }
}

async function applyNamespace({ workflowService }: Connection, namespace: string, log: Log) {
  const retention = msToTs(declared.retentionSeconds * 1000)
  const found = await workflowService.describeNamespace({ namespace }).catch((error) => {
    if (error.code === notFound) return undefined
    throw error
  })
  if (!found) {
    await workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: retention,
    })
    return log(`namespace ${namespace}: created, retention ${declared.retention}`)
  }
  const now = tsToMs(found.config?.workflowExecutionRetentionTtl ?? undefined)
  // A longer retention is somebody's choice and is kept; with a shorter one, a repeated key could run again.
  if (now >= tsToMs(retention)) return log(`namespace ${namespace}: ready`)
  await workflowService.updateNamespace({
    namespace,
    config: { workflowExecutionRetentionTtl: retention },
  })
  log(`namespace ${namespace}: retention raised to ${declared.retention}`)
}

async function applySearchAttributes({ operatorService }: Connection, namespace: string, log: Log) {
  const listed = await seen(() => operatorService.listSearchAttributes({ namespace }))
  const present = listed.customAttributes ?? {}
  const wanted = Object.keys(declared.searchAttributes)
  for (const name of wanted) {
    if (name in present && present[name] !== keyword) {
      throw new Error(`The search attribute ${name} exists with another type than Keyword.`)
    }
  }
  const missing = wanted.filter((name) => !(name in present))
  if (!missing.length) return log('search attributes: ready')
  await operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(missing.map((name) => [name, keyword])),
  })
  log(`search attributes: added ${missing.join(', ')}`)
}

// The rest of the cluster sees a new namespace about ten seconds later.
async function seen<T>(ask: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + withinMs
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if ((error as { code?: number }).code !== notFound || Date.now() > deadline) throw error
      await sleep(500)
    }
  }
}

if (import.meta.main) {
  const config = loadConfig()
  const { address, namespace } = config.temporal
  try {
    await applyCluster(temporalConnection(config), namespace, notice)
  } catch (error) {
    notice(`${address}: ${error instanceof Error ? error.message : error}`)
    process.exitCode = 1
  }
}
