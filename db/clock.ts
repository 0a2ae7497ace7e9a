import { sql } from 'kysely'
import type { Db } from './database.ts'
import { findSetting } from './settings.ts'

/** The business clock: it defines "now" for days, weekdays and due times. Temporal's timers and leases run on real time. */
export type Clock = {
  now(): Date
  /** The moment on this clock at which the machine's clock showed `real`. */
  at(real: Date): Date
  /** The moment by the machine's clock at which this one showed `at`, for what others keep the time of. */
  real(at: Date): Date
}

/** A clock that runs `offsetMs()` ahead of the machine's, or behind it. */
export const clockWith = (offsetMs: () => number): Clock => ({
  now: () => new Date(Date.now() + offsetMs()),
  at: (real) => new Date(real.getTime() + offsetMs()),
  real: (at) => new Date(at.getTime() - offsetMs()),
})

/**
 * Opens the clock that all processes of a database share. The first start with CLOCK fixes its offset. A restart, or a start
 * with the same value or none, never moves it; another value sets it again.
 */
export async function openClock(db: Db, configured?: string): Promise<Clock> {
  if (configured) {
    const value = { given: configured, offsetMs: Date.parse(configured) - Date.now() }
    await db
      .insertInto('settings')
      .values({ name: 'clock', value: JSON.stringify(value) })
      .onConflict((oc) =>
        oc
          .column('name')
          .doUpdateSet({ value: JSON.stringify(value) })
          .where(sql<boolean>`settings.value ->> 'given' is distinct from ${configured}`),
      )
      .execute()
  }
  const kept = await findSetting<{ offsetMs: number }>(db, 'clock')
  const offsetMs = kept?.offsetMs ?? 0
  return clockWith(() => offsetMs)
}
