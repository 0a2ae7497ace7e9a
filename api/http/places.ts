import { type Line, leavePlace, openLine, takePlace } from '../../process/limits/line.ts'
import { ApiError } from './errors.ts'

// Limits how many changes of one workspace are carried out at once, so that changes that wait for rows leave
// connections to other workspaces. Each API process does this by itself.

// A transaction has a connection of its own; additions are made by few statements for many calls (db/gathered.ts).
const most = { transactions: 8, additions: 32 }

const lines = new Map<string, Line>()

/** Does the work when it is its turn in the workspace. @throws ApiError unavailable if its turn does not come by `until`. */
export async function placed<T>(
  workspace: string,
  kind: keyof typeof most,
  until: number,
  work: () => Promise<T>,
): Promise<T> {
  const name = `${kind} ${workspace}`
  const line = lines.get(name) ?? openLine()
  lines.set(name, line)
  if (!(await takePlace(line, most[kind], Math.max(0, until - Date.now())))) throw tooMany()
  try {
    return await work()
  } finally {
    if (leavePlace(line) && line.inHand === 0) lines.delete(name)
  }
}

const tooMany = () =>
  new ApiError(
    'unavailable',
    'Many changes of this workspace wait for each other: repeat with the same key.',
    { headers: { 'Retry-After': '2' } },
  )
