import { type CompiledWorkerOptions, Worker } from '@temporalio/worker'

/**
 * A worker that calls its workflows without a limit of time. The limit (`isolateExecutionTimeout`) starts and ends a thread for
 * each call into a workflow, of which one task makes a dozen: 0.1 ms, many times as much as the call itself. It would end a
 * loop that never waits for an activity or a timer; test/workflows/worker/bundle.test.ts looks for such loops, and ours have none.
 */
export class WorkflowWorker extends Worker {
  protected static override createWorkflowCreator(
    ...[bundle, options, logger]: Parameters<(typeof Worker)['createWorkflowCreator']>
  ) {
    const unlimited = { ...options, isolateExecutionTimeoutMs: undefined }
    return Worker.createWorkflowCreator(
      bundle,
      unlimited as unknown as CompiledWorkerOptions,
      logger,
    )
  }
}
