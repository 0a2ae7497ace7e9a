import { type Client, type Connection, isGrpcServiceError } from '@temporalio/client'
import { searchAttributeNames } from '../../db/operations/outbox.ts'

// Checks what the service needs from its Temporal cluster before anything is started there.

const withinMs = 10_000
const codes = { notFound: 5, permissionDenied: 7, unimplemented: 12, unauthenticated: 16 }
const keyword = 2

/**
 * What the namespace lacks, as a sentence for its operator; undefined if it lacks nothing, or if the cluster does not let us
 * ask.
 * @throws the client's error if the cluster cannot be asked.
 */
export async function findLack(
  connection: Connection,
  namespace: string,
): Promise<string | undefined> {
  const { workflowService, operatorService } = connection
  return connection.withDeadline(Date.now() + withinMs, async () => {
    const there = await known(() => workflowService.describeNamespace({ namespace }))
    if (there === 'not found')
      return `the namespace ${namespace} does not exist: npm run cluster creates it`
    const listed = await known(() => operatorService.listSearchAttributes({ namespace }))
    if (listed === 'not found' || listed === 'not allowed') return undefined
    const present = listed.customAttributes ?? {}
    const missing = searchAttributeNames.filter((name) => present[name] !== keyword)
    if (missing.length === 0) return undefined
    return `the namespace ${namespace} lacks search attributes of the type Keyword (${missing.join(', ')}): npm run cluster adds them`
  })
}

// A cluster that someone else runs may not let us read its settings.
async function known<T>(ask: () => Promise<T>): Promise<T | 'not found' | 'not allowed'> {
  try {
    return await ask()
  } catch (error) {
    const code = isGrpcServiceError(error) ? error.code : undefined
    if (code === codes.notFound) return 'not found'
    if (
      code === codes.permissionDenied ||
      code === codes.unimplemented ||
      code === codes.unauthenticated
    )
      return 'not allowed'
    throw error
  }
}

const againMs = 30_000

/**
 * Whether the namespace has the search attributes that show what workflows wait for, as of the last check; checked again until
 * it does. A workflow that sets an attribute the namespace does not have gets stuck.
 */
export function watchSearchAttributes(client: Client, names: string[]) {
  let has = false
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  async function look() {
    try {
      const { namespace } = client.options
      const { customAttributes } = await client.connection.withDeadline(Date.now() + 5_000, () =>
        client.connection.operatorService.listSearchAttributes({ namespace }),
      )
      has = names.every((name) => name in (customAttributes ?? {}))
    } catch {
      // The server is away, or does not say.
    }
    if (!has && !stopped) timer = setTimeout(look, againMs).unref()
  }
  void look()
  return {
    searchable: () => has,
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
