import { setTimeout as sleep } from 'node:timers/promises'
import type { Command, WorkflowArgs } from '../../db/operations/outbox.ts'
import { isQuick } from '../outgoing/sessions.ts'

// A message may be handed over within the first task of its workflow, by a local activity: Temporal then has half as much to do,
// and the letter goes before the task has ended. Such a task occupies a slot for tasks of workflows, and its workflow answers
// nobody meanwhile. So this is only for messages whose mail server has just shown that it is quick, for few of them at a time,
// and for a moment: after that, the hand-over goes on, and the usual activity of the message waits for it.

const longestMs = 1_000
const mostAtOnce = 50
// A start that Temporal has not given to this process within this time has gone to another one.
const expectedMs = 5_000

/** Messages whose workflows were told to send them at once and have not begun to. */
const expected = new Map<string, NodeJS.Timeout>()
const underway = new Map<string, Promise<unknown>>()

/** The arguments with which this process starts a workflow. `isEager`: it may get the first task itself. */
export function argsOf(command: Command, isEager: boolean): unknown[] {
  if (command.workflowType !== 'sendMessage') return command.args as unknown[]
  const [{ atOnce, ...input }] = command.args as WorkflowArgs<'sendMessage'>
  const { Connection: account } = command.attributes
  const hasRoom = expected.size + underway.size < mostAtOnce
  if (!atOnce || !isEager || account === undefined || !hasRoom || !isQuick(account)) return [input]
  clearTimeout(expected.get(input.message))
  const end = () => expected.delete(input.message)
  expected.set(input.message, setTimeout(end, expectedMs).unref())
  return [{ ...input, atOnce }]
}

/**
 * What the hand-over of a message comes to if it ends within a moment. Undefined if it does not, or fails: the usual activity
 * meets the same trouble and says so.
 */
export async function withinMoment<T>(
  message: string,
  handOver: () => Promise<T>,
): Promise<T | undefined> {
  clearTimeout(expected.get(message))
  expected.delete(message)
  const ended = begin(message, handOver)
  return Promise.race([ended, sleep(longestMs, undefined, { ref: false })])
}

// A task that Temporal gives out again does not hand the message over again.
function begin<T>(message: string, handOver: () => Promise<T>): Promise<T | undefined> {
  const before = underway.get(message)
  if (before) return before as Promise<T | undefined>
  const ended = handOver()
    .catch(() => undefined)
    .finally(() => underway.delete(message))
  underway.set(message, ended)
  return ended
}

/** Waits for the hand-over of a message that has taken longer than a moment, if it is under way in this process. */
export const untilHandedOver = async (message: string): Promise<void> => {
  await underway.get(message)
}

/** Waits for all that are under way in this process. */
export const untilAllHandedOver = async (): Promise<void> => {
  await Promise.all(underway.values())
}
