// Workflow ids that are not an operation's. An operation's workflow has the operation's id, `<workspace>:<key>`
// (db/operations/operations.ts), so that an operator finds a client's call by its key.

/**
 * The delivery of one touch. Scope: the touch and the epoch it was started under, because a closed id cannot run again and
 * a touch may be taken up by a later runner. Once-only is held by the touch's row, never by this id.
 */
export const touchWorkflowId = (touch: string, epoch: number): string => `${touch}-e${epoch}`

// What waits for servers of others has task queues of its own, beside that of the workflows, so that none of it holds up short
// work on rows: letters that are handed over, mailboxes that are read, events that go to webhooks, and all else: calendars, models, finders
// and logins.
export const sendQueue = (taskQueue: string): string => `${taskQueue}-send`
export const mailQueue = (taskQueue: string): string => `${taskQueue}-mail`
export const remoteQueue = (taskQueue: string): string => `${taskQueue}-remote`
export const hooksQueue = (taskQueue: string): string => `${taskQueue}-hooks`

/** The task queue on which a workflow runs. */
export const queueOf = (type: string, taskQueue: string): string =>
  type === 'deliverEvents' ? hooksQueue(taskQueue) : taskQueue

/** Schedules sweep all workspaces of a deployment, which its task queue stands for: two in one namespace have one each. */
export const scheduleId = (name: string, taskQueue: string): string => `${taskQueue}-${name}`
