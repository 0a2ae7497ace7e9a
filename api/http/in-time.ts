const withinMs = 2_000

/**
 * Does one lookup at a time, and answers `late` to callers who have waited for two seconds: a database that hangs
 * would answer none of them, and each lookup would hold a connection.
 */
export function inTime<T>(look: () => Promise<T>, late: T): () => Promise<T> {
  let looking: Promise<T> | undefined
  return async () => {
    looking ??= look().finally(() => {
      looking = undefined
    })
    const { promise, resolve } = Promise.withResolvers<T>()
    const timer = setTimeout(() => resolve(late), withinMs)
    try {
      return await Promise.race([looking, promise])
    } finally {
      clearTimeout(timer)
    }
  }
}
