import { openPlaces } from '../../process/limits/places.ts'
import { ApiError } from './errors.ts'

// Reading a file uses a processor for seconds. So two files are read at once, one per workspace; a few others wait
// without a database connection, and further calls are asked to come back. Each API process does this by itself.

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
