import type { Client } from '@temporalio/client'

const againMs = 30_000

/**
 * Whether the namespace has the search attributes that tell what workflows wait for, as it was last seen; looked at again until it
 * has. A workflow that shows one that is not there could not go on.
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
      // A server that is away, or one that does not say.
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
