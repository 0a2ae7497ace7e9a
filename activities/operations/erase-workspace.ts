import { setTimeout as sleep } from 'node:timers/promises'
import { CancelledFailure, cancellationSignal } from '@temporalio/activity'
import {
  cancelRunning,
  deleteCommands,
  eraseWorkspacePage,
  listRunning,
  workflowsEnded,
} from '../../db/erasure/workspaces.ts'
import { operationProgress, operationWaits } from '../../db/operations/operations.ts'
import type { ErasureInput } from '../../workflows/inputs.ts'
import { beating } from '../common/heartbeat.ts'
import type { Deps } from '../deps.ts'

// How long one activity erases: the details that an operator reads are at most this old.
const sliceMs = 12_000
const atOnce = 200
// What the list of Temporal shows may be a moment old.
const looks = 3
const lookAgainMs = 500

/** How many steps are done, of how many, how many rows are gone; `waits` that a letter is with a server. */
export type WorkspaceStep = {
  ended: boolean
  waits: boolean
  done: number
  total: number
  rows: number
}

export const eraseWorkspaceActivities = (deps: Deps) => {
  const { db, clock, crash, log } = deps
  return {
    /**
     * Erases page by page for some seconds. Safe to retry: a page and the place after it are one transaction, and what is deleted
     * already stays so; a workflow that has ended is not ended again.
     */
    eraseWorkspace: ({ operation }: ErasureInput): Promise<WorkspaceStep> =>
      // A page may take longer than a heartbeat: what refers to an account is looked for in large tables.
      beating(() => erase(operation)),
  }

  async function erase(operation: string): Promise<WorkspaceStep> {
    const until = performance.now() + sliceMs
    for (;;) {
      if (cancellationSignal().aborted) throw new CancelledFailure('The erasure was stopped.')
      crash('before-page')
      const page = await eraseWorkspacePage(db, operation, clock.now())
      crash('after-page')
      const { is, workspace, done, total, rows } = page
      if (is === 'workflows') {
        await endWorkflows(workspace, operation)
        crash('after-workflows')
        await workflowsEnded(db, workspace)
      }
      if ((is === 'going' || is === 'workflows') && performance.now() < until) continue
      await operationProgress(db, operation, done, total)
      if (is === 'ended') log.info({ workspace, operation, rows }, 'a workspace was erased')
      if (is === 'waiting') await operationWaits(db, operation, 'sending')
      return { ended: is === 'ended', waits: is === 'waiting', done, total, rows }
    }
  }

  /** Ends what runs for a workspace. None of it could do anything more, but it could wait for weeks. */
  async function endWorkflows(workspace: string, own: string) {
    const end = async (ids: string[]) => {
      for (const id of ids) {
        await deps.endWorkflow?.(id, 'Its workspace was erased.')
      }
    }
    await deleteCommands(db, workspace, own)
    for (;;) {
      const ids = await listRunning(db, workspace, own, atOnce)
      if (ids.length === 0) break
      await end(ids)
      await cancelRunning(db, workspace, ids, clock.now())
    }
    for (let look = 0; look < looks; look++) {
      const open = (await deps.openWorkflows?.(workspace)) ?? []
      await end(open.filter((id) => id !== own))
      await sleep(lookAgainMs)
    }
  }
}
