const withinMs = 2_000

/**
 * Looks at most once at a time, and answers `late` to whoever has waited for two seconds: a database that stands still answers
 * nobody, and each look at it would keep a connection.
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
