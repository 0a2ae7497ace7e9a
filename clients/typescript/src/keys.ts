import { PostroomError } from './problems.ts'

// The keys of steps: made once, kept before a call goes out, and found again by the next run of the same program.

/** A key, and when a call with it was last known to reach the service, or was made. */
export type KeptKey = { key: string; usedAt: string }

/** Where keys are kept. One store is for one job: the same name of a step is the same call there. */
export type KeyStore = {
  /**
   * Answers the key of the step, or keeps `made` as its key. It must not answer before the key will be found again, whatever ends
   * the program, and of two programs that come at once both must get the same key.
   */
  keep(step: string, made: KeptKey): Promise<KeptKey>
  /** Replaces what is kept of the step, whose key stays. It must never leave the step without its key. */
  renew(step: string, kept: KeptKey): Promise<void>
  /** Forgets the step: the next call of this name is another one. */
  forget(step: string): Promise<void>
}

/** Keeps keys as long as the program runs: repeats have the same key, and another run has others. */
export function memoryKeys(): KeyStore {
  const kept = new Map<string, KeptKey>()
  return {
    async keep(step, made) {
      const known = kept.get(step) ?? made
      kept.set(step, known)
      return known
    },
    async renew(step, renewed) {
      kept.set(step, renewed)
    },
    async forget(step) {
      kept.delete(step)
    },
  }
}

const dayMs = 86_400_000
// The service keeps a key for 30 days after its last use. A day is left for clocks that differ.
const keptMs = 29 * dayMs

export const newKey = () => crypto.randomUUID()

/**
 * The key of a step. @throws PostroomError step_too_old, before anything is sent: the service may have forgotten that it has
 * carried the step out.
 */
export async function keyOf(store: KeyStore, step: string): Promise<KeptKey> {
  if (step === '') throw new PostroomError('invalid_options', 'A step needs a name.')
  const kept = await store.keep(step, { key: newKey(), usedAt: new Date().toISOString() })
  const ageMs = Date.now() - Date.parse(kept.usedAt)
  if (ageMs < keptMs) return kept
  throw new PostroomError(
    'step_too_old',
    `The step "${step}" was last called on ${kept.usedAt}, and the service keeps keys for 30 days. Look whether it was carried out; to have it carried out now, forget the step.`,
    { key: kept.key },
  )
}

/** After an answer the service keeps the key for another 30 days. Written down once a day, so that few calls write. */
export async function renewed(store: KeyStore, step: string, kept: KeptKey, sentAt: Date) {
  if (sentAt.getTime() - Date.parse(kept.usedAt) < dayMs) return
  await store.renew(step, { ...kept, usedAt: sentAt.toISOString() })
}
