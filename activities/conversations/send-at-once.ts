import { setTimeout as sleep } from 'node:timers/promises'
import type { Command, WorkflowArgs } from '../../db/operations/outbox.ts'
import { type Leave, openPlaces } from '../../process/limits/places.ts'
import { isQuick } from '../outgoing/sessions.ts'
import { findUnderway, keepUnderway } from '../outgoing/underway.ts'

// A message may be handed over within the first task of its workflow, by a local activity: Temporal then has half as much to do,
// and the letter goes before the task has ended. Such a task occupies a slot for tasks of workflows, and its workflow answers
// nobody meanwhile. So this is only for messages whose mail server has just shown that it is quick, for few of them at a time,
// and for a moment. After that moment nothing is claimed any more. A hand-over that has claimed goes on, and the usual activity of
// the message waits for it in the same process; in another one it finds the marker, and looks again later.

const momentMs = 1_000
// A start that Temporal has not given to this process within this time has gone to another one.
const expectedMs = 5_000

// By accounts.
const places = openPlaces({ name: 'letters_at_once', all: 50, ofKey: 8 })
/** Messages that are to go at once, until their moment is over. */
const going = new Map<string, { leave: Leave; timer: NodeJS.Timeout }>()

/** The arguments with which this process starts a workflow. `isEager`: it may get the first task itself. */
export function argsOf(command: Command, isEager: boolean): unknown[] {
  if (command.workflowType !== 'sendMessage') return command.args as unknown[]
  const [{ atOnce, ...input }] = command.args as WorkflowArgs<'sendMessage'>
  const { Connection: account } = command.attributes
  if (atOnce === 'due') return [{ ...input, atOnce }]
  if (!atOnce || !isEager || account === undefined) return [input]
  return takePlace(input.message, account) ? [{ ...input, atOnce }] : [input]
}

/** Takes a place for a message that is to go at once, if the server of its account is quick and there is one. */
export function takePlace(message: string, account: string): boolean {
  end(message)
  const leave = isQuick(account) ? places.takeFree(account) : undefined
  if (!leave) return false
  const timer = setTimeout(() => end(message), expectedMs).unref()
  going.set(message, { leave, timer })
  return true
}

/** The accounts of the messages that commands are to send. */
export const accountsIn = (commands: Command[]): Set<string> =>
  new Set(
    commands.flatMap(({ workflowType, attributes: { Connection } }) =>
      workflowType === 'sendMessage' && Connection !== undefined ? Connection : [],
    ),
  )

function end(message: string) {
  const one = going.get(message)
  clearTimeout(one?.timer)
  one?.leave()
  going.delete(message)
}

type HandOver<T> = {
  /** Begins the hand-over, which claims nothing once `isOver`. */
  run(isOver: () => boolean): Promise<T>
  failed(error: unknown): void
}

/** What the hand-over of a message comes to if it ends within a moment; undefined if it does not, or fails. */
export async function withinMoment<T>(
  message: string,
  handOver: HandOver<T>,
): Promise<T | undefined> {
  const until = performance.now() + momentMs
  const ended = begin(message, handOver, () => performance.now() > until)
  try {
    return await Promise.race([ended, sleep(momentMs, undefined, { ref: false })])
  } finally {
    end(message)
  }
}

// A task that Temporal gives out again does not hand the message over again.
function begin<T>(
  message: string,
  { run, failed }: HandOver<T>,
  isOver: () => boolean,
): Promise<T | undefined> {
  const ended = () => run(isOver).catch((error) => void failed(error)) as Promise<T | undefined>
  return findUnderway<T | undefined>(message) ?? keepUnderway(message, ended())
}
