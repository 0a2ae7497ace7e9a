import {
  defineSignal,
  getCurrentDetails,
  patched,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow'

// What an operator sees of a waiting workflow without opening it: the search attributes WaitingFor and Connection,
// and in the details the reason why an activity is retried again and again.

const waitingFor = { name: 'WaitingFor', type: 'KEYWORD' as const }
const through = { name: 'Connection', type: 'KEYWORD' as const }

// A shorter wait is not worth an event in the history.
const longMs = 60_000

/**
 * What an activity cannot get past, in ids, codes and safe sentences alone; null when the problem is over.
 * `searchable`: the namespace has the search attributes, without which no task of the workflow could be completed.
 */
export type Trouble = {
  code: string
  text: string
  connection?: string
  searchable?: boolean
  /** Temporal's id of the activity, how often it was tried, and when it is tried again (ISO 8601). Releases until 0.4.0 do not say. */
  activity?: string
  attempt?: number
  nextTryAt?: string
}

/** Sent by an activity about itself once it has failed several times (activities/common/trouble-signals.ts). */
export const troubled = defineSignal<[Trouble | null], 'troubled'>('troubled')

export type Waiting = ReturnType<typeof showWaiting>

/** What a workflow with a trouble waits for. */
const shownAs = ({ code, connection }: Trouble) => (connection ? 'connection' : code)

/** The trouble as an operator reads it. Later tries follow without a word, so that they cost no events. */
function wordsOf({ text, attempt, nextTryAt }: Trouble): string {
  if (attempt === undefined) return text
  const next = nextTryAt === undefined ? '' : ` The next attempt was planned for ${nextTryAt}.`
  return `${text}\n\nAttempt ${attempt} has failed.${next}`
}

/** Shows what an activity of the workflow cannot get past, over whatever the details say otherwise. */
export function showTrouble() {
  const open = new Set<string>()
  let said: { activity: string; words: string; before: string } | undefined
  let isSearchable = false

  setHandler(
    troubled,
    (trouble) => {
      const { activity, searchable } = trouble ?? {}
      // The signal may come after the activity has ended.
      if (!trouble || activity === undefined || !open.has(activity)) return
      const words = wordsOf(trouble)
      said = { activity, words, before: said?.before ?? getCurrentDetails() }
      setCurrentDetails(words)
      if (!searchable || !patched('every-workflow-shows-trouble')) return
      isSearchable = true
      upsertSearchAttributes([{ key: waitingFor, value: shownAs(trouble) }])
    },
    { description: 'Sent by the service itself: what its activity cannot get past.' },
  )

  return {
    begins: (activity: string) => void open.add(activity),
    over(activity: string) {
      open.delete(activity)
      if (said?.activity !== activity) return
      if (getCurrentDetails() === said.words) setCurrentDetails(said.before)
      said = undefined
      if (isSearchable) upsertSearchAttributes([{ key: waitingFor, value: null }])
      isSearchable = false
    },
  }
}

/** Shows what a workflow waits for. The details show `usual` while nothing is wrong. */
export function showWaiting(usual = '') {
  // A run that continues an earlier one inherits its search attributes.
  let shown = workflowInfo().typedSearchAttributes.get(waitingFor) ?? null
  let said = ''

  function show(what: string | null, searchable: boolean | undefined, connection?: string) {
    if (what === shown || (what !== null && !searchable)) return
    shown = what
    upsertSearchAttributes([
      { key: waitingFor, value: what },
      ...(connection ? [{ key: through, value: connection }] : []),
    ])
  }

  function over() {
    if (!said) return
    said = ''
    setCurrentDetails(usual)
    show(null, true)
  }

  setHandler(
    troubled,
    (trouble) => {
      if (!trouble) return over()
      said = wordsOf(trouble)
      setCurrentDetails(said)
      show(shownAs(trouble), trouble.searchable, trouble.connection)
    },
    { description: 'Sent by the service itself: what its activity cannot get past.' },
  )

  return {
    /** The activity that reported a problem has ended. */
    over,
    /** What an activity has reported that it cannot get past; empty if nothing. */
    trouble: () => said,
    /** What the workflow waits for now (null: nothing), and for how long (null: until it changes). */
    waits(
      what: string | null,
      delayMs: number | null,
      searchable: boolean | undefined,
      connection?: string,
    ) {
      show(delayMs === null || delayMs >= longMs ? what : null, searchable, connection)
    },
  }
}
