import type { Db } from '../../db/database.ts'
import { listen } from '../../db/listen.ts'
import { findOperation, type OperationRow } from '../../db/operations/operations.ts'

export type Answers = ReturnType<typeof listenForAnswers>

/**
 * Waits for the answers that workflows write into their operations. NOTIFY shortens the wait; polling twice a second
 * guarantees it.
 */
export function listenForAnswers(db: Db, databaseUrl: string) {
  const waiting = new Map<string, Set<() => void>>()
  const listener = listen(databaseUrl, 'operation', (id) => {
    for (const wake of waiting.get(id) ?? []) wake()
  })

  /** The operation once it is `ready`, or its state after `ms`. No transaction is open meanwhile. */
  async function until(
    id: string,
    ms: number,
    ready: (operation: OperationRow) => boolean,
    giveUp: (elapsedMs: number) => Promise<boolean> = async () => false,
  ): Promise<OperationRow | undefined> {
    const start = Date.now()
    for (;;) {
      const operation = await findOperation(db, id)
      const elapsed = Date.now() - start
      if (!operation || ready(operation) || elapsed >= ms || (await giveUp(elapsed)))
        return operation
      await nap(id, Math.min(500, ms - elapsed))
    }
  }

  function nap(id: string, ms: number) {
    return new Promise<void>((resolve) => {
      const wakers = waiting.get(id) ?? new Set()
      waiting.set(id, wakers)
      const wake = () => {
        clearTimeout(timer)
        wakers.delete(wake)
        if (wakers.size === 0) waiting.delete(id)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      wakers.add(wake)
    })
  }

  return { until, close: listener.close }
}
