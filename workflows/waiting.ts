import {
  defineSignal,
  patched,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow'

// What an operator sees of a workflow that waits, before opening it: the search attributes WaitingFor and Connection, and in the
// details what stands in the way of an activity that is tried again and again.

const waitingFor = { name: 'WaitingFor', type: 'KEYWORD' as const }
const through = { name: 'Connection', type: 'KEYWORD' as const }

// What is over sooner is not worth its place in the history.
const longMs = 60_000

/**
 * What stands in the way of an activity; null when nothing does any more. Of ids, codes and safe sentences alone. `searchable`: the
 * namespace has the attributes, without which no task of the workflow could be completed.
 */
export type Trouble = { code: string; text: string; connection?: string; searchable?: boolean }

/** Said by an activity that has failed some times, about itself (activities/common/troubled.ts). */
export const troubled = defineSignal<[Trouble | null], 'troubled'>('troubled')

/** Shows what a workflow waits for. `usual` stands in the details while nothing is wrong. */
export function showWaiting(usual = '') {
  // A run that goes on for another has its attributes.
  let shown = workflowInfo().typedSearchAttributes.get(waitingFor) ?? null
  let isTroubled = false

  function show(what: string | null, searchable: boolean | undefined, connection?: string) {
    if (what === shown || (what !== null && !searchable)) return
    if (!patched('waiting-for')) return
    shown = what
    upsertSearchAttributes([
      { key: waitingFor, value: what },
      ...(connection ? [{ key: through, value: connection }] : []),
    ])
  }

  function over() {
    if (!isTroubled) return
    isTroubled = false
    setCurrentDetails(usual)
    show(null, true)
  }

  setHandler(
    troubled,
    (trouble) => {
      if (!trouble) return over()
      isTroubled = true
      setCurrentDetails(trouble.text)
      const { code, connection, searchable } = trouble
      show(connection ? 'connection' : code, searchable, connection)
    },
    { description: 'Said by the service itself: what its activity cannot get past.' },
  )

  return {
    /** The activity that had its trouble has come to an end. */
    over,
    /** What is waited for now, and for how long (null: until it changes); null for nothing. */
    waits(what: string | null, delayMs: number | null, searchable: boolean | undefined) {
      show(delayMs === null || delayMs >= longMs ? what : null, searchable)
    },
  }
}
