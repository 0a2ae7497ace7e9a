import { isConflict, isOvertaken } from '../../db/database.ts'

const tries = 5

/** Runs a transaction that stores mail. Two mails of one person at once: one of the two begins anew. */
export async function again<T>(run: () => Promise<T>): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return await run()
    } catch (error) {
      if (left === 0 || !(isConflict(error) || isOvertaken(error))) throw error
    }
  }
}
