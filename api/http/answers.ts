import type { Db } from '../../db/database.ts'
import { listen } from '../../db/listen.ts'
import { findOperation, hasEnded, type OperationRow } from '../../db/operations/operations.ts'

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
  const until = (
    id: string,
    ms: number,
    ready: (operation: OperationRow) => boolean,
    giveUp?: (elapsedMs: number) => Promise<boolean>,
  ): Promise<OperationRow | undefined> =>
    looking(
      { id, ms },
      () => findOperation(db, id),
      (operation) => !operation || ready(operation),
      giveUp,
    )

  /** Waits until an operation has ended, for `ms` at most. Calls of a workspace that wait at the same time are looked up together. */
  const untilEnded = (
    { workspace, id }: Pick<OperationRow, 'workspace' | 'id'>,
    ms: number,
    giveUp: () => boolean,
  ): Promise<boolean> =>
    looking(
      { id, ms },
      () => hasEnded(db, workspace, id),
      (ended) => ended,
      async () => giveUp(),
    )

  async function looking<T>(
    { id, ms }: { id: string; ms: number },
    look: () => Promise<T>,
    isOver: (found: T) => boolean,
    giveUp: (elapsedMs: number) => Promise<boolean> = async () => false,
  ): Promise<T> {
    const start = Date.now()
    for (;;) {
      const found = await look()
      const elapsed = Date.now() - start
      if (isOver(found) || elapsed >= ms || (await giveUp(elapsed))) return found
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

  return { until, untilEnded, close: listener.close }
}
