// Ids of the workflows that do not belong to an operation. The workflow of an operation has the operation's id,
// `<workspace>:<key>` (db/operations/operations.ts), so that an operator finds a client's call by its key.

// Work that waits for the servers of others has its own task queues beside that of the workflows, so that it never
// delays short work on rows. There is one queue for handing letters over, one for reading mailboxes, one for sending
// events to webhooks, and one for everything else: calendars, models, finders and logins.
export const sendQueue = (taskQueue: string): string => `${taskQueue}-send`
export const mailQueue = (taskQueue: string): string => `${taskQueue}-mail`
export const remoteQueue = (taskQueue: string): string => `${taskQueue}-remote`
export const hooksQueue = (taskQueue: string): string => `${taskQueue}-hooks`

const queues: { [type: string]: (taskQueue: string) => string } = {
  deliverEvents: hooksQueue,
  // Beside its activity, which the worker then gets with the first task of the workflow.
  sendMessage: sendQueue,
}

/** The task queue on which a workflow runs. */
export const queueOf = (type: string, taskQueue: string): string =>
  queues[type]?.(taskQueue) ?? taskQueue

/**
 * A schedule covers all workspaces of a deployment, which its task queue identifies: two deployments in one namespace
 * have a schedule each.
 */
export const scheduleId = (name: string, taskQueue: string): string => `${taskQueue}-${name}`
