import { ApiError } from './errors.ts'

// Reading a file uses a processor for seconds. So two files are read at once, one per workspace; a few others wait
// without a database connection, and further calls are told to come back. Each API process does this by itself.

const mostAtOnce = 2
const mostWaiting = 8
const longestWaitMs = 25_000

// process/limits/places.ts is not used here, because calls start in the order in which they came, and the workspace with the most
// waiting calls gives way.
type Waiter = { workspace: string; start(): void; refuse(): void }
const inHand = new Set<string>()
const waiting: Waiter[] = []

/**
 * Runs the work when it is its turn.
 * @throws ApiError unavailable, with Retry-After, when too many calls wait or its turn does not come.
 */
export async function inTurn<T>(workspace: string, work: () => Promise<T>): Promise<T> {
  if (inHand.size < mostAtOnce && !inHand.has(workspace)) inHand.add(workspace)
  else await myTurn(workspace)
  try {
    return await work()
  } finally {
    inHand.delete(workspace)
    next()
  }
}

function myTurn(workspace: string): Promise<void> {
  if (waiting.length >= mostWaiting) makeRoom(workspace)
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      waiting.splice(waiting.indexOf(waiter), 1)
    }
    const waiter: Waiter = {
      workspace,
      start() {
        leave()
        inHand.add(workspace)
        resolve()
      },
      refuse() {
        leave()
        reject(busy())
      },
    }
    const timer = setTimeout(waiter.refuse, longestWaitMs)
    waiting.push(waiter)
  })
}

/** The workspace with the most waiting calls gives way to one that has at least two fewer. */
function makeRoom(workspace: string) {
  const counts = Map.groupBy(waiting, (waiter) => waiter.workspace)
  const [longest = []] = [...counts.values()].sort((a, b) => b.length - a.length)
  if (longest.length < (counts.get(workspace)?.length ?? 0) + 2) throw busy()
  longest.at(-1)?.refuse()
}

function next() {
  if (inHand.size >= mostAtOnce) return
  waiting.find((waiter) => !inHand.has(waiter.workspace))?.start()
}

const busy = () =>
  new ApiError('unavailable', 'Other files are being read: repeat with the same key.', {
    headers: { 'Retry-After': '5' },
  })
