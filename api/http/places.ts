import { ApiError } from './errors.ts'

// Changes of a workspace that are carried out at once, so that those which wait for a row of theirs leave connections to the
// changes of others. Kept by each api process on its own.

const atOnce = 8

type Line = { inHand: number; waiting: Set<() => void> }
const lines = new Map<string, Line>()

/** Does the work when it is its turn in the workspace. @throws ApiError unavailable when it is not by `until`. */
export async function placed<T>(
  workspace: string,
  until: number,
  work: () => Promise<T>,
): Promise<T> {
  const line = lines.get(workspace) ?? { inHand: 0, waiting: new Set() }
  lines.set(workspace, line)
  if (line.inHand < atOnce) line.inHand++
  else await turnIn(line, until)
  try {
    return await work()
  } finally {
    const [next] = line.waiting
    if (next) next()
    else if (--line.inHand === 0) lines.delete(workspace)
  }
}

/** Whoever leaves hands its place to the one that has waited longest. */
function turnIn({ waiting }: Line, until: number) {
  return new Promise<void>((resolve, reject) => {
    const take = () => {
      clearTimeout(timer)
      waiting.delete(take)
      resolve()
    }
    const timer = setTimeout(
      () => {
        waiting.delete(take)
        reject(tooMany())
      },
      Math.max(0, until - Date.now()),
    )
    waiting.add(take)
  })
}

const tooMany = () =>
  new ApiError(
    'unavailable',
    'Many changes of this workspace wait for each other: repeat with the same key.',
    { headers: { 'Retry-After': '2' } },
  )
