/** What a workflow returns for operators: how it ended, in ids, codes and counts alone. */
export type Outcome = {
  state: string
  reason?: string
  code?: string
  [count: string]: string | number | undefined
}

/**
 * What a step says beside the next thing to do: how its operation ended, and whether search attributes may show what
 * it waits for.
 */
export type Told = { outcome?: Outcome; searchable?: boolean }

/** Another run owns the operation: this run did nothing. */
export const notOurs: Outcome = { state: 'skipped', reason: 'owned_by_another_run' }

/** Stands for the answer of an activity that does not say how its operation ended. */
export const ended: Outcome = { state: 'ended' }
