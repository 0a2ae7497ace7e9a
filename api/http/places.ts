import { type Line, leavePlace, openLine, takePlace } from '../../aside/line.ts'
import { ApiError } from './errors.ts'

// Changes of a workspace that are carried out at once, so that those which wait for a row of theirs leave connections to the
// changes of others. Kept by each api process on its own.

const atOnce = 8

const lines = new Map<string, Line>()

/** Does the work when it is its turn in the workspace. @throws ApiError unavailable when it is not by `until`. */
export async function placed<T>(
  workspace: string,
  until: number,
  work: () => Promise<T>,
): Promise<T> {
  const line = lines.get(workspace) ?? openLine()
  lines.set(workspace, line)
  if (!(await takePlace(line, atOnce, Math.max(0, until - Date.now())))) throw tooMany()
  try {
    return await work()
  } finally {
    if (leavePlace(line) && line.inHand === 0) lines.delete(workspace)
  }
}

const tooMany = () =>
  new ApiError(
    'unavailable',
    'Many changes of this workspace wait for each other: repeat with the same key.',
    { headers: { 'Retry-After': '2' } },
  )
