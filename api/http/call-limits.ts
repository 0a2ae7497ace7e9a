import { openPlaces } from '../../process/limits/places.ts'
import { ApiError } from './errors.ts'
import { tooMuch } from './intake.ts'

// How many calls proceed at once, at three points: before their caller is known, in a workspace, and while a file is read. Each API
// process limits them by itself.

// However many calls one caller sends at once, the process stays free for others: a few calls at a time proceed, taking turns
// between callers.

const calls = openPlaces({ name: 'calls', ofKey: 1_000 })
const turns = openPlaces({ name: 'call_turns', all: 4 })

/**
 * Answers who is calling, when it is this call's turn; until then a caller is known by the Authorization header
 * alone.
 * @throws ApiError rate_limited when too many of the caller's calls wait; any error of the lookup.
 */
export async function admitted<T>(caller: string, lookUp: () => Promise<T>): Promise<T> {
  const leave = calls.takeFree(caller)
  if (!leave) throw tooMuch('rate_limited', 'Too many of your calls came at once.')
  try {
    return await lookUp()
  } finally {
    // Whatever the call does afterwards, the next one proceeds once the event loop has gone around.
    setImmediate(await turns.take(caller))
    leave()
  }
}

// Changes of one workspace that wait for rows leave connections to other workspaces.

// A transaction has a connection of its own; additions are made by few statements for many calls (process/limits/gather.ts).
const places = {
  transactions: openPlaces({ name: 'transactions', ofKey: 8 }),
  additions: openPlaces({ name: 'additions', ofKey: 32 }),
}

/** Does the work when it is its turn in the workspace. @throws ApiError unavailable if its turn does not come by `until`. */
export async function placed<T>(
  workspace: string,
  kind: keyof typeof places,
  until: number,
  work: () => Promise<T>,
): Promise<T> {
  const patience = { ms: Math.max(0, until - Date.now()) }
  const leave = await places[kind].take(workspace, { patience })
  if (!leave) throw tooMany()
  try {
    return await work()
  } finally {
    leave()
  }
}

const tooMany = () =>
  new ApiError(
    'unavailable',
    'Many changes of this workspace wait for each other: repeat with the same key.',
    { headers: { 'Retry-After': '2' } },
  )

// A search reads thousands of rows.

const searches = openPlaces({ name: 'searches', all: 6, ofKey: 2 })
const patienceOfSearches = { ms: 5_000, most: 50, mostOfKey: 10 }

/** Does the work of a search when it is its turn. @throws ApiError unavailable if too many wait. */
export async function searching<T>(caller: string, work: () => Promise<T>): Promise<T> {
  const leave = await searches.take(caller, { patience: patienceOfSearches })
  if (!leave)
    throw new ApiError('unavailable', 'Too many searches at once: ask again.', {
      headers: { 'Retry-After': '2' },
    })
  try {
    return await work()
  } finally {
    leave()
  }
}

// Reading a file uses a processor for seconds. So two files are read at once, one per workspace; a few others wait
// without a database connection, and further calls are asked to come back.

const reading = openPlaces({ name: 'file_readings', all: 2, ofKey: 1 })
const patience = { ms: 25_000, most: 8 }

/**
 * Runs the work when it is its turn.
 * @throws ApiError unavailable, with Retry-After, when too many calls wait or its turn does not come.
 */
export async function inTurn<T>(workspace: string, work: () => Promise<T>): Promise<T> {
  const leave = await reading.take(workspace, { patience })
  if (!leave)
    throw new ApiError('unavailable', 'Other files are being read: repeat with the same key.', {
      headers: { 'Retry-After': '5' },
    })
  try {
    return await work()
  } finally {
    leave()
  }
}
