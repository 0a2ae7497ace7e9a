import type { Client } from '@temporalio/client'

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
