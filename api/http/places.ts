import { openPlaces } from '../../process/limits/places.ts'
import { ApiError } from './errors.ts'

// Limits how many changes of one workspace are carried out at once, so that changes that wait for rows leave
// connections to other workspaces. Each API process does this by itself.

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
