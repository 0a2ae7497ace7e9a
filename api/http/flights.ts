import { openPlaces } from '../../process/limits/places.ts'
import { ApiError } from './errors.ts'

// Equal keys at the same time, in this process: later calls wait for the first one, and hold no database connection
// meanwhile.

type Flight = { fingerprint: string; ended: Promise<unknown> }
export type Key = { id: string; workspace: string; fingerprint: string }

const flights = new Map<string, Flight>()
const waiting = openPlaces({ name: 'equal_calls', ofKey: 100 })

/**
 * Runs `work` unless a call with this key is already being carried out here; in that case it waits for the end of
 * that call and answers undefined. If that call fails, an equal call fails with the same error.
 * @throws ApiError idempotency_in_progress when that call has not ended by `until`, or too many calls of the
 * workspace wait.
 */
export async function alone<T>(
  key: Key,
  until: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  for (;;) {
    const other = flights.get(key.id)
    if (!other) return fly(key, work)
    const failed = await endOf(other, key.workspace, until)
    if (!failed) return undefined
    if (other.fingerprint === key.fingerprint) throw failed.error
  }
}

async function fly<T>({ id, fingerprint }: Key, work: () => Promise<T>): Promise<T> {
  const ended = work()
  flights.set(id, { fingerprint, ended })
  try {
    return await ended
  } finally {
    flights.delete(id)
  }
}

async function endOf({ ended }: Flight, workspace: string, until: number) {
  const leave = waiting.takeFree(workspace)
  if (!leave) throw inProgress()
  const tooLate = Promise.withResolvers<never>()
  const timer = setTimeout(() => tooLate.reject(inProgress()), Math.max(0, until - Date.now()))
  const end = ended.then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  try {
    return await Promise.race([end, tooLate.promise])
  } finally {
    clearTimeout(timer)
    leave()
  }
}

export const inProgress = () =>
  new ApiError('idempotency_in_progress', 'A call with this key is being carried out.', {
    headers: { 'Retry-After': '1' },
  })
