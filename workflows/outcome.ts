/** What a workflow returns: how it ended, for an operator; ids, codes and counts alone. */
export type Outcome = {
  state: string
  reason?: string
  code?: string
  [count: string]: string | number | undefined
}

/** What a step says beside what is next: how its operation ended, and whether search attributes may tell what it waits for. */
export type Told = { outcome?: Outcome; searchable?: boolean }

/** Another run has the operation: this one did nothing. */
export const notOurs: Outcome = { state: 'skipped', reason: 'owned_by_another_run' }

/** What an activity of an earlier release, which says nothing of how it ended, stands for. */
export const ended: Outcome = { state: 'ended' }
