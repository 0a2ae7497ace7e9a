import { sql } from 'kysely'
import type { Db } from './database.ts'
import { type MachineClock, machineClock } from './machine-clock.ts'
import { findSetting } from './settings.ts'

/**
 * The business clock: it defines "now" for days, weekdays and due times. Temporal's timers and leases run on real time, which is that
 * of the database.
 */
export type Clock = {
  now(): Date
  /** The moment on this clock at which it was `real`. */
  at(real: Date): Date
  /** The real moment at which this one showed `at`, for what others keep the time of. */
  real(at: Date): Date
}

/** A clock that runs `offsetMs()` ahead of real time, or behind it. */
export const clockWith = (offsetMs: () => number, machine: () => number = Date.now): Clock => ({
  now: () => new Date(machine() + offsetMs()),
  at: (real) => new Date(real.getTime() + offsetMs()),
  real: (at) => new Date(at.getTime() - offsetMs()),
})

/**
 * Opens the clock that all processes of a database share. The first start with CLOCK fixes its offset. A restart, or a start
 * with the same value or none, never moves it; another value sets it again.
 */
export async function openClock(
  db: Db,
  configured?: string,
  machine: MachineClock = machineClock,
): Promise<Clock> {
  if (configured) {
    const value = { given: configured, offsetMs: Date.parse(configured) - machine.now() }
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
  return clockWith(() => offsetMs, machine.now)
}
